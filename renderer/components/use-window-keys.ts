import { useEffectEvent, useLayoutEffect } from 'react'

/**
 * Calls `onKeyDown` with each key that is pressed anywhere in the window while the component is shown, from its first
 * paint on. `capture`: before the focused element hears it.
 */
export function useWindowKeys(onKeyDown: (event: KeyboardEvent) => void, capture = false): void {
  const onKey = useEffectEvent(onKeyDown)
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent): void => onKey(event)
    addEventListener('keydown', listener, capture)
    return () => removeEventListener('keydown', listener, capture)
  }, [capture])
}
