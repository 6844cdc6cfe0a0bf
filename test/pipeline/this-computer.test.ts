import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { PDFDocument } from 'pdf-lib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { simpleSchema, temporaryDir } from '../helpers/core.ts'
import { forNight } from '../helpers/scale.ts'
import { sheaf } from '../helpers/sheaf.ts'

let dir: { path: string; remove: () => void }
beforeEach(async () => {
  dir = temporaryDir()
  await writeFile(join(dir.path, 'schema.json'), JSON.stringify(simpleSchema))
})
afterEach(() => dir.remove())

/** A readable PDF of more than 25 MB: the size lies in a comment before the cross-reference table's address. */
async function largePdf(): Promise<string> {
  const document = await PDFDocument.create()
  const page = document.addPage([595, 842])
  page.drawText('Invoice number: INV-2026-77', { x: 60, y: 760, size: 12 })
  page.drawText('Total amount: 1,234.50', { x: 60, y: 730, size: 12 })
  const bytes = Buffer.from(await document.save({ useObjectStreams: false }))
  const at = bytes.lastIndexOf('startxref')
  const path = join(dir.path, 'large.pdf')
  await writeFile(
    path,
    Buffer.concat([
      bytes.subarray(0, at),
      Buffer.from('%'),
      Buffer.alloc(25 * 1024 * 1024, 'x'),
      Buffer.from('\n'),
      bytes.subarray(at),
    ]),
  )
  return path
}

async function extract(path: string, mode: string): Promise<{ records: unknown; attempts: unknown[] }> {
  const dataDir = join(dir.path, mode)
  const run = await sheaf(['extract', path, '--schema', join(dir.path, 'schema.json'), '--json', '--mode', mode], {
    SHEAF_DATA_DIR: dataDir,
  })
  expect(run.code, run.stderr).toBe(0)
  const db = new Sqlite(join(dataDir, 'sheaf.db'), { readonly: true })
  const attempts = db
    .prepare(
      'SELECT mode, outcome, (SELECT group_concat(source) FROM (SELECT source FROM answers WHERE attempt_id = t.id ORDER BY source)) AS answers FROM attempts t',
    )
    .all()
  db.close()
  return { records: (JSON.parse(run.stdout) as { records: unknown }).records, attempts }
}

describe('the service on this computer', () => {
  it(
    'takes a PDF of 25 MB asynchronously and brings it back by webhook; at once when told to; with the same records',
    forNight,
    async () => {
      const path = await largePdf()
      const auto = await extract(path, 'auto')
      const sync = await extract(path, 'sync')
      expect(auto.attempts).toEqual([{ mode: 'async', outcome: 'succeeded', answers: 'callback,response' }])
      expect(sync.attempts).toEqual([{ mode: 'sync', outcome: 'succeeded', answers: 'response' }])
      expect(auto.records).toEqual([{ invoice_number: 'INV-2026-77', total_amount: 1234.5 }])
      expect(sync.records).toEqual(auto.records)
    },
  )
})
