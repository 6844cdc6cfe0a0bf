import { blocksOf as draftBlocks, textOf as draftText } from '../../../electron/core/drafting/lines.ts'
import { draftByRules } from '../../../electron/core/drafting/by-rules.ts'
import { csvText } from '../../../electron/core/export/csv.ts'
import { cellXml, sheetName } from '../../../electron/core/export/sheet-xml.ts'
import { displayCell } from '../../../electron/core/export/values.ts'
import { asFileName, isTemporaryName, safeFileName } from '../../../electron/core/files/file-names.ts'
import { readAnswer } from '../../../electron/core/platform/answer.ts'
import { answerText } from '../../../electron/core/platform/answer-text.ts'
import { normaliseBaseAddress } from '../../../electron/core/platform/base-address.ts'
import { parseExact } from '../../../electron/core/platform/exact-json.ts'
import { JsonSequence } from '../../../electron/core/platform/json-sequence.ts'
import { problemOf, serviceWords } from '../../../electron/core/platform/problem.ts'
import { redacted } from '../../../electron/core/platform/redact.ts'
import { ServerEvents } from '../../../electron/core/platform/server-events.ts'
import { expiryOf } from '../../../electron/core/platform/token.ts'
import { comparisonKey, dayOf } from '../../../electron/core/review/value.ts'
import { showNumber } from '../../../electron/reading/office/number-format.ts'
import { scanXml } from '../../../electron/reading/office/xml.ts'
import { readDocument } from '../../../electron/reading/read.ts'
import { inReadingOrder } from '../../../electron/reading/reading-order.ts'
import { cleanText, symbolFontBox, unifyBoxes } from '../../../electron/reading/symbols.ts'
import { indexTermsOf, neutralWordsIn, wordsOf } from '../../../electron/service/answering/words.ts'
import { passagesOf } from '../../../electron/service/answering/passages.ts'
import { quotePassages } from '../../../electron/service/answering/quote-passages.ts'
import { readQuestion } from '../../../electron/service/answering/question.ts'
import { bagOfWords, hasValue } from '../../../electron/service/answering/score-lines.ts'
import { parseChatRequest } from '../../../electron/service/compat/chat-request.ts'
import { columnsIn, rowsOfCsv } from '../../../electron/core/partners/import.ts'
import { comparableName } from '../../../shared/domain/partner.ts'
import { parseDate } from '../../../shared/domain/parse-date.ts'
import { decimalEvidence, parseNumber } from '../../../shared/domain/parse-number.ts'
import { extractDocument } from '../../../electron/service/extraction/thread-tasks.ts'
import { parseChunk } from '../../../electron/service/models/completion.ts'
import { parseTsv } from '../../../renderer/grid/tsv.ts'
import { parseTyped } from '../../../renderer/grid/typed-values.ts'
import { formatsFor } from '../../../renderer/messages/formats.ts'
import { labelOf, printedDecimals } from '../../../renderer/messages/values.ts'
import type { Cell, Document, FileKind, Page, Token } from '../../../shared/domain/document.ts'
import { patternsIn } from '../../../shared/domain/file-patterns.ts'
import { valueAt } from '../../../shared/domain/pointer.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { parseSchemaText } from '../../../shared/domain/schema.ts'
import { parseRetryAfter } from '../../../shared/wire/retry-after.ts'
import { docxEntries, docxXml, onePage, paragraph, xlsxEntries, zipBytes } from '../hostile-files.ts'

const schema: SchemaElement[] = [
  { name: 'Invoice number', format: 'text', description: 'The number of the invoice' },
  { name: 'Date', format: 'text', description: '' },
  { name: 'Supplier', format: 'text', description: 'Who sent it' },
  { name: 'Customer address', format: 'text', description: '' },
  { name: 'Total amount', format: 'number', description: 'The total' },
  { name: 'Currency', format: 'text', description: 'one of EUR, USD' },
  { name: 'Paid', format: 'boolean', description: '' },
  { name: 'IBAN', format: 'text', description: '' },
  { name: 'Service period', format: 'text', description: '' },
  {
    name: 'Positions',
    format: 'list',
    description: 'The lines',
    items: [
      { name: 'Article', format: 'text', description: '' },
      { name: 'Quantity', format: 'number', description: '' },
      { name: 'Price', format: 'number', description: '' },
    ],
  },
]

const cellLetters = 12

/** The text cut into short parts, as a table has them. */
function partsOf(text: string): string[] {
  return Array.from({ length: Math.ceil(text.length / cellLetters) }, (_, index) =>
    text.slice(index * cellLetters, (index + 1) * cellLetters),
  )
}

function sheet(rows: readonly (readonly string[])[]): Document {
  const height = 1 / rows.length
  const cells = rows.map((row, y): Cell[] =>
    row.map((text, x) => ({
      text,
      box: { x: x / row.length, y: y * height, width: 1 / row.length, height },
    })),
  )
  const tokens = cells.flat().flatMap(({ text, box }): Token[] => (text.trim() === '' ? [] : [tokenOf(text, box)]))
  const table = { box: { x: 0, y: 0, width: 1, height: 1 }, rows: cells }
  return {
    kind: 'xlsx',
    pages: [{ number: 1, width: 100, height: rows.length * 2, origin: 'sheet', name: 'S', tokens, tables: [table] }],
  }
}

function tokenOf(text: string, box: Token['box']): Token {
  return { text, box, fontSize: box.height, bold: false }
}

const linesOnPage = 60

/** The words of a text on ordinary pages, ten a line. */
function printed(text: string): Document {
  const words = text.split(/\s+/).filter((word) => word !== '')
  const perPage = linesOnPage * 10
  const pages = Array.from({ length: Math.max(1, Math.ceil(words.length / perPage)) }, (_, index): Page => {
    const tokens = words.slice(index * perPage, (index + 1) * perPage).map((word, at) => {
      const box = { x: (at % 10) / 10, y: Math.floor(at / 10) / linesOnPage, width: 0.09, height: 0.012 }
      return tokenOf(word, box)
    })
    return { number: index + 1, width: 595, height: 842, origin: 'text', tokens, tables: [] }
  })
  return { kind: 'pdf', pages }
}

const escaped = (text: string): string =>
  text.replace(/[<>&]/g, (character) => `&#${character.charCodeAt(0)};`).replace(/[\0\u0001\ud800]/g, '?')

const read = (bytes: Uint8Array, kind: FileKind): Promise<Document> =>
  readDocument(bytes, kind, async () => ({ tokens: [], leanDegrees: 0 }))

async function all(text: string, contentType: string | null): Promise<string> {
  let whole = ''
  const pieces = async function* (): AsyncGenerator<Uint8Array> {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000)
  }
  for await (const piece of answerText(contentType, pieces())) whole += piece
  return whole
}

function fed(text: string): number {
  const values = new JsonSequence(10_000_000, true)
  let count = 0
  for (const part of text.match(/[^]{1,100}/g) ?? []) for (const _ of values.feed(part)) count += 1
  return count
}

function events(text: string): number {
  const parser = new ServerEvents()
  return (text.match(/[^]{1,100}/g) ?? []).reduce((sum, part) => sum + parser.feed(part).length, 0)
}

const formats = formatsFor('de-DE')
const question = readQuestion('What is the total of the invoice?')
const refusal = (body: Buffer): unknown =>
  problemOf({ status: 400, retryAfterMs: null, body }, { host: 'h', agent: 'a' })

const found = ({ text }: { text: string }): unknown => [
  wordsOf(text),
  neutralWordsIn(text),
  indexTermsOf(text),
  bagOfWords(text),
  hasValue(text, question.wants),
  [...quotePassages(question, [{ page: 1, text, documentName: 'a.pdf', kind: 'pdf' } as never])],
]

/** Everything that reads what others wrote, each by one text. */
export const subjects: Readonly<Record<string, (text: string) => unknown>> = {
  // documents
  'extraction: a cell': (text) => extractDocument(sheet([[text]]), schema),
  'extraction: a cell beside a label': (text) => extractDocument(sheet([['Total amount', text]]), schema),
  'extraction: a column': (text) => extractDocument(sheet(partsOf(text).map((part) => [part])), schema),
  'extraction: a row': (text) => extractDocument(sheet([partsOf(text)]), schema),
  'extraction: a table': (text) =>
    extractDocument(sheet([['Article', 'Price'], ...partsOf(text).map((part) => [part, '1.50'])]), schema),
  'extraction: pages': (text) => extractDocument(printed(text), schema),
  'extraction: a description': (text) =>
    extractDocument(sheet([['Total', '5']]), [{ name: 'Total', format: 'text', description: text }]),
  'extraction: a name': (text) =>
    extractDocument(sheet([['Total', '5']]), [{ name: text, format: 'number', description: '' }]),
  'DOCX: a paragraph': (text) => read(zipBytes(docxEntries(docxXml(paragraph(escaped(text))))), 'docx'),
  'DOCX: paragraphs': (text) =>
    read(
      zipBytes(
        docxEntries(
          docxXml(
            partsOf(text)
              .map((part) => paragraph(escaped(part)))
              .join(''),
          ),
        ),
      ),
      'docx',
    ),
  'XLSX: a cell': (text) =>
    read(
      zipBytes(
        xlsxEntries(`<worksheet><sheetData><row><c t="str"><v>${escaped(text)}</v></c></row></sheetData></worksheet>`),
      ),
      'xlsx',
    ),
  'PDF: a content': (text) => read(onePage(`BT /F1 9 Tf (A word) Tj ET ${text.slice(0, 200_000)}`), 'pdf'),
  'PDF: objects': (text) =>
    read(onePage('BT /F1 9 Tf (A word) Tj ET', { page: `/X ${text.slice(0, 200_000)}` }), 'pdf'),
  XML: (text) => scanXml(`<a>${text}</a>`, { open: () => undefined, close: () => undefined, text: () => undefined }),
  'XML: escaped': (text) =>
    scanXml(`<a>${escaped(text)}</a>`, { open: () => undefined, close: () => undefined, text: () => undefined }),
  'number format': (text) => showNumber(12_345.678, text, false),
  'clean text': (text) => unifyBoxes(cleanText(text)),
  'symbol font': (text) => symbolFontBox(text, 0x78),
  'reading order': (text) =>
    inReadingOrder(
      Array.from({ length: text.length / 10 }, (_, at) => ({
        startX: at % 10,
        startY: Math.floor(at / 10),
        directionX: 1,
        directionY: 0,
        size: 1,
      })),
    ),
  // partners
  comparableName,
  'table of partners': (text) => columnsIn(rowsOfCsv(text)),
  // numbers and dates
  parseNumber: (text) => parseNumber(text, { unit: true }),
  decimalEvidence,
  parseDate: (text) => parseDate(text),
  dayOf,
  comparisonKey,
  'typed number': (text) => parseTyped(text, { format: 'number' }, formats),
  'typed text': (text) => parseTyped(text, { format: 'text' }, formats),
  printedDecimals,
  // answers of services
  'answer: JSON': (text) => readAnswer(Buffer.from(text), 'response'),
  'answer: a value': (text) => readAnswer(Buffer.from(JSON.stringify({ data: { a: text } })), 'response'),
  'answer: an error': (text) => readAnswer(Buffer.from(JSON.stringify({ error: { message: text } })), 'callback'),
  parseExact,
  'refusal: any': (text) => refusal(Buffer.from(text)),
  'refusal: words': (text) => refusal(Buffer.from(JSON.stringify({ error: text, detail: text }))),
  serviceWords: (text) => serviceWords(Buffer.from(text)),
  'stream: plain': (text) => all(text, 'text/plain'),
  'stream: unknown': (text) => all(text, null),
  'stream: JSON': (text) => all(`{"answer":${JSON.stringify(text)}}`, 'application/json'),
  'stream: events': (text) => all(`data: ${text}`, 'text/event-stream'),
  'JSON in pieces': fed,
  'events in pieces': events,
  'a token': (text) => expiryOf(text, text, 0),
  'Retry-After': (text) => parseRetryAfter(text, 0),
  'base address': normaliseBaseAddress,
  redacted: (text) => redacted(Buffer.from(text), ['secret', 'a1a1a1a1']),
  // schemas, names, patterns
  'schema file': parseSchemaText,
  'schema of a name': (text) => parseSchemaText(JSON.stringify([{ name: text, format: 'text', description: text }])),
  pointer: (text) => valueAt({ a: [1] }, `/${text}`),
  patterns: patternsIn,
  'file name': (text) => [asFileName(text), safeFileName(text, 'x'), isTemporaryName(text)],
  // drafts of schemas
  'draft: a cell': (text) => draftByRules(sheet([[text]]), 'en'),
  'draft: a column': (text) => draftByRules(sheet(partsOf(text).map((part) => [part, 'x'])), 'en'),
  'draft: pages': (text) => draftByRules(printed(text), 'en'),
  'draft: text': (text) => [draftBlocks(printed(text)), draftText(printed(text), 2000)],
  // spreadsheets
  'CSV cell': (text) => csvText(text, 'de'),
  'XLSX cell': (text) => [cellXml(text), displayCell(text, 'de')],
  'sheet name': (text) => sheetName(text, new Set()),
  // questions
  // Of a document, questions see passages only, whose length is bounded.
  'question: a cell': (text) => sheet([[text]]).pages.map((page) => passagesOf(page, 'xlsx').map(found)),
  'question: pages': (text) => printed(text).pages.map((page) => passagesOf(page, 'pdf').map(found)),
  'question: asked': (text) => readQuestion(text, [text]),
  'proxy: request': (text) => parseChatRequest(Buffer.from(text)),
  'proxy: message': (text) =>
    parseChatRequest(Buffer.from(JSON.stringify({ model: 'svc-large', messages: [{ role: 'user', content: text }] }))),
  'proxy: chunk': parseChunk,
  // the window
  'pasted table': parseTsv,
  'label of a name': labelOf,
}
