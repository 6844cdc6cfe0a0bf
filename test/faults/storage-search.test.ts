import { join } from 'node:path'
import { Readable } from 'node:stream'
import Sqlite from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Core } from '../../electron/core/core.ts'
import { pdfBytes, startTestCore, temporaryDir, until } from '../helpers/core.ts'
import { documentFilter } from '../../shared/contract/documents.ts'

async function namesFound(core: Core, search: string): Promise<string[]> {
  const { rows } = await core.handlers['documents.list']({
    ...documentFilter.parse({ search }),
    sort: 'name',
    descending: false,
    offset: 0,
    limit: 10,
  })
  return rows.map(({ name }) => name)
}

describe('an index of words that broke', () => {
  it('is made anew by a start, and nothing else changes', async () => {
    const dir = temporaryDir()
    onTestFinished(dir.remove)
    const first = await startTestCore(dir.path)
    const { tables, now } = first.context
    const schema = tables.schemas.save(null, 'Invoice', [], now())
    await first.receiveUpload({
      name: 'tulip.pdf',
      schemaId: schema.id,
      connectionId: tables.connections.local().id,
      content: Readable.from([pdfBytes('tulip')]),
    })
    await until(() => tables.folders.list().some(({ id }) => tables.documents.inFolder(id).length > 0), 'the document')
    expect(await namesFound(first, 'tulip')).toEqual(['tulip.pdf'])
    await first.stop({ atOnce: true })
    const db = new Sqlite(join(dir.path, 'sheaf.db'))
    // SQLite guards these tables against everybody but the index itself.
    db.unsafeMode()
    db.exec("UPDATE document_search_data SET block = x'0102030405060708' WHERE id > 10")
    db.close()

    const second = await startTestCore(dir.path)
    onTestFinished(() => second.stop({ atOnce: true }))
    expect(second.context.tables.connections.list().every(({ pausedReason }) => pausedReason === null)).toBe(true)
    expect(await namesFound(second, 'tulip')).toEqual(['tulip.pdf'])
  })
})
