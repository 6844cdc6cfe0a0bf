import { useEffect, useMemo, useState } from 'react'

/** How long what a person types must stay unchanged before core is asked about it. */
export const typingMs = 400

/** The value (anything that JSON can hold) as it last was for `delayMs` without a change; until then `first`. */
export function useDebounced<T>(value: T, delayMs: number, first: T = value): T {
  const text = JSON.stringify(value)
  const [settled, setSettled] = useState(() => JSON.stringify(first))
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), delayMs)
    return () => clearTimeout(timer)
  }, [text, delayMs])
  return useMemo(() => JSON.parse(settled) as T, [settled])
}
