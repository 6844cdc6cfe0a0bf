import { setImmediate } from 'node:timers/promises'
import type { ExportDocument } from './records.ts'

/**
 * Must give the same documents in the same order at each call, since tables are streamed one after
 * the other. Documents that come on at the end in the meantime are left for the next export.
 */
export type DocumentSource = () => Iterable<ExportDocument> | AsyncIterable<ExportDocument>

const maxTurnMs = 8

/** The documents, with a pause for everything else in this process whenever a few milliseconds have gone. */
export async function* withPauses(source: DocumentSource, most = Infinity): AsyncGenerator<ExportDocument> {
  let turnEndsAt = performance.now() + maxTurnMs
  let count = 0
  for await (const document of source()) {
    if (++count > most) return
    yield document
    if (performance.now() < turnEndsAt) continue
    await setImmediate()
    turnEndsAt = performance.now() + maxTurnMs
  }
}
