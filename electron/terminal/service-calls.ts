import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import type { ControlCallName, ControlInput, ControlOutput } from '../../shared/wire/service-control.ts'
import { callService } from '../core/platform/service-control.ts'
import { entryPath } from '../entries.ts'
import { dataDirOf } from '../data-dir.ts'
import { ServiceStarter } from '../service/starter.ts'
import { parse, usageError } from './arguments.ts'
import type { Options, Values } from './arguments.ts'
import { printable } from './format.ts'

/** Calls the management of the service on this computer (shared/wire/service-control.ts). */
export type CallService = <N extends ControlCallName>(name: N, input: ControlInput<N>) => Promise<ControlOutput<N>>

/**
 * Does `work` with the service that runs with the data folder, or with one that is started for it and stopped after it.
 */
export async function withService<T>(work: (call: CallService) => Promise<T>): Promise<T> {
  const starter = new ServiceStarter({
    entry: entryPath('service'),
    worker: entryPath('service-worker'),
    dataDir: join(dataDirOf(process.env), 'service'),
    allowPrivateCallbacks: false,
  })
  try {
    const { control } = await starter.start()
    return await work((name, input) => callService(control, name, input))
  } finally {
    await starter.stop()
  }
}

/** Exactly one positional argument; `what` says which. Throws `usage`. */
export function onePositional(positionals: string[], what: string): string {
  const [first, ...others] = positionals
  if (first === undefined || first.trim() === '' || others.length > 0) throw usageError(what)
  return first
}

/**
 * One word after `sheaf GROUP`: the options that it understands, and what it does; its exit code where that is not 0.
 */
export type Command = { options: Options; run: (given: Given) => Promise<number | void> }
export type Given = { values: Values; positionals: string[]; asJson: boolean }

/** Runs the command that `argv` names and returns its exit code. Throws `usage` where there is none of that name. */
export async function runCommand(
  group: string,
  commands: Record<string, Command>,
  argv: string[],
  known = Object.keys(commands).join(' | '),
): Promise<number> {
  const [name, ...rest] = argv
  const command = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) {
    const problem = name === undefined ? '' : `There is no «sheaf ${group} ${name}». `
    throw usageError(`${problem}Say what to do: sheaf ${group} ${known}\nsheaf ${group} --help explains them.`)
  }
  const given = parse(rest, command.options)
  return (await command.run({ ...given, asJson: given.values['json'] === true })) ?? 0
}

/** The options of a command that prints JSON for programs. */
export const jsonOption = { json: { type: 'boolean', default: false } } as const satisfies Options

/** The options of a command that takes something away. */
export const confirmOptions: Options = { yes: { type: 'boolean', default: false } }

/** Asks the person at the terminal, unless `--yes` is given; a program is not asked. True when it shall be done. */
export async function confirm(values: Values, question: string): Promise<boolean> {
  if (values['yes'] === true || !process.stdin.isTTY || !process.stderr.isTTY) return true
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await new Promise<string>((resolve) => {
    // Ctrl-C or Ctrl-D instead of an answer.
    lines.on('close', () => resolve(''))
    lines.question(`${printable(question)} [y/N] `).then(resolve, () => resolve(''))
  })
  lines.close()
  return /^y(es)?$/i.test(answer.trim())
}

/** The one with this id; throws `usage` with where ids stand. */
export function findById<T extends { id: string }>(rows: readonly T[], id: string, what: string): T {
  const row = rows.find((each) => each.id === id)
  if (row === undefined)
    throw usageError(`There is no ${what} with the ID «${id}». IDs stand in the first column of: sheaf access list`)
  return row
}

/** Says on stderr that a name is there already: allowed, but seldom meant. */
export function warnSameName(what: string, name: string, others: readonly { name: string }[]): void {
  if (others.some((other) => other.name === name.trim()))
    process.stderr.write(`${printable(`Note: there is another ${what} called «${name.trim()}».`)}\n`)
}

/** Refuses positional arguments where none is understood. */
export function refusePositionals(positionals: string[], what: string): void {
  if (positionals.length > 0) throw usageError(`What is «${positionals[0]}»? ${what}`)
}

/** The value of `--name yes|no`; undefined when it is not given. Throws `usage`. */
export function booleanOption(values: Values, name: string): boolean | undefined {
  const value = values[name]
  if (value === undefined) return undefined
  if (value !== 'yes' && value !== 'no') throw usageError(`--${name} is yes or no, not «${String(value)}»`)
  return value === 'yes'
}

/** The text of an option; undefined when it is not given. Throws `usage` for an empty one. */
export function textOption(values: Values, name: string): string | undefined {
  const value = values[name]
  if (typeof value === 'string' && value.trim() === '')
    throw usageError(`--${name} is empty; give it a value or leave it out`)
  return typeof value === 'string' ? value : undefined
}

/** What a command says: for people, or one JSON value for machines. */
export function print(json: boolean, value: unknown, forPeople: string): void {
  process.stdout.write(`${json ? JSON.stringify(value) : forPeople}\n`)
}
