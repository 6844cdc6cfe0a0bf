import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { AppError } from '../../shared/domain/errors.ts'
import { policiesFrom } from '../../shared/domain/policies.ts'
import type { PolicySet } from '../../shared/domain/policies.ts'

type Given = Record<string, unknown>

/** Where an administrator can set policies; `where` names it for people. */
export type PolicyPlace = {
  where: string
  /** What is set there, null where nothing is. Throws `policies_unreadable`. */
  read: () => Promise<Given | null>
}

const toolLimitMs = 10_000
/** As electron-builder.yml names the app. */
const bundleId = 'com.sheaf.desktop'
const registryKeys = ['HKLM\\Software\\Policies', 'HKCU\\Software\\Policies'] as const

/**
 * What administrators set on this computer. Where nothing is set that takes a look at each place, and on Windows two
 * processes of 20 ms side by side. Throws `policies_unreadable` when a place cannot be read as a whole: whoever set
 * something there would not want Sheaf to go on as if nobody had.
 */
export async function readPolicies(places: readonly PolicyPlace[] = placesOf(process.platform)): Promise<PolicySet> {
  const found = await Promise.all(places.map(async ({ where, read }) => ({ where, given: await read() })))
  return policiesFrom(found.flatMap(({ where, given }) => (given === null ? [] : [{ where, given }])))
}

/** The places of a system, in the order in which they count: the computer's before the person's. */
export function placesOf(platform: NodeJS.Platform): PolicyPlace[] {
  if (platform === 'win32') {
    const file = join(process.env['ProgramData'] ?? 'C:\\ProgramData', 'Sheaf', 'policies.json')
    return [...registryKeys.map((parent) => registryPlace(parent, file)), jsonPlace(file)]
  }
  if (platform === 'darwin')
    return [
      plistPlace(`/Library/Managed Preferences/${bundleId}.plist`),
      plistPlace(`/Library/Managed Preferences/${userInfo().username}/${bundleId}.plist`),
      jsonPlace('/Library/Application Support/Sheaf/policies.json'),
    ]
  return [jsonPlace('/etc/sheaf/policies.json')]
}

/** A file with one JSON object in it. */
export function jsonPlace(path: string): PolicyPlace {
  return filePlace(path, async () => objectIn(decoded(await readFile(path))))
}

/** Managed preferences, which a profile of a device management writes. */
function plistPlace(path: string): PolicyPlace {
  return filePlace(path, async () => preferencesIn(await run('/usr/bin/plutil', ['-convert', 'json', '-o', '-', path])))
}

function filePlace(path: string, read: () => Promise<Given>): PolicyPlace {
  return { where: path, read: () => orUnreadable(path, async () => ((await isThere(path)) ? read() : null)) }
}

/** A file that may not be looked at is not one that is missing: throws for it. */
async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return false
    throw error
  }
}

/**
 * `parent` is there on every Windows (a person's may be missing), so when it cannot be listed nobody knows what is set:
 * where reg.exe is forbidden `file` has to stand in.
 */
function registryPlace(parent: (typeof registryKeys)[number], file: string): PolicyPlace {
  const key = `${parent}\\Sheaf`
  const system = join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32')
  const tool = join(system, 'reg.exe')
  const read = async (): Promise<Given | null> => {
    const listing = await run(tool, ['query', parent]).catch((error: unknown) => {
      if (parent.startsWith('HKCU') || existsSync(file)) return ''
      throw error
    })
    if (!hasKey(listing, 'Sheaf')) return null
    // In the code page of the console letters beyond ASCII would be lost.
    const query = `${join(system, 'chcp.com')} 65001 >nul & ${tool} query ${key} /s`
    return registryValues(await run(join(system, 'cmd.exe'), ['/d', '/s', '/c', query]))
  }
  return { where: key, read: () => orUnreadable(key, read) }
}

async function orUnreadable(where: string, read: () => Promise<Given | null>): Promise<Given | null> {
  try {
    return await read()
  } catch (error) {
    const detail = error instanceof Error ? error.message.trim() : String(error)
    throw new AppError('policies_unreadable', { where, detail }, { cause: error })
  }
}

async function run(program: string, args: string[]): Promise<string> {
  return (await promisify(execFile)(program, args, { timeout: toolLimitMs, windowsHide: true })).stdout
}

/** Text of a file as Windows' editors write it: UTF-8 or UTF-16, each with or without its mark. Throws for others. */
export function decoded(bytes: Uint8Array): string {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8'
  return new TextDecoder(encoding, { fatal: true }).decode(bytes)
}

/** The object in a JSON text. Throws with what is wrong. Pure. */
export function objectIn(text: string): Given {
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('it holds no object { "Name": value }')
  return value as Given
}

/** The preferences in what `plutil -convert json` writes, without what a profile says of itself. Throws. Pure. */
export function preferencesIn(json: string): Given {
  return Object.fromEntries(Object.entries(objectIn(json)).filter(([name]) => !name.startsWith('Payload')))
}

/** Whether `reg query KEY` names a key of this name below it. Pure. */
export function hasKey(listing: string, name: string): boolean {
  return linesOf(listing).some((line) => line.toLowerCase().endsWith(`\\policies\\${name.toLowerCase()}`))
}

/**
 * The values in what `reg query HK…\Software\Policies\Sheaf /s` writes. A key below it is a list, in the order of its
 * values' names, which are numbers (as Group Policy writes them). What has another type than text and number is given
 * as such, so that it is not understood. Pure.
 */
export function registryValues(output: string): Given {
  const given: Given = {}
  const lists = new Map<string, [string, unknown][]>()
  let list: string | null = null
  for (const line of linesOf(output)) {
    const key = /^HKEY_[^\\]+\\Software\\Policies\\Sheaf(?:\\(.+))?$/i.exec(line)
    if (key !== null) {
      list = key[1] ?? null
      if (list !== null) lists.set(list, [])
      continue
    }
    const value = /^ {4}(.*?) {4}(REG_[A-Z_]+)(?: {4}(.*))?$/.exec(line)
    // The value of the key itself, whose name in parentheses is of the system's language.
    if (value === null || value[1]!.startsWith('(')) continue
    const read = registryValue(value[2]!, value[3] ?? '')
    if (list === null) given[value[1]!] = read
    else lists.get(list)!.push([value[1]!, read])
  }
  for (const [name, items] of lists)
    given[name] = items.toSorted(([one], [other]) => Number(one) - Number(other)).map(([, item]) => item)
  return given
}

function registryValue(type: string, text: string): unknown {
  if (type === 'REG_SZ' || type === 'REG_EXPAND_SZ') return text
  if (type === 'REG_DWORD' || type === 'REG_QWORD') return Number(text)
  return { type }
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/)
}
