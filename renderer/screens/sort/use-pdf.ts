import type { PDFDocumentProxy } from 'pdfjs-dist'
import { useEffect, useState } from 'react'
import type * as Drawing from '../review/pdf.ts'

/** A PDF, and what its pages are drawn with. */
export type OpenedPdf = { pdf: PDFDocumentProxy } & Pick<typeof Drawing, 'drawPage' | 'sizeOf' | 'viewportOf'>

/** The file of a document, once it is open; `problem`: why it cannot be. */
export function usePdf(documentId: number): { opened: OpenedPdf | null; problem: string | null } {
  const [state, setState] = useState<{ opened: OpenedPdf | null; problem: string | null }>({
    opened: null,
    problem: null,
  })
  useEffect(() => {
    let isClosed = false
    let close = (): void => undefined
    async function open(): Promise<void> {
      const { openPdf, ...drawing } = await import('../review/pdf.ts')
      if (isClosed) return
      const task = openPdf(documentId)
      close = () => void task.destroy()
      const pdf = await task.promise
      if (!isClosed) setState({ opened: { pdf, ...drawing }, problem: null })
    }
    open().catch((error: unknown) => {
      if (!isClosed) setState({ opened: null, problem: error instanceof Error ? error.message : String(error) })
    })
    return () => {
      isClosed = true
      close()
    }
  }, [documentId])
  return state
}
