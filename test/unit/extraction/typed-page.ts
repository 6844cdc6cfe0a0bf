import type { Document, Page, Token } from '../../../shared/domain/document.ts'

const columns = 100
const lineHeight = 0.018

/**
 * A document from typed pages: each line of text stands where a typewriter would put it, 100 characters to the line.
 * Three spaces or more set columns apart. Several pages are several strings.
 */
export function typedDocument(...pages: string[]): Document {
  return { kind: 'pdf', pages: pages.map((text, index) => typedPage(text, index + 1)) }
}

function typedPage(text: string, number: number): Page {
  const tokens: Token[] = []
  text
    .replace(/^\n/, '')
    .split('\n')
    .forEach((line, row) => {
      for (const match of line.matchAll(/\S+/gu)) {
        const box = {
          x: match.index / columns,
          y: 0.04 + row * lineHeight,
          width: match[0].length / columns,
          height: 0.0105,
        }
        tokens.push({ text: match[0], box, fontSize: 0.0115, bold: false })
      }
    })
  return { number, width: 1000, height: 1414, origin: 'text', tokens, tables: [] }
}

/** Typed pages on which the lines that begin with «*» are set in bold type. */
export function typedInBold(...pages: string[]): Document {
  const document = typedDocument(...pages.map((page) => page.replace(/^\*/gm, '')))
  const boldOf = (page: string): Set<string> =>
    new Set([...page.matchAll(/^\*(.*)$/gm)].flatMap(([, line]) => line!.trim().split(/\s+/)))
  return {
    ...document,
    pages: document.pages.map((page, at) => {
      const bold = boldOf(pages[at]!)
      return { ...page, tokens: page.tokens.map((token) => ({ ...token, bold: bold.has(token.text) })) }
    }),
  }
}

/** The page as a reading sees it that takes its first lines, or all, for rows of cells between these columns. */
export function withGrid(document: Document, columns: readonly number[], lines?: number): Document {
  const [page] = document.pages
  const tops = [...new Set(page!.tokens.map(({ box }) => box.y))].slice(0, lines)
  const rows = tops.map((y) =>
    columns.slice(1).map((right, at) => {
      const x = columns[at]! / 100
      return { text: '', box: { x, y: y - 0.002, width: right / 100 - x, height: 0.016 } }
    }),
  )
  const box = { x: columns[0]! / 100, y: tops[0]! - 0.002, width: 1, height: tops.at(-1)! - tops[0]! + 0.02 }
  return { ...document, pages: [{ ...page!, tables: [{ box, rows }] }] }
}
