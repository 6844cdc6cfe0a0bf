import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist'
import { useEffect, useState } from 'react'
import type { RefObject } from 'react'

/** Whether an element is in the view of what scrolls it, or so near above or below. */
export function useNear(
  element: RefObject<HTMLElement | null>,
  scroller: RefObject<HTMLElement | null>,
  px: number,
): boolean {
  const [near, setNear] = useState(false)
  useEffect(() => {
    if (!element.current) return
    const observer = new IntersectionObserver(([entry]) => setNear(entry?.isIntersecting ?? false), {
      root: scroller.current,
      rootMargin: `${px}px`,
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element, scroller, px])
  return near
}

/** A page of a PDF, once it came near the view. One that cannot be read stays null: the others are still there. */
export function usePdfPage(pdf: PDFDocumentProxy | null, number: number, near: boolean): PDFPageProxy | null {
  const [page, setPage] = useState<PDFPageProxy | null>(null)
  useEffect(() => {
    if (!near || page || !pdf) return
    let left = false
    pdf
      .getPage(number)
      .then((read) => !left && setPage(read))
      .catch(() => undefined)
    return () => {
      left = true
    }
  }, [near, number, page, pdf])
  return page
}
