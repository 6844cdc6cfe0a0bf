import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  isAllowedHost,
  policiesFrom,
  policyNames,
  requireAllowedSettings,
  updateOptions,
  withPolicies,
} from '../../shared/domain/policies.ts'
import {
  decoded,
  hasKey,
  jsonPlace,
  objectIn,
  placesOf,
  preferencesIn,
  readPolicies,
  registryValues,
} from '../../electron/system/policies.ts'
import { policiesCommand } from '../../electron/terminal/policies.ts'
import { temporaryDir } from '../helpers/core.ts'

/** What `reg query HKLM\Software\Policies\Sheaf /s` writes on Windows 11. */
const registry = String.raw`
HKEY_LOCAL_MACHINE\Software\Policies\Sheaf
    (Standard)    REG_SZ    
    DailyDocumentCap    REG_DWORD    0x1f4
    UpdatesEnabled    REG_DWORD    0x0
    UpdateUrl    REG_SZ    https://updates.example.com/sheaf builds
    UpdateChannel    REG_MULTI_SZ    beta\0latest

HKEY_LOCAL_MACHINE\Software\Policies\Sheaf\AllowedFolders
    10    REG_SZ    \\server\Büro    alt
    2    REG_EXPAND_SZ    C:\0815\Belege
    1    REG_SZ    ~\Documents

HKEY_LOCAL_MACHINE\Software\Policies\Sheaf\AllowedPlatformHosts

`.replaceAll('\n', '\r\n')

describe('what reg query writes', () => {
  it('gives texts, numbers, and keys as lists in the order of their numbers, also an empty one', () => {
    expect(registryValues(registry)).toEqual({
      DailyDocumentCap: 500,
      UpdatesEnabled: 0,
      UpdateUrl: 'https://updates.example.com/sheaf builds',
      UpdateChannel: { type: 'REG_MULTI_SZ' },
      AllowedFolders: ['~\\Documents', 'C:\\0815\\Belege', '\\\\server\\Büro    alt'],
      AllowedPlatformHosts: [],
    })
  })

  it('tells whether there is a key for Sheaf, and not one that only begins like it', () => {
    const above = 'HKEY_LOCAL_MACHINE\\Software\\Policies\\'
    expect(hasKey(`\r\n${above}Google\r\n${above}sheaf\r\n`, 'Sheaf')).toBe(true)
    expect(hasKey(`\r\n${above}Google\r\n${above}SheafOther\r\n`, 'Sheaf')).toBe(false)
  })
})

describe('what plutil writes', () => {
  it('gives the preferences without what a profile says of itself', () => {
    const json = '{"PayloadUUID":"5F3C","UpdatesEnabled":false,"AllowedFolders":["~/Documents"]}'
    expect(preferencesIn(json)).toEqual({ UpdatesEnabled: false, AllowedFolders: ['~/Documents'] })
  })
})

describe('a file of policies', () => {
  it('is read as Windows’ editors write it: with a mark, and as UTF-16', () => {
    const text = '{ "AllowedFolders": ["C:\\\\Büro"] }'
    const expected = { AllowedFolders: ['C:\\Büro'] }
    for (const bytes of [Buffer.from(text), Buffer.from(`\ufeff${text}`), Buffer.from(`\ufeff${text}`, 'utf16le')])
      expect(objectIn(decoded(bytes))).toEqual(expected)
    expect(() => decoded(Buffer.from(text, 'latin1'))).toThrow(/not valid/)
  })

  it('that is none stops with an error that names it and what is wrong', async () => {
    const dir = temporaryDir()
    onTestFinished(dir.remove)
    const path = join(dir.path, 'policies.json')
    for (const [text, detail] of [
      ['{ "UpdatesEnabled": false, }', /JSON/],
      ['["AllowedFolders"]', /holds no object/],
    ] as const) {
      await writeFile(path, text)
      await expect(readPolicies([jsonPlace(path)])).rejects.toMatchObject({
        code: 'policies_unreadable',
        details: { where: path, detail: expect.stringMatching(detail) as string },
      })
    }
  })

  it('that cannot be looked at is not one that is missing', async () => {
    const dir = temporaryDir()
    onTestFinished(dir.remove)
    const path = join(dir.path, 'policies.json')
    for (const missing of [path, join(dir.path, 'none', 'policies.json')])
      expect(await readPolicies([jsonPlace(missing)])).toEqual({ values: {}, sources: {}, problems: [] })
    await mkdir(path)
    await expect(readPolicies([jsonPlace(path)])).rejects.toThrow(/EISDIR/)
    await rm(path, { recursive: true })
    // What a folder without rights is to everybody but root.
    await symlink(path, path)
    await expect(readPolicies([jsonPlace(path)])).rejects.toThrow(/ELOOP/)
  })
})

describe('policies', () => {
  it('lie where administrators of each system expect them', () => {
    expect(placesOf('linux').map(({ where }) => where)).toEqual(['/etc/sheaf/policies.json'])
    expect(placesOf('darwin').map(({ where }) => where.replace(/\/[^/]+(?=\/com\.)/, '/NAME'))).toEqual([
      '/Library/NAME/com.sheaf.desktop.plist',
      '/Library/Managed Preferences/NAME/com.sheaf.desktop.plist',
      '/Library/Application Support/Sheaf/policies.json',
    ])
    const windows = placesOf('win32').map(({ where }) => where)
    expect(windows.slice(0, 2)).toEqual(['HKLM\\Software\\Policies\\Sheaf', 'HKCU\\Software\\Policies\\Sheaf'])
    expect(windows[2]).toMatch(/ProgramData.Sheaf.policies\.json$/)
  })

  it('of the computer count before those of the person, each with the place that it is from', () => {
    const machine = { where: 'HKLM', given: { DailyTokenCap: 5, UpdatesEnabled: 0 } }
    const person = { where: 'HKCU', given: { DailyTokenCap: 9, UpdateChannel: 'beta' } }
    expect(policiesFrom([machine, person])).toEqual({
      values: { DailyTokenCap: 5, UpdatesEnabled: false, UpdateChannel: 'beta' },
      sources: { DailyTokenCap: 'HKLM', UpdatesEnabled: 'HKLM', UpdateChannel: 'HKCU' },
      problems: [],
    })
  })

  it('that are not understood allow nothing where they are lists, and are not in force otherwise', () => {
    const given = {
      AllowedPlatformHosts: ['API.example.com', 'https://api.example.com/', 7],
      AllowedCallbackRoutes: 'none',
      AllowedFolders: ['Documents', '~user/x', '~', '\\\\server\\share'],
      DailyDocumentCap: 0,
      UpdatesEnabled: 'no',
      UpdateUrl: 'http://updates.example.com',
      allowedFolders: [],
      toString: true,
    }
    const { values, problems } = policiesFrom([{ where: 'file', given }])
    expect(values).toEqual({
      AllowedPlatformHosts: ['api.example.com'],
      AllowedCallbackRoutes: [],
      AllowedFolders: ['~', '\\\\server\\share'],
    })
    expect(problems.map(({ name, problem }) => [name, problem])).toEqual([
      ['AllowedPlatformHosts', 'narrowed'],
      ['AllowedCallbackRoutes', 'narrowed'],
      ['AllowedFolders', 'narrowed'],
      ['DailyDocumentCap', 'ignored'],
      ['UpdatesEnabled', 'ignored'],
      ['UpdateUrl', 'ignored'],
      ['allowedFolders', 'unknown'],
      ['toString', 'unknown'],
    ])
  })

  it('name hosts exactly, below a domain, and with a port', () => {
    const hosts = ['api.example.com', '*.office.example', 'models:8080', '[::1]']
    for (const address of [
      'https://api.example.com/v2',
      'https://api.example.com:8443',
      'http://a.b.office.example',
      'http://models:8080',
      'http://[::1]:99',
    ])
      expect([address, isAllowedHost(hosts, address)]).toEqual([address, true])
    for (const address of [
      'https://example.com',
      'https://api.example.com.evil.test',
      'https://evil.test/api.example.com',
      'https://office.example',
      'https://xoffice.example',
      'http://models',
      'http://[::2]',
      '',
    ])
      expect([address, isAllowedHost(hosts, address)]).toEqual([address, false])
    expect(isAllowedHost(undefined, 'https://anywhere.test')).toBe(true)
    expect(isAllowedHost([], 'https://anywhere.test')).toBe(false)
  })

  it('set a daily cap, or the largest that a person may set', () => {
    const settings = { dailyDocumentCap: null, dailyTokenCap: 900 }
    expect(withPolicies({}, settings)).toEqual(settings)
    expect(withPolicies({ DailyDocumentCap: 5, MaximumDailyTokenCap: 100 }, settings)).toEqual({
      dailyDocumentCap: 5,
      dailyTokenCap: 100,
    })
    expect(withPolicies({ MaximumDailyDocumentCap: 20, MaximumDailyTokenCap: 1000 }, settings)).toEqual({
      dailyDocumentCap: 20,
      dailyTokenCap: 900,
    })
    const change = (dailyDocumentCap: number | null) => () =>
      requireAllowedSettings({ MaximumDailyDocumentCap: 20 }, { dailyDocumentCap })
    expect(change(20)).not.toThrow()
    for (const value of [21, null]) expect(change(value)).toThrow(/MaximumDailyDocumentCap/)
    expect(() => requireAllowedSettings({ DailyTokenCap: 7 }, { dailyTokenCap: 7 })).toThrow(/policy=DailyTokenCap/)
  })

  it('tell the updater whether, where and for which versions it looks', () => {
    expect(updateOptions({})).toEqual({ enabled: true, url: null, channel: null })
    const UpdateUrl = 'https://updates.example.com/sheaf'
    expect(updateOptions({ UpdatesEnabled: false, UpdateUrl, UpdateChannel: 'beta' })).toEqual({
      enabled: false,
      url: UpdateUrl,
      channel: 'beta',
    })
  })
})

describe('sheaf policies', () => {
  async function said(text: string, ...args: string[]): Promise<{ code: number; stdout: string; path: string }> {
    const dir = temporaryDir()
    onTestFinished(dir.remove)
    const path = join(dir.path, 'policies.json')
    if (text !== '') await writeFile(path, text)
    let stdout = ''
    const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => ((stdout += String(chunk)), true))
    const code = await policiesCommand(args, [jsonPlace(path)]).finally(() => write.mockRestore())
    return { code, stdout, path }
  }
  const wrong = '{ "AllowedFolders": ["~/Documents"], "UpdatesEnabled": "no", "Telemetry": false }'

  it('prints what is in force, what was not understood, and where each stands', async () => {
    const { code, stdout, path } = await said(wrong)
    expect(code).toBe(1)
    expect(stdout).toMatch(/^AllowedFolders +\["~\/Documents"\] /m)
    expect(stdout).toMatch(/^UpdatesEnabled +not understood, so not in force/m)
    expect(stdout).toMatch(/^Telemetry +Sheaf has no policy of this name/m)
    expect(stdout.split(path)).toHaveLength(4)
  })

  it('prints the same as JSON for programs', async () => {
    const { code, stdout, path } = await said(wrong, '--json')
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toEqual({
      values: { AllowedFolders: ['~/Documents'] },
      sources: { AllowedFolders: path },
      problems: [
        { name: 'UpdatesEnabled', where: path, problem: 'ignored' },
        { name: 'Telemetry', where: path, problem: 'unknown' },
      ],
    })
  })

  it('says where it looked when nothing is set, and that all is well when all is understood', async () => {
    const none = await said('')
    expect(none).toMatchObject({ code: 0, stdout: `No policies are set. Sheaf looks in:\n${none.path}\n` })
    expect(await said('{ "DailyDocumentCap": 3 }')).toMatchObject({ code: 0 })
    await expect(said('{ "DailyDocumentCap": 3')).rejects.toMatchObject({ code: 'policies_unreadable' })
  })
})

describe('the table for administrators', () => {
  it('has every policy that there is, and no other', async () => {
    const page = await readFile(new URL('../../docs/administration.md', import.meta.url), 'utf8')
    const named = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
    expect(named.sort()).toEqual([...policyNames].sort())
  })
})
