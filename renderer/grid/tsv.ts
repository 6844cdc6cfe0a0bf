/** Tables as Excel puts them on the clipboard: tabs between cells, a line for each row. */

/** Cells with a tab, a line break or a quote are quoted, with their quotes doubled. Pure. */
export function tsvOf(rows: readonly (readonly string[])[]): string {
  return rows
    .map((row) => row.map((cell) => (/[\t\r\n"]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join('\t'))
    .join('\r\n')
}

/** A quoted cell: to its closing quote, which ends the cell. */
const quoted = /"((?:[^"]|"")*)"(?=\t|\r?\n|$)/y
const plain = /[^\t\r\n]*/y

/**
 * The rows of a copied table, as ragged as they came; the line break at its end is no row. A quote that does not close
 * a cell is text. Pure.
 */
export function parseTsv(text: string): string[][] {
  const rows: string[][] = [[]]
  for (let at = 0; at <= text.length; ) {
    quoted.lastIndex = plain.lastIndex = at
    const within = quoted.exec(text)
    const cell = within ?? plain.exec(text)!
    rows.at(-1)!.push(within === null ? cell[0] : within[1]!.replaceAll('""', '"').replaceAll('\r\n', '\n'))
    at += cell[0].length
    if (text[at] === '\t') at += 1
    else {
      at += text.startsWith('\r\n', at) ? 2 : 1
      if (at < text.length) rows.push([])
      else break
    }
  }
  return rows
}
