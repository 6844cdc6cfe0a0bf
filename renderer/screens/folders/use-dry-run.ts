import { useEffect, useRef, useState } from 'react'
import type { CallInput } from '../../../shared/contract/contract.ts'
import type { DryRun } from '../../../shared/contract/folders.ts'
import { call } from '../../client/client.ts'

/** What a dry run is about: a folder as it is watched, or as it would be. */
export type DryRunTarget = Omit<CallInput<'folders.dryRun'>, 'token'>

export type DryRunState =
  | { kind: 'idle' }
  | { kind: 'running'; token: string }
  | { kind: 'stopped' }
  | { kind: 'finished'; result: DryRun }
  | { kind: 'failed'; error: unknown }

/**
 * A dry run of a folder: started and stopped by a person, and stopped when the screen closes. With another target it is
 * idle again. Does nothing while there is no target.
 */
export function useDryRun(target: DryRunTarget | null): { state: DryRunState; start: () => void; stop: () => void } {
  const key = JSON.stringify(target)
  const [latest, setLatest] = useState<{ key: string; state: DryRunState }>({ key, state: { kind: 'idle' } })
  const running = useRef<string | null>(null)

  const stop = (): void => {
    if (running.current !== null) void call('folders.stopDryRun', { token: running.current }).catch(() => undefined)
  }
  useEffect(() => stop, [key])

  function start(): void {
    if (target === null) return
    const token = crypto.randomUUID()
    running.current = token
    setLatest({ key, state: { kind: 'running', token } })
    const finish = (state: DryRunState): void => {
      if (running.current !== token) return
      running.current = null
      setLatest({ key, state })
    }
    call('folders.dryRun', { ...target, token }).then(
      ({ result }) => finish(result === null ? { kind: 'stopped' } : { kind: 'finished', result }),
      (error: unknown) => finish({ kind: 'failed', error }),
    )
  }

  return { state: latest.key === key ? latest.state : { kind: 'idle' }, start, stop }
}
