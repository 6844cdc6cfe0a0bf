import { lazy, useEffect, useState } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { Broken } from './broken.tsx'

/** Who has touched nothing for so long does not notice that something is loaded. */
const idleMs = 1000
/** Between two that are loaded without a touch. */
const pauseMs = 50
const touches = ['pointerdown', 'pointermove', 'wheel', 'keydown', 'scroll'] as const

const loads: (() => Promise<unknown>)[] = []

/**
 * A screen that is loaded when it is first looked at, or before that while nobody touches anything: the first one does
 * not wait for the others.
 */
export function lazyScreen<P extends object>(load: () => Promise<ComponentType<P>>): (props: P) => ReactNode {
  let loaded: ComponentType<P> | null = null
  const loadOnce = async (): Promise<ComponentType<P>> => (loaded ??= await load())
  loads.push(loadOnce)
  const loadOrExplain = (): Promise<ComponentType<P>> =>
    loadOnce().catch((error: unknown) => () => <Broken error={error} onRetry={() => location.reload()} />)
  const Lazy = lazy(async () => ({ default: await loadOrExplain() }))
  return function LazyScreen(props) {
    // What is there is drawn at once, and what was waited for stays what it is.
    const [Screen] = useState<ComponentType<P>>(() => loaded ?? (Lazy as unknown as ComponentType<P>))
    return <Screen {...props} />
  }
}

/**
 * Loads all that come later, one by one while nobody touches anything, so that going there takes no time, also when the
 * host is away by then.
 */
export function usePreloadedScreens(): void {
  useEffect(() => {
    const left = [...loads]
    let timer: ReturnType<typeof setTimeout>
    const rest = (): void => {
      clearTimeout(timer)
      timer = setTimeout(next, idleMs)
    }
    const stop = (): void => {
      clearTimeout(timer)
      left.length = 0
      for (const touch of touches) removeEventListener(touch, rest, true)
    }
    const next = (): void => {
      const load = left.shift()
      if (load === undefined) return stop()
      timer = setTimeout(next, pauseMs)
      // What cannot be loaded now is tried again when it is looked at.
      void load().catch(() => undefined)
    }
    for (const touch of touches) addEventListener(touch, rest, { capture: true, passive: true })
    rest()
    return stop
  }, [])
}
