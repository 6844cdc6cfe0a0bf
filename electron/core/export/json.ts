import type { ExportDocument } from './records.ts'

/** An array of `{file, records}`, one document on each line, with the records as the service gave them. */
export async function* jsonChunks(documents: Iterable<ExportDocument> | AsyncIterable<ExportDocument>): AsyncGenerator<Buffer> {
  let separator = '[\n'
  for await (const { fileName, records } of documents) {
    yield Buffer.from(`${separator}${JSON.stringify({ file: fileName, records })}`, 'utf8')
    separator = ',\n'
  }
  yield Buffer.from(separator === '[\n' ? '[]\n' : '\n]\n', 'utf8')
}
