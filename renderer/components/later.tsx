import { lazy, useEffect, useState } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { Broken } from './broken.tsx'

/** By then the first screen is there, and nobody has left it yet. */
const restMs = 1000

const loads: (() => Promise<unknown>)[] = []

/** A screen that is loaded when it is first looked at, or a moment after the first one: that one does not wait for the others. */
export function later<P extends object>(load: () => Promise<ComponentType<P>>): (props: P) => ReactNode {
  let loaded: ComponentType<P> | null = null
  const loadOnce = async (): Promise<ComponentType<P>> => (loaded ??= await load())
  loads.push(loadOnce)
  const loadOrSay = (): Promise<ComponentType<P>> => loadOnce().catch((error: unknown) => () => <Broken error={error} onRetry={() => location.reload()} />)
  const Awaited = lazy(async () => ({ default: await loadOrSay() }))
  return function Later(props) {
    // What is there is drawn at once, and what was waited for stays what it is.
    const [Screen] = useState<ComponentType<P>>(() => loaded ?? (Awaited as unknown as ComponentType<P>))
    return <Screen {...props} />
  }
}

/** Loads all that come later, so that going there takes no time, also when the host is away by then. */
export function useLaterScreens(): void {
  useEffect(() => {
    // What cannot be loaded now is tried again when it is looked at.
    const timer = setTimeout(() => loads.forEach((load) => void load().catch(() => undefined)), restMs)
    return () => clearTimeout(timer)
  }, [])
}
