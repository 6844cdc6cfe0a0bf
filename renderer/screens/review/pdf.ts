import { GlobalWorkerOptions, getDocument } from 'pdfjs-dist'
import type { PDFDocumentLoadingTask, PDFPageProxy, PageViewport } from 'pdfjs-dist'
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url'
import { fileUrl } from '../../client/files.ts'
import { sessionHeaders } from '../../client/session.ts'
import type { PageSize } from './paper.tsx'
import type { Rotation } from './rotation.ts'

/** PDFs by pdf.js, wherever pages are shown. It is large: who may do without it imports this late. */

GlobalWorkerOptions.workerSrc = workerUrl

/** PDF points to CSS pixels: 96 pixels and 72 points to the inch. */
const pixelsPerPoint = 96 / 72
/** A canvas larger than this is drawn coarser, since browsers give up on it. */
const maxPixels = 16_000_000

/** Begins to open the file of a document; `destroy` ends that, and gives free what is open. */
export function openPdf(documentId: number): PDFDocumentLoadingTask {
  const resources = (folder: string): string => new URL(`pdfjs/${folder}/`, document.baseURI).href
  return getDocument({
    url: fileUrl(documentId),
    httpHeaders: sessionHeaders(),
    cMapUrl: resources('cmaps'),
    standardFontDataUrl: resources('standard_fonts'),
    wasmUrl: resources('wasm'),
    useWasm: false,
    // Documents are hostile: no forms that run scripts.
    enableXfa: false,
  })
}

/** The size of a page as it is shown when nobody turned it. */
export function sizeOf(page: PDFPageProxy): PageSize {
  const { width, height } = page.getViewport({ scale: pixelsPerPoint })
  return { width, height }
}

export function viewportOf(page: PDFPageProxy, scale: number, rotation: Rotation): PageViewport {
  return page.getViewport({ scale: scale * pixelsPerPoint, rotation: (page.rotate + rotation) % 360 })
}

/** Draws a page; a canvas that is drawn says so in `data-drawn`. Returns a function that ends it. */
export function drawPage(page: PDFPageProxy, viewport: PageViewport, target: HTMLCanvasElement): () => void {
  const density = Math.min(devicePixelRatio || 1, Math.sqrt(maxPixels / (viewport.width * viewport.height)))
  // Drawn aside and then shown at once, so that zooming does not flash white.
  const drawn = document.createElement('canvas')
  drawn.width = Math.floor(viewport.width * density)
  drawn.height = Math.floor(viewport.height * density)
  const task = page.render({ canvas: drawn, viewport, transform: [density, 0, 0, density, 0, 0] })
  let left = false
  task.promise
    .then(() => createImageBitmap(drawn))
    .then((picture) => {
      if (left) return picture.close()
      target.width = drawn.width
      target.height = drawn.height
      target.getContext('bitmaprenderer')?.transferFromImageBitmap(picture)
      target.dataset.drawn = 'true'
    })
    .catch(() => undefined)
  return () => {
    left = true
    task.cancel()
  }
}
