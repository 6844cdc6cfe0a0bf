import { useEffect, useRef, useState } from 'react'
import type { CallInput } from '../../../shared/contract.ts'
import type { Look } from '../../../shared/contract-folders.ts'
import { call } from '../../client/client.ts'

/** What is looked into: a folder as it is watched, or as it would be. */
export type LookPlace = Omit<CallInput<'folders.look'>, 'token'>

export type LookState = { kind: 'none' } | { kind: 'running'; token: string } | { kind: 'stopped' } | { kind: 'seen'; look: Look } | { kind: 'problem'; error: unknown }

/** A look into a folder: begun and stopped by a person, and ended with the screen. What it saw of another place counts no more. */
export function useLook(place: LookPlace | null): { state: LookState; start: () => void; stop: () => void } {
  const key = JSON.stringify(place)
  const [kept, setKept] = useState<{ key: string; state: LookState }>({ key, state: { kind: 'none' } })
  const running = useRef<string | null>(null)

  const end = (): void => {
    if (running.current !== null) void call('folders.stopLook', { token: running.current }).catch(() => undefined)
  }
  useEffect(() => end, [key])

  function start(): void {
    if (place === null) return
    const token = crypto.randomUUID()
    running.current = token
    setKept({ key, state: { kind: 'running', token } })
    const tell = (state: LookState): void => {
      if (running.current !== token) return
      running.current = null
      setKept({ key, state })
    }
    call('folders.look', { ...place, token }).then(
      ({ look }) => tell(look === null ? { kind: 'stopped' } : { kind: 'seen', look }),
      (error: unknown) => tell({ kind: 'problem', error }),
    )
  }

  return { state: kept.key === key ? kept.state : { kind: 'none' }, start, stop: end }
}
