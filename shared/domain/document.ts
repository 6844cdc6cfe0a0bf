/**
 * One file as text with places: what `reading` makes of a PDF, picture, DOCX or XLSX,
 * and what extraction, review and preview work on. Every box is a fraction (0..1) of its
 * page, origin at the top left, as a person sees the page (rotation already applied).
 */
export type Box = { x: number; y: number; width: number; height: number }

/** A run of text without white space inside (a word), in reading order on its page. */
export type Token = {
  text: string
  box: Box
  /** Height of the type as a fraction of the page height; tells headings from body text. */
  fontSize: number
  bold: boolean
  /** Only from OCR: how sure the recogniser is, 0..1. Absent for text that was in the file. */
  confidence?: number
  /** Only from OCR: what the second reader saw in this place, where the two differ. */
  alternative?: string
  /** Only from OCR: two readers saw the same. */
  agreed?: true
  /** Runs up or down a page whose other words are level: a note up the margin. Such words follow behind the others. */
  turned?: true
}

export type Page = {
  /** 1 for the first page (or the first sheet of a workbook). */
  number: number
  /** Points for PDF, pixels for pictures, character cells for DOCX and XLSX: only the ratio matters. */
  width: number
  height: number
  origin: 'text' | 'ocr' | 'flow' | 'sheet'
  /** By how many degrees the lines of a scan or photo lean clockwise (boxes lean with them); absent when straight. */
  skewDegrees?: number
  /** The name of the sheet, for XLSX. */
  name?: string
  tokens: Token[]
  /** Tables that the file itself declares (DOCX, XLSX), or that lines and columns of words show (PDF). */
  tables: Table[]
}

export type Cell = {
  text: string
  box: Box
  /** Set where the file stores a typed value (XLSX): a number, a boolean, or a date as YYYY-MM-DD. */
  value?: { type: 'number'; number: number } | { type: 'boolean'; boolean: boolean } | { type: 'date'; date: string }
  columnSpan?: number
}

/** `ruled`: lines are drawn between its rows, so that what stands in a cell belongs together (PDF). */
export type Table = { box: Box; rows: Cell[][]; ruled?: true }

/**
 * The tables whose cells the file itself declares. Those of a PDF are only seen: with their cells in place of the gaps
 * between words 827 of 909 fields of five sets were right, without them 833 (25 November 2026).
 */
export const declaredTables = (page: Page): Table[] => (page.origin === 'text' ? [] : page.tables)

export type FileKind = 'pdf' | 'png' | 'jpeg' | 'docx' | 'xlsx'

/**
 * Something in a file that says values exactly, beside or instead of the page's words. `name` is how it is called in
 * the file: the name of an attachment, the kind of a payment code.
 */
export type ExactSource = { kind: 'e-invoice' | 'payment-code' | 'form'; name: string; values: ExactValue[] }

export type ExactValue = {
  /** What the value is: a term of the source's own vocabulary, or the label of a form field. */
  term: string
  value: string | number | boolean
  /** Of a value that belongs to a row: which list, and the row's place in it from 0. */
  row?: { list: string; index: number }
  /** Where it stands, when it stands somewhere. */
  page?: number
  box?: Box
}

export type Document = { kind: FileKind; pages: Page[]; exact?: ExactSource[] }
