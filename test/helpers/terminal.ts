import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Run } from './sheaf.ts'

export type Asked = { id: number; args: string[] }
type Answered = { id: number; run: Run }

export type Terminal = { run: (...args: string[]) => Promise<Run>; close: () => void }

/**
 * One process for many commands of `sheaf`: starting takes thirty times as long as most of them. What the launcher does
 * is tested with `startSheaf`. Commands are run one after the other.
 */
export function openTerminal(environment: Record<string, string>, cwd: string): Terminal {
  const child = fork(
    fileURLToPath(new URL('terminal-child.ts', import.meta.url)),
    [new URL('../../dist/cli.mjs', import.meta.url).href],
    { cwd, env: { ...process.env, LC_ALL: 'C', ...environment }, execArgv: ['--experimental-strip-types'] },
  )
  const waiting = new Map<number, PromiseWithResolvers<Run>>()
  let asked = 0
  child.on('message', ({ id, run }: Answered) => {
    waiting.get(id)?.resolve(run)
    waiting.delete(id)
  })
  child.on('exit', (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`the terminal ended with ${code}`))
  })
  let last: Promise<unknown> = Promise.resolve()
  const ask = (args: string[]): Promise<Run> => {
    const run = Promise.withResolvers<Run>()
    const id = ++asked
    waiting.set(id, run)
    child.send({ id, args } satisfies Asked)
    return run.promise
  }
  return {
    run: (...args) => {
      const next = last.then(() => ask(args))
      last = next.catch(() => undefined)
      return next
    },
    close: () => child.kill(),
  }
}
