import { TextLayer } from 'pdfjs-dist'
import type { PDFDocumentProxy, PDFPageProxy, PageViewport } from 'pdfjs-dist'
import type { TextItem, TextMarkedContent } from 'pdfjs-dist/types/src/display/api'
import { useEffect, useRef, useState } from 'react'
import type { ReactNode, RefObject } from 'react'
import { whenIdle } from '../../client/idle.ts'
import { Paper } from './paper.tsx'
import type { PageSize, PagesProps } from './paper.tsx'
import { drawPage, openPdf, sizeOf, viewportOf } from './pdf.ts'
import { rotateSize } from './rotation.ts'
import { useNear, usePdfPage } from './near-pages.ts'

/** Pages this near to the view are drawn already. */
const drawnAheadPx = 800
/** Letters and marks, thousands of them on a page of figures, which nobody touches before they are seen. */
const touchedAheadPx = 100
/** So many pieces of text are added at once: a page of figures has thousands, which would be felt while typing. */
const atOnce = 50

/** A PDF, page by page, drawn by pdf.js when a page comes near the view; its text can be selected. */
export function PdfPages({ documentId, scale, scroller, onPages, onProblem, marks, rotation }: PagesProps): ReactNode {
  const [opened, setOpened] = useState<{ pdf: PDFDocumentProxy; first: PageSize } | null>(null)
  useEffect(() => {
    const task = openPdf(documentId)
    let closed = false
    async function open(): Promise<void> {
      const pdf = await task.promise
      const first = sizeOf(await pdf.getPage(1))
      if (closed) return
      setOpened({ pdf, first })
    }
    open().catch((error: unknown) => {
      if (!closed) onProblem(error instanceof Error ? error.message : String(error))
    })
    return () => {
      closed = true
      void task.destroy()
    }
  }, [documentId, onProblem])
  useEffect(() => {
    if (opened) onPages(opened.pdf.numPages, rotateSize(opened.first, rotation).width)
  }, [opened, rotation, onPages])
  if (!opened) return null
  return Array.from({ length: opened.pdf.numPages }, (_, index) => (
    <PdfPage
      key={index}
      pdf={opened.pdf}
      number={index + 1}
      guess={opened.first}
      scale={scale}
      rotation={rotation}
      scroller={scroller}
      marks={marks}
    />
  ))
}

type PageProps = {
  pdf: PDFDocumentProxy
  number: number
  guess: PageSize
  scale: number
  scroller: RefObject<HTMLDivElement | null>
} & Pick<PagesProps, 'marks' | 'rotation'>

/**
 * pdf.js stretches every piece of text to its printed width by a transform, and the browser goes through all of those
 * for each frame that anything on the screen changes. Letters further apart are as wide, and cost nothing.
 */
function spaceLetters(layer: HTMLElement, pieces: readonly HTMLElement[]): void {
  // Where a browser has a smallest font size, only a transform makes smaller text.
  if (Number(layer.style.getPropertyValue('--min-font-size')) > 1) return
  const upright = pieces.filter(
    ({ style, textContent }) => style.getPropertyValue('--rotate') === '' && textContent !== '',
  )
  const widths = upright.map(({ offsetWidth }) => offsetWidth)
  upright.forEach(({ style, textContent }, index) => {
    const stretch = Number(style.getPropertyValue('--scale-x') || 1)
    style.letterSpacing = `${(widths[index]! * (stretch - 1)) / textContent.length}px`
    style.transform = 'none'
  })
}

/**
 * The letters of a page over its drawing, to be selected: some of them whenever the window has nothing else to do, each
 * part in an element of its own, so that the browser does not go through all of them for each that is added. Resolves
 * with whether all are there.
 */
async function writeLetters(
  page: PDFPageProxy,
  layer: HTMLElement,
  viewport: PageViewport,
  isLeft: () => boolean,
): Promise<boolean> {
  const { items, ...rest } = await page.getTextContent()
  let from = 0
  while (from < items.length) {
    let end = from + atOnce
    // Not within a line, which would be broken where it is copied.
    while (end < items.length && !isLineEnd(items[end - 1]!)) end += 1
    await new Promise<void>((resolve) => whenIdle(resolve))
    const part = document.createElement('div')
    part.className = 'textLayer'
    part.style.setProperty('--total-scale-factor', String(viewport.scale))
    const text = new TextLayer({
      textContentSource: { items: items.slice(from, end), ...rest },
      container: part,
      viewport,
    })
    await text.render()
    if (isLeft()) return false
    layer.append(part)
    spaceLetters(part, text.textDivs)
    from = end
  }
  return !isLeft()
}

function isLineEnd(item: TextItem | TextMarkedContent): boolean {
  return 'hasEOL' in item && item.hasEOL
}

function PdfPage({ pdf, number, guess, scale, rotation, scroller, marks }: PageProps): ReactNode {
  const frame = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const text = useRef<HTMLDivElement>(null)
  /** How large and how turned its letters are there; null as long as they are not. */
  const written = useRef<string | null>(null)
  const near = useNear(frame, scroller, drawnAheadPx)
  const touched = useNear(frame, scroller, touchedAheadPx)
  const page = usePdfPage(pdf, number, near)
  useEffect(() => {
    const target = canvas.current
    if (!near || !page || !target) return
    return drawPage(page, viewportOf(page, scale, rotation), target)
  }, [near, page, scale, rotation])
  useEffect(() => {
    const layer = text.current
    if (!touched || !page || !layer) return
    const wanted = `${scale} ${rotation}`
    // Existing text stays: somebody may have selected a part of it.
    if (written.current === wanted) return
    const viewport = viewportOf(page, scale, rotation)
    written.current = null
    layer.replaceChildren()
    let left = false
    writeLetters(page, layer, viewport, () => left)
      .then((isWhole) => {
        if (isWhole) written.current = wanted
      })
      .catch(() => undefined)
    return () => {
      left = true
    }
  }, [touched, page, scale, rotation])
  return (
    <div ref={frame}>
      <Paper number={number} size={rotateSize(page ? sizeOf(page) : guess, rotation)} scale={scale}>
        <canvas ref={canvas} className="paper__canvas" aria-hidden="true" />
        <div ref={text} className="paper__letters" />
        {touched && marks(number)}
      </Paper>
    </div>
  )
}
