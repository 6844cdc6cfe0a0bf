import { lazy, useEffect, useState } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { Broken } from './broken.tsx'

/** After this long without input nobody notices that something is loaded. */
const idleMs = 1000
/** Between two screens that are loaded in the background. */
const pauseMs = 50
const touches = ['pointerdown', 'pointermove', 'wheel', 'keydown', 'scroll'] as const

const loads: (() => Promise<unknown>)[] = []

/** A part that is loaded when it is first shown; where it cannot be, as after an update, it says so. */
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const loadOrExplain = (): Promise<ComponentType<P>> =>
    load().catch((error: unknown) => () => <Broken error={error} onRetry={() => location.reload()} />)
  return lazy(async () => ({ default: await loadOrExplain() })) as unknown as ComponentType<P>
}

/**
 * A screen that is loaded when it is first shown, or earlier while there is no input, so that the first screen does not
 * wait for the others.
 */
export function lazyScreen<P extends object>(load: () => Promise<ComponentType<P>>): (props: P) => ReactNode {
  let loaded: ComponentType<P> | null = null
  const loadOnce = async (): Promise<ComponentType<P>> => (loaded ??= await load())
  loads.push(loadOnce)
  const Lazy = lazyPart(loadOnce)
  return function LazyScreen(props) {
    // A loaded screen renders without suspending; one that had to be awaited stays mounted as it is.
    const [Screen] = useState<ComponentType<P>>(() => loaded ?? (Lazy as unknown as ComponentType<P>))
    return <Screen {...props} />
  }
}

/**
 * Loads the other screens one by one while there is no input, so that opening one takes no time, even when the host is
 * gone by then.
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
      // A screen that cannot be loaded now is tried again when it is shown.
      void load().catch(() => undefined)
    }
    for (const touch of touches) addEventListener(touch, rest, { capture: true, passive: true })
    rest()
    return stop
  }, [])
}
