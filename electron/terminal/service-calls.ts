import { join } from 'node:path'
import type { ControlCallName, ControlInput, ControlOutput } from '../../shared/service-control.ts'
import { callService } from '../core/platform/service-control.ts'
import { entryPath } from '../entries.ts'
import { dataDirOf } from '../host.ts'
import { ServiceStarter } from '../service/start.ts'
import { wrong } from './arguments.ts'
import type { Values } from './arguments.ts'

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
  if (first === undefined || others.length > 0) throw wrong(what)
  return first
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

/** The text of an option; undefined when it is not given. */
export function textOf(values: Values, name: string): string | undefined {
  const value = values[name]
  return typeof value === 'string' ? value : undefined
}

/** What a command says: for people, or one JSON value for machines. */
export function say(json: boolean, value: unknown, forPeople: string): void {
  process.stdout.write(`${json ? JSON.stringify(value) : forPeople}\n`)
}
