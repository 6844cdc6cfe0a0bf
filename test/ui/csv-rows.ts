/**
 * The cells of a CSV text (RFC 4180) with the given delimiter, without its byte order mark. Read by hand and strictly,
 * as a witness beside the writer: a stray quote or a missing line end throws.
 */
export function csvRows(text: string, delimiter: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let at = text.startsWith('\uFEFF') ? 1 : 0
  while (at < text.length) {
    let cell = ''
    if (text[at] === '"') {
      at += 1
      for (;;) {
        const end = text.indexOf('"', at)
        if (end === -1) throw new Error('a quoted cell does not end')
        cell += text.slice(at, end)
        at = end + 1
        if (text[at] !== '"') break
        cell += '"'
        at += 1
      }
    } else {
      while (at < text.length && text[at] !== delimiter && text[at] !== '\r') {
        if (text[at] === '"' || text[at] === '\n') throw new Error(`a stray ${JSON.stringify(text[at])} at ${at}`)
        cell += text[at]
        at += 1
      }
    }
    row.push(cell)
    if (text[at] === delimiter) at += 1
    else if (text.startsWith('\r\n', at)) {
      rows.push(row)
      row = []
      at += 2
    } else throw new Error(`neither a delimiter nor a line end at ${at}`)
  }
  return rows
}
