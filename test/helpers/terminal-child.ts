import type { Run } from './sheaf.ts'
import type { Asked } from './terminal.ts'

/**
 * Runs the commands that it is told, one after the other, as `sheaf` would in a process of each. Its arguments: the
 * address of the built terminal.
 */
const { main } = (await import(process.argv[2]!)) as { main: (argv: string[]) => Promise<number> }

/** What is written until `work` is over goes into the run instead. */
async function heard(work: () => Promise<number>): Promise<Run> {
  const run: Run = { code: null, stdout: '', stderr: '' }
  const streams = (['stdout', 'stderr'] as const).map((name) => {
    const { write } = process[name]
    process[name].write = ((chunk: string | Uint8Array): boolean => {
      run[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
      return true
    }) as typeof write
    return () => (process[name].write = write)
  })
  const listeners = process.stdout.listeners('error')
  try {
    run.code = await work()
  } finally {
    for (const giveBack of streams) giveBack()
    // Each command listens, in a process that it has for itself.
    for (const listener of process.stdout.listeners('error'))
      if (!listeners.includes(listener)) process.stdout.off('error', listener as () => void)
  }
  return run
}

process.on('message', ({ id, args }: Asked) => {
  void heard(() => main(args)).then((run) => process.send!({ id, run }))
})
