import { createHash } from 'node:crypto'
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, migrate, migrations } from '../../electron/core/db/open.ts'
import type { Database } from '../../electron/core/db/open.ts'
import { SearchTable } from '../../electron/core/db/search/search-table.ts'
import type { DocumentStatus } from '../../shared/domain/document-status.ts'
import { seeded } from '../faults/harness/seeded.ts'

const suppliers = [
  'Hartmann GmbH',
  'Kestrel Landscaping Ltd',
  'Café Zürich AG',
  'Lefèvre & Fils',
  'Nordwind Energie',
  'Müller Bürobedarf',
  'Oak & Iron',
  'Señor Textil SL',
  'Brückner Logistik KG',
  'Atelier Després',
]
const goods = [
  'Paper A4 80 g',
  'Toner black',
  'Wartung Heizung',
  'Tulip bulbs',
  'Frais de port',
  'Büroreinigung September',
  'Consulting hours',
  'Schrauben M8',
]
const kinds = ['pdf', 'pdf', 'pdf', 'pdf', 'jpg', 'docx', 'xlsx', 'png']
const prefixes = ['RE', 'INV', 'Rechnung', 'Beleg', 'facture', 'Scan']
const fields = ['invoice_number', 'invoice_date', 'supplier', 'iban', 'total', 'vat'].map((name) => ({
  name,
  format: name === 'total' || name === 'vat' ? 'number' : 'text',
  description: name,
}))
const elements = [
  ...fields,
  {
    name: 'items',
    format: 'list',
    description: 'rows',
    items: [
      { name: 'description', format: 'text', description: 'what' },
      { name: 'amount', format: 'number', description: 'total' },
    ],
  },
]
const folderCount = 12
const schemaCount = 4

/** Of a thousand documents so many are in each state. None is on its way: a start would look after it. */
const shares: [DocumentStatus, number][] = [
  ['done', 870],
  ['failed', 30],
  ['skipped', 60],
  ['unknown', 5],
  ['cancelled', 15],
  ['queued', 20],
]
const firstDay = Date.UTC(2021, 0, 4)
const spanMs = 5.8 * 365 * 86_400_000

/** How a search meets one document and no other. */
export const needle = { search: 'NADEL-4711', row: 654_321 }

/** Where the database is kept between runs: one for each version, in the temporary folder. */
export function millionPath(count: number): string {
  const folder = join(tmpdir(), 'sheaf-bench')
  mkdirSync(folder, { recursive: true })
  return join(folder, `million-${migrations.length}-${count}.db`)
}

/**
 * Writes a database of so many documents as an office has them after years: the same one each time. Nothing in it is
 * sent by a start, since sending is paused. Returns how long the rows took, and the index of words, in seconds: minutes
 * for a million.
 */
export function makeMillion(path: string, count: number): { rows: number; words: number } {
  const partial = `${path}.partial`
  for (const ending of ['', '-wal', '-shm']) rmSync(partial + ending, { force: true })
  const db = connect(partial)
  db.pragma('synchronous = OFF')
  db.pragma('cache_size = -200000')
  const began = performance.now()
  migrate(db)
  insertRooms(db)
  insertDocuments(db, count)
  const between = performance.now()
  const words = new SearchTable(db)
  while (words.catchUp(2000));
  const ended = performance.now()
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.pragma('journal_mode = DELETE')
  db.close()
  renameSync(partial, path)
  return { rows: (between - began) / 1000, words: (ended - between) / 1000 }
}

function insertRooms(db: Database): void {
  const setting = db.prepare('INSERT INTO settings (key, value) VALUES (?, ?)')
  setting.run('settings', JSON.stringify({ firstRunDone: true, language: 'en' }))
  setting.run('paused', 'true')
  db.exec(
    `INSERT INTO connections (id, kind, name, base_url, client_id) VALUES (1, 'local', 'This computer', NULL, NULL), (2, 'platform', 'Platform', 'https://platform.invalid', 'client')`,
  )
  for (let id = 1; id <= schemaCount; id += 1) {
    db.prepare('INSERT INTO schemas (id, name, created_at) VALUES (?, ?, ?)').run(id, `Invoices ${id}`, firstDay)
    db.prepare('INSERT INTO schema_versions (id, schema_id, version, elements, created_at) VALUES (?, ?, 1, ?, ?)').run(
      id,
      id,
      JSON.stringify(elements),
      firstDay,
    )
  }
  for (let id = 1; id <= folderCount; id += 1) {
    db.prepare(
      `INSERT INTO folders (id, kind, path, name, schema_id, connection_id, mode, include_subfolders, created_at) VALUES (?, 'watched', ?, ?, ?, 2, 'auto', 1, ?)`,
    ).run(id, folderPath(id), `Folder ${id}`, schemaOf(id), firstDay)
  }
}

const folderPath = (id: number): string => `/no/such/share/Buchhaltung/Folder ${id}`
const schemaOf = (folder: number): number => 1 + (folder % schemaCount)

function reasonOf(status: string, isCopy: boolean): string | null {
  if (status === 'skipped') return isCopy ? 'duplicate' : 'hidden_file'
  return { failed: 'service_rejected', unknown: 'connection_lost' }[status] ?? null
}

function outcomeOf(status: string): string {
  if (status === 'done') return 'succeeded'
  return status === 'failed' ? 'failed' : 'lost'
}

function detailsOf(reason: string | null): string | null {
  if (reason === null) return null
  const details =
    reason === 'duplicate' ? { original: 'RE-2021-0001.pdf' } : { detail: 'no table', host: 'platform.invalid' }
  return JSON.stringify(details)
}

function insertDocuments(db: Database, count: number): void {
  const { share: random, pick } = seeded(4711)
  const document = db.prepare(`
    INSERT INTO documents (id, folder_id, connection_id, schema_version_id, mode, path, name, size_bytes, mtime_ms, sha256, status, reason_code, reason_details, original_document_id, result_id, created_at, started_at, finished_at, archived_as)
    VALUES (?, ?, 2, ?, 'auto', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'left')`)
  const attempt = db.prepare(`
    INSERT INTO attempts (id, document_id, mode, host, started_at, finished_at, outcome, http_status, bytes_sent, connection_id, schema_id, tokens, reference)
    VALUES (?, ?, 'sync', 'platform.invalid', ?, ?, ?, 200, ?, 2, ?, ?, ?)`)
  const answer = db.prepare(
    "INSERT INTO answers (id, attempt_id, source, received_at, http_status, content_type, body, body_sha256) VALUES (?, ?, 'response', ?, 200, 'application/json', ?, ?)",
  )
  const result = db.prepare(
    'INSERT INTO results (id, document_id, answer_id, records, record_count, summary, duration_ms, tokens_consumed, created_at) VALUES (?, ?, ?, ?, 1, ?, 4200, ?, ?)',
  )
  const one = (id: number): void => {
    const status = statusOf(random() * 1000)
    // A few large folders and many small ones.
    const folder = 1 + Math.floor(random() ** 2 * folderCount)
    const at = Math.floor(firstDay + (id / count) * spanMs)
    const number =
      id === needle.row
        ? needle.search
        : `${pick(prefixes)}-${new Date(at).getUTCFullYear()}-${String(id).padStart(4, '0')}`
    const supplier = pick(suppliers)
    const name = `${number}${random() < 0.5 ? ` ${supplier.split(' ')[0]}` : ''}.${pick(kinds)}`
    const path = `${folderPath(folder)}/${new Date(at).toISOString().slice(0, 7)}/${name}`
    const reason = reasonOf(status, id > 1000 && random() < 0.5)
    const details = detailsOf(reason)
    const original = reason === 'duplicate' ? 1 + Math.floor(random() * 1000) : null
    const isSent = status === 'done' || status === 'failed' || status === 'unknown'
    const hasResult = status === 'done'
    const settled = status === 'queued' ? null : at + 9000
    const sha256 = createHash('md5')
      .update(String(original ?? id))
      .digest()
    document.run(
      id,
      folder,
      schemaOf(folder),
      path,
      name,
      Math.floor(20_000 + random() ** 4 * 8_000_000),
      at - 60_000,
      sha256,
      status,
      reason,
      details,
      original,
      hasResult ? id : null,
      at,
      isSent ? at + 2000 : null,
      settled,
    )
    if (!isSent) return
    const tokens = hasResult ? 900 + Math.floor(random() * 3000) : null
    attempt.run(
      id,
      id,
      at + 2000,
      at + 9000,
      outcomeOf(status),
      400_000,
      schemaOf(folder),
      tokens,
      Buffer.from(String(id).padStart(16, '0')),
    )
    if (!hasResult) return
    const total = Math.round(random() ** 3 * 2_000_000) / 100
    const first = Math.round(total * 40) / 100
    const items = [
      { description: pick(goods), amount: first },
      { description: pick(goods), amount: Math.round((total - first) * 100) / 100 },
    ]
    const plain = {
      invoice_number: number,
      invoice_date: new Date(at - 3 * 86_400_000).toISOString().slice(0, 10),
      supplier,
      iban: `DE${String(10 ** 19 + Math.floor(random() * 10 ** 15)).slice(0, 20)}`,
      total,
      vat: Math.round(total * 19) / 119,
    }
    const record = { ...plain, items }
    const body = Buffer.from(JSON.stringify({ status: 'success', data: record, metadata: { tokens_consumed: tokens } }))
    answer.run(id, id, at + 9000, body, createHash('sha256').update(body).digest())
    result.run(
      id,
      id,
      id,
      JSON.stringify([record]),
      JSON.stringify(Object.entries(plain).map(([field, value]) => ({ name: field, value }))),
      tokens,
      at + 9000,
    )
  }
  const some = db.transaction((from: number, to: number) => {
    for (let id = from; id <= to; id += 1) one(id)
  })
  for (let from = 1; from <= count; from += 20_000) some(from, Math.min(count, from + 19_999))
}

function statusOf(place: number): DocumentStatus {
  let rest = place
  for (const [status, share] of shares) {
    rest -= share
    if (rest < 0) return status
  }
  return 'done'
}
