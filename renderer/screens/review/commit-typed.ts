import { useEffect } from 'react'
import type { RefObject } from 'react'
import { flushSync } from 'react-dom'
import { beforeLeaving } from '../../client/route.ts'
import { isAllStored } from './outbox.ts'

/** Commits what is being typed. False: something is not valid, and has the focus. */
export function commitTyped(root: HTMLElement | null): boolean {
  const typing = document.activeElement
  // Leaving a field commits it; flushed, so that its problem, if any, is rendered before anything else.
  if (typing instanceof HTMLElement && root?.contains(typing)) flushSync(() => typing.blur())
  const wrong = root?.querySelector<HTMLElement>('[aria-invalid]') ?? null
  wrong?.focus()
  return wrong === null
}

/** Commits what is typed before anything leads away from the document: a link, going back, closing the window. */
export function useCommitBeforeLeaving(root: RefObject<HTMLElement | null>, asksBeforeUnload: boolean): void {
  useEffect(() => {
    const onBeforeUnload = (event: BeforeUnloadEvent): void => {
      const canStand = commitTyped(root.current)
      // What is on its way to core may be lost, so the browser asks. The desktop window cannot ask: it would silently
      // stay open.
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
