import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import type { AppError } from '../../shared/errors.ts'
import type { ControlCallName, ControlInput, ControlOutput } from '../../shared/service-control.ts'
import { callService } from '../core/platform/service-control.ts'
import { entryPath } from '../entries.ts'
import { dataDirOf } from '../host.ts'
import { ServiceStarter } from '../service/start.ts'
import { wrong } from './arguments.ts'
import type { Options, Values } from './arguments.ts'
import { printable } from './report.ts'

/** Calls the management of the service on this computer (shared/service-control.ts). */
export type CallService = <N extends ControlCallName>(name: N, input: ControlInput<N>) => Promise<ControlOutput<N>>

/** Does `work` with the service that runs with the data folder, or with one that is started for it and stopped after it. */
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
export function onlyOne(positionals: string[], what: string): string {
  const [first, ...others] = positionals
  if (first === undefined || first.trim() === '' || others.length > 0) throw wrong(what)
  return first
}

/** What to say when nothing that is understood follows `sheaf GROUP`. */
export function unknownCommand(group: string, given: string | undefined, known: string): AppError {
  const named = given === undefined ? '' : `There is no «sheaf ${group} ${given}». `
  return wrong(`${named}Say what to do: sheaf ${group} ${known}\nsheaf ${group} --help explains them.`)
}

/** The options of a command that takes something away. */
export const removing: Options = { yes: { type: 'boolean', default: false } }

/** Asks the person at the terminal, unless `--yes` is given; a program is not asked. True when it shall be done. */
export async function isMeant(values: Values, question: string): Promise<boolean> {
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
export function known<T extends { id: string }>(rows: readonly T[], id: string, what: string): T {
  const row = rows.find((each) => each.id === id)
  if (row === undefined) throw wrong(`There is no ${what} with the ID «${id}». IDs stand in the first column of: sheaf access list`)
  return row
}

/** Says on stderr that a name is there already: allowed, but seldom meant. */
export function noteSameName(what: string, name: string, others: readonly { name: string }[]): void {
  if (others.some((other) => other.name === name.trim())) process.stderr.write(`${printable(`Note: there is another ${what} called «${name.trim()}».`)}\n`)
}

/** Refuses positional arguments where none is understood. */
export function none(positionals: string[], what: string): void {
  if (positionals.length > 0) throw wrong(`What is «${positionals[0]}»? ${what}`)
}

/** The value of `--name yes|no`; undefined when it is not given. Throws `usage`. */
export function yesOrNo(values: Values, name: string): boolean | undefined {
  const value = values[name]
  if (value === undefined) return undefined
  if (value !== 'yes' && value !== 'no') throw wrong(`--${name} is yes or no, not «${String(value)}»`)
  return value === 'yes'
}

/** The text of an option; undefined when it is not given. Throws `usage` for an empty one. */
export function textOf(values: Values, name: string): string | undefined {
  const value = values[name]
  if (typeof value === 'string' && value.trim() === '') throw wrong(`--${name} is empty; give it a value or leave it out`)
  return typeof value === 'string' ? value : undefined
}

/** What a command says: for people, or one JSON value for machines. */
export function say(json: boolean, value: unknown, forPeople: string): void {
  process.stdout.write(`${json ? JSON.stringify(value) : forPeople}\n`)
}
