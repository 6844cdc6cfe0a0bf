import { useEffect, useMemo, useState } from 'react'

/** The value (anything that JSON can hold) as it last was for `delayMs` without a change; at first the one given. */
export function useDebounced<T>(value: T, delayMs: number): T {
  const text = JSON.stringify(value)
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), delayMs)
    return () => clearTimeout(timer)
  }, [text, delayMs])
  return useMemo(() => JSON.parse(settled) as T, [settled])
}
