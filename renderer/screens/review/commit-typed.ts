import { useEffect } from 'react'
import type { RefObject } from 'react'
import { flushSync } from 'react-dom'
import { beforeLeaving } from '../../client/route.ts'
import { isAllStored } from './outbox.ts'

/** Puts what is being typed in its place. False: something cannot stand there, and has the focus. */
export function commitTyped(root: HTMLElement | null): boolean {
  const typing = document.activeElement
  // Leaving a field stores it; what it says about that is there before anything else goes on.
  if (typing instanceof HTMLElement && root?.contains(typing)) flushSync(() => typing.blur())
  const wrong = root?.querySelector<HTMLElement>('[aria-invalid]') ?? null
  wrong?.focus()
  return wrong === null
}

/** Whatever leads away from a document comes after what is typed in it: a link, the way back, the end of the window. */
export function useCommitBeforeLeaving(root: RefObject<HTMLElement | null>, asksBeforeUnload: boolean): void {
  useEffect(() => {
    const onBeforeUnload = (event: BeforeUnloadEvent): void => {
      const canStand = commitTyped(root.current)
      // On its way to core it may be lost. The desktop window has no such question: it would stay open without a word.
      if (asksBeforeUnload && !(canStand && isAllStored())) event.preventDefault()
    }
    const stop = beforeLeaving(() => commitTyped(root.current))
    addEventListener('beforeunload', onBeforeUnload)
    return () => {
      stop()
      removeEventListener('beforeunload', onBeforeUnload)
    }
  }, [root, asksBeforeUnload])
}
