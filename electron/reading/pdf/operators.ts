import type { PDFPageProxy } from 'pdfjs-dist'
import { AppError } from '../../../shared/domain/errors.ts'
import type { OperatorList } from './glyphs.ts'

// pdf.js AnnotationMode.ENABLE_FORMS: stamps and typed notes are painted, form fields are left to `formWords`
const annotationsWithoutFields = 2

/**
 * Each operation takes up to 17 µs and 2.2 KB while its page is read, so this many 2.5 s and 330 MB. A page that is
 * full of small type has 30,000.
 */
export const maxPageOperations = 150_000
/** To draw one takes 20 µs and 5 KB more. A page whose letters were turned into outlines has 10,000. */
export const maxDrawnOperations = 75_000
/** 4,000 on each of 500 pages: 34 s. */
export const maxDocumentOperations = 2_000_000

export function tooManyOperations(operations: number, maxOperations: number): AppError {
  const detail = `more than ${maxOperations} operations`
  return new AppError('file_too_complex', { operations, maxOperations, detail })
}

/** How pdf.js takes what it parsed of a page, a thousand operations at a time. */
type Chunks = { _renderPageChunk: (chunk: { length: number }, intent: unknown) => void }

/**
 * What a page draws. pdf.js has no limit and could not be stopped from outside, so operations are counted as they come;
 * throws AppError `file_too_complex` above `max` of them, and the document has to be closed then.
 */
export function operatorsOf(page: PDFPageProxy, max: number): Promise<OperatorList> {
  const chunks = page as unknown as Chunks
  const take = chunks._renderPageChunk.bind(page)
  let operations = 0
  return new Promise((resolve, reject) => {
    chunks._renderPageChunk = (chunk, intent) => {
      operations += chunk.length
      if (operations <= max) take(chunk, intent)
      else reject(tooManyOperations(operations, max))
    }
    page
      .getOperatorList({ intent: 'display', annotationMode: annotationsWithoutFields })
      .then((list) => resolve(list as OperatorList), reject)
  })
}
