import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { SaxesParser } from 'saxes'
import yauzl from 'yauzl'

/** An independent reader of RFC 4180, without any leniency. */
export function parseCsv(text: string, delimiter: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  while (at < text.length) {
    let cell = ''
    if (text[at] === '"') {
      for (at++; ; at++) {
        if (at >= text.length) throw new Error('a quoted cell does not end')
        if (text[at] !== '"') cell += text[at]
        else if (text[at + 1] === '"') cell += text[at++]
        else break
      }
      at++
    } else {
      while (at < text.length && text[at] !== delimiter && text[at] !== '\r') {
        if (text[at] === '"' || text[at] === '\n') throw new Error(`stray ${JSON.stringify(text[at])} at ${at}`)
        cell += text[at++]
      }
    }
    row.push(cell)
    if (text[at] === delimiter) at++
    else if (text.startsWith('\r\n', at)) {
      rows.push(row)
      row = []
      at += 2
    } else throw new Error(`expected a delimiter or CRLF at ${at}`)
  }
  return rows
}

/**
 * As lenient as Excel and Python's csv: a quote opens a cell only at its beginning, what follows its end belongs to it,
 * and any of CR, LF and CRLF ends a line.
 */
export function parseLeniently(text: string, separator: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  while (at < text.length) {
    let cell = ''
    if (text[at] === '"') {
      for (at += 1; at < text.length; at += 1) {
        if (text[at] !== '"') cell += text[at]
        else if (text[at + 1] === '"') cell += text[at++]
        else break
      }
      at += 1
    }
    while (at < text.length && text[at] !== separator && text[at] !== '\r' && text[at] !== '\n') cell += text[at++]
    row.push(cell)
    if (text[at] === separator && at < text.length) {
      at += 1
      continue
    }
    at += text.startsWith('\r\n', at) ? 2 : 1
    rows.push(row)
    row = []
  }
  return rows
}

export async function readCsv(path: string, delimiter: string): Promise<string[][]> {
  const bytes = await readFile(path)
  if (!bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf]))) throw new Error('no byte order mark')
  return parseCsv(bytes.subarray(3).toString('utf8'), delimiter)
}

export type ReadCell = { type: string; value: string; style: string }
export type ReadSheet = { name: string; xml: string; cells: ReadCell[][]; values: string[][] }

export async function unzip(path: string): Promise<Map<string, string>> {
  const zip = await yauzl.openPromise(path)
  const parts = new Map<string, string>()
  for await (const entry of zip.eachEntry()) {
    const stream = await zip.openReadStreamPromise(entry)
    parts.set(entry.fileName, (await buffer(stream)).toString('utf8'))
  }
  return parts
}

/** The sheets of a workbook in the order of their tabs, by following its relationships. */
export async function readXlsx(path: string): Promise<ReadSheet[]> {
  const parts = await unzip(path)
  const targets = new Map(
    elements(parts.get('xl/_rels/workbook.xml.rels')!, 'Relationship').map((attributes) => [
      attributes['Id'],
      attributes['Target'],
    ]),
  )
  const types = elements(parts.get('[Content_Types].xml')!, 'Override').map((attributes) => attributes['PartName'])
  for (const part of types) if (!parts.has(part!.slice(1))) throw new Error(`${part} is declared and missing`)
  for (const [name, xml] of parts) if (name.endsWith('.xml')) elements(xml, '')
  const texts = sharedTexts(parts.get('xl/sharedStrings.xml'))
  return elements(parts.get('xl/workbook.xml')!, 'sheet').map((sheet) => {
    const xml = parts.get(`xl/${targets.get(sheet['r:id'])}`)!
    const cells = sheetCells(xml, texts)
    return { name: sheet['name']!, xml, cells, values: cells.map((row) => row.map((cell) => cell.value)) }
  })
}

function elements(xml: string, name: string): Record<string, string>[] {
  const found: Record<string, string>[] = []
  const parser = new SaxesParser()
  parser.on('opentag', (tag) => {
    if (tag.name === name) found.push(tag.attributes)
  })
  parser.on('error', (error) => {
    throw error
  })
  parser.write(xml).close()
  return found
}

/** The texts that cells of other programs refer to by number. */
function sharedTexts(xml: string | undefined): string[] {
  const texts: string[] = []
  if (xml === undefined) return texts
  const parser = new SaxesParser()
  parser.on('opentag', (tag) => {
    if (tag.name === 'si') texts.push('')
  })
  parser.on('text', (text) => {
    if (texts.length > 0) texts[texts.length - 1] += text
  })
  parser.write(xml).close()
  return texts
}

/** The place of a cell in its row, from 0, by its reference («AB7»). */
const columnOf = (reference: string): number =>
  [...reference.replace(/\d+/, '')].reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 64, 0) - 1

function sheetCells(xml: string, texts: readonly string[]): ReadCell[][] {
  const rows: ReadCell[][] = []
  let reading = false
  const parser = new SaxesParser()
  parser.on('opentag', (tag) => {
    if (tag.name === 'row') rows.push([])
    if (tag.name === 'c') {
      const row = rows.at(-1)!
      // Other programs leave out what is empty.
      while (row.length < columnOf(tag.attributes['r'] ?? '')) row.push({ type: 'n', value: '', style: '0' })
      row.push({ type: tag.attributes['t'] ?? 'n', value: '', style: tag.attributes['s'] ?? '0' })
    }
    if (tag.name === 'f') throw new Error('a formula')
    reading = tag.name === 't' || tag.name === 'v'
  })
  parser.on('text', (text) => {
    if (reading) rows.at(-1)!.at(-1)!.value += text
  })
  parser.on('closetag', () => {
    reading = false
  })
  parser.write(xml).close()
  return rows.map((row) =>
    row.map((cell) => (cell.type === 's' ? { ...cell, value: texts[Number(cell.value)]! } : cell)),
  )
}
