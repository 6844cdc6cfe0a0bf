import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import type { CallInput, CallName, CallOutput } from '../../../shared/contract/contract.ts'
import { launcherMemory, testProgram } from '../../helpers/built.ts'
import type { ChildPlan, Reply, Request } from './protocol.ts'

/** A running program with the real core. */
export class Program {
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()
  #calls = 0
  #said = ''
  /** Resolves when it has ended, however: `killed` by SIGKILL, or what it said. */
  readonly ended: Promise<{ killed: boolean; said: string }>
  readonly ready: Promise<void>

  constructor(plan: ChildPlan) {
    this.#child = fork(testProgram('harness'), [JSON.stringify(plan)], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      execArgv: launcherMemory,
    })
    const hear = (data: Buffer): void => void (this.#said += data.toString())
    this.#child.stdout!.on('data', hear)
    this.#child.stderr!.on('data', hear)
    this.ended = new Promise((resolve) => {
      this.#child.on('exit', (_code, signal) => {
        for (const { reject } of this.#waiting.values()) reject(new Error('the program ended'))
        resolve({ killed: signal === 'SIGKILL', said: this.#said })
      })
    })
    this.ready = new Promise((resolve, reject) => {
      this.#child.on('message', (reply: Reply) => {
        if (reply.id === 'ready') resolve()
        else if (reply.id === 'failed') reject(new Error(reply.error))
        else this.#settle(reply)
      })
      void this.ended.then(({ said }) => reject(new Error(`ended before it was ready: ${said}`)))
    })
    // Who does not wait for it learns of its end from `ended`.
    this.ready.catch(() => undefined)
  }

  get pid(): number {
    return this.#child.pid!
  }

  call<N extends CallName>(name: N, input: CallInput<N>): Promise<CallOutput<N>> {
    return this.#ask(name, input) as Promise<CallOutput<N>>
  }

  run(): Promise<unknown> {
    return this.#ask('harness.run', {})
  }

  storm(): Promise<unknown> {
    return this.#ask('harness.storm', {})
  }

  async stop(): Promise<void> {
    await this.#ask('harness.stop', {})
    await this.ended
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.ended
  }

  #ask(call: Request['call'], input: unknown): Promise<unknown> {
    const id = ++this.#calls
    const answer = new Promise<unknown>((resolve, reject) => this.#waiting.set(id, { resolve, reject }))
    // A program that was just killed hears nothing any more.
    this.#child.send({ id, call, input }, () => undefined)
    return answer
  }

  #settle(reply: Exclude<Reply, { id: 'ready' | 'failed' }>): void {
    const waiting = this.#waiting.get(reply.id as number)
    this.#waiting.delete(reply.id as number)
    if ('error' in reply && reply.error !== undefined) waiting?.reject(new Error(reply.error))
    else waiting?.resolve('value' in reply ? reply.value : undefined)
  }
}
