import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import Sqlite from 'better-sqlite3'
import type { Core } from '../../../electron/core/core.ts'
import { AppError } from '../../../shared/domain/errors.ts'
import { documentStatuses } from '../../../shared/domain/document-status.ts'
import { startTestCore } from '../../helpers/core.ts'
import { hold, mutated, oneByOne } from './kit.ts'
import type { OpenTarget, Random, Target } from './kit.ts'

/** `document` is whose token the path carries; null when it is nobody's. `request` goes over the wire as it is. */
type Callback = { document: number | null; request: Buffer }

const documentsOpen = 50
const answersIn = ['200', '400', '403', '404', '405', '408', '413', '414', '417', '431', '501', '503', '505']
const longestAnswerMs = 5000

/** Each document's number stands in its own results only: any other in its row came by somebody else's token. */
const bodies = (document: number): Buffer[] =>
  [
    `{"extract_id":"e-${document}","status":"success","data":{"owner":"document ${document}"},"metadata":{"tokens_consumed":3}}`,
    `{"extract_id":"e-${document}","data":[{"owner":"document ${document}"},{"owner":"document ${document}"}]}`,
    `{"extract_id":"e-${document}","error":"failed","detail":"no text"}`,
    `{"extract_id":"e-${document}","status":"processing"}`,
    `{"extract_id":"other","data":{"owner":"document ${document}"}}`,
    '[]',
    'null',
    '{}',
    '',
    '<html>',
    '{"__proto__":{"polluted":1}}',
  ].map((text) => Buffer.from(text))

const methods = ['POST', 'POST', 'POST', 'PUT', 'PATCH', 'GET', 'DELETE', 'OPTIONS', 'HEAD', 'post', 'BREW', '\0']

function requestOf(random: Random, path: string, body: Buffer): Buffer {
  const packed = random.oneIn(10) ? gzipSync(body) : body
  const length = random.oneIn(12)
    ? random.pick(['-1', '99999999999999999999', '0', 'x', '1, 2'])
    : String(packed.length)
  const headers = [
    `Host: ${random.pick(['127.0.0.1', 'evil.test', '', 'a b'])}`,
    'Connection: close',
    random.oneIn(8) ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`,
    ...(random.oneIn(3)
      ? [
          `Content-Type: ${random.pick(['application/json', 'text/plain; charset=utf-16', '\u0001', 'multipart/form-data; boundary=', 'x'.repeat(3000)])}`,
        ]
      : []),
    ...(random.oneIn(6)
      ? [
          random.pick([
            'Content-Encoding: gzip',
            'Expect: 100-continue',
            'Expect: nonsense',
            'Upgrade: websocket',
            `X-Long: ${'y'.repeat(20_000)}`,
            'Origin: null',
            'Transfer-Encoding: gzip, chunked',
            'Content-Length: 5',
            ' : x',
            'Host: again',
          ]),
        ]
      : []),
  ]
  const version = random.oneIn(30) ? random.pick(['HTTP/1.0', 'HTTP/2.0', 'HTTP/1.1\r\n', '']) : 'HTTP/1.1'
  return Buffer.concat([
    Buffer.from(`${random.pick(methods)} ${path} ${version}\r\n${headers.join('\r\n')}\r\n\r\n`, 'latin1'),
    packed,
  ])
}

type Rig = {
  core: Core
  dataDir: string
  port: number
  tokens: string[]
  documents: number[]
  remove: () => Promise<void>
}

async function openRig(): Promise<Rig> {
  const dir = await mkdtemp(join(tmpdir(), 'sheaf-callbacks-'))
  const dataDir = join(dir, 'data')
  const core = await startTestCore(dataDir, {
    secrets: { get: async () => 'secret', set: async () => undefined, remove: async () => undefined },
    localService: {
      start: () => Promise.reject(new AppError('service_not_started', { detail: 'not here' })),
      suspend: async () => undefined,
      stop: async () => undefined,
    },
    read: () => Promise.reject(new AppError('file_damaged')),
  })
  core.queue.pause()
  const { tables, now } = core.context
  const schema = tables.schemas.save(null, 'Invoice', [{ name: 'owner', format: 'text', description: '' }], now())
  const folder = tables.folders.add(
    {
      kind: 'watched',
      path: join(dir, 'in'),
      name: 'in',
      schemaId: schema.id,
      connectionId: tables.connections.local().id,
      agentReference: null,
      mode: 'async',
      includeSubfolders: true,
      afterwards: 'stay',
    },
    now(),
  )
  const db = new Sqlite(join(dataDir, 'sheaf.db'))
  const version = db.prepare<[], { id: number }>('SELECT max(id) AS id FROM schema_versions').get()!.id
  const documents = Array.from({ length: documentsOpen }, (_, index) =>
    Number(
      db
        .prepare(
          "INSERT INTO documents (folder_id, connection_id, schema_version_id, mode, path, name, size_bytes, mtime_ms, status, created_at) VALUES (?, ?, ?, 'async', ?, ?, 9, 1, 'waiting', 1)",
        )
        .run(folder.id, folder.connectionId, version, join(dir, `in/${index}.pdf`), `${index}.pdf`).lastInsertRowid,
    ),
  )
  db.close()
  const tokens = documents.map((document) => {
    const token = randomBytes(32).toString('base64url')
    tables.attempts.accept(tables.attempts.open(document, 'async', 'h', token, now()), `e-${document}`, 200, 9)
    return token
  })
  const { port } = await core.handlers['callbacks.get']({})
  return { core, dataDir, port, tokens, documents, remove: () => rm(dir, { recursive: true, force: true }) }
}

async function open(): Promise<OpenTarget<Callback>> {
  const rig = await openRig()
  const { tokens, documents } = rig

  function make(random: Random): Callback {
    const index = random.below(documentsOpen)
    const document = documents[index]!
    const token = tokens[index]!
    const body = random.oneIn(2) ? mutated(random, bodies(document)) : random.pick(bodies(document))
    if (random.oneIn(4)) {
      const path = random.pick([
        '/',
        '/callback',
        '/callback/',
        `/callback/${token.slice(1)}`,
        `/callback/${token.toUpperCase()}x`,
        `/callback/../callback/${token}x`,
        `/callback/${token}/../x`,
        '*',
        'http://evil.test/callback/x',
        '//',
        `/${'a'.repeat(9000)}`,
        '/callback/%00',
        '/callback/\u00ff',
      ])
      return { document: null, request: requestOf(random, path, body) }
    }
    return { document, request: requestOf(random, `/callback/${token}${random.oneIn(5) ? '?x=1' : ''}`, body) }
  }

  async function tryOne({ request, document }: Callback): Promise<void> {
    const status = statusOf(await exchange(rig.port, request))
    hold(status === null || answersIn.includes(status), `the listener answers ${status}`)
    hold(document !== null || status !== '200', 'a callback to nobody was taken')
  }

  return {
    make,
    tryAll: oneByOne(tryOne),
    async check() {
      await rig.core.stop({ atOnce: true })
      const db = new Sqlite(join(rig.dataDir, 'sheaf.db'), { readonly: true })
      try {
        hold(db.pragma('integrity_check', { simple: true }) === 'ok', 'the database is broken')
        const rows = db
          .prepare<[], { id: number; status: string; records: string | null }>(
            'SELECT j.id, j.status, r.records FROM documents j LEFT JOIN results r ON r.document_id = j.id',
          )
          .all()
        for (const { id, status, records } of rows) {
          hold((documentStatuses as readonly string[]).includes(status), `a document is ${status}`)
          // A changed byte may make any number of it, but not the whole number of another.
          for (const [, owner] of (records ?? '').matchAll(/"owner":"document (\d+)"/g))
            hold(
              !documents.includes(Number(owner)) ||
                Number(owner) === id ||
                String(owner).length !== String(id).length ||
                differs(String(owner), String(id)) <= 1,
              `document ${id} has the result of document ${owner}`,
            )
        }
      } finally {
        db.close()
      }
    },
    close: rig.remove,
  }
}

function differs(a: string, b: string): number {
  return [...a].filter((character, index) => character !== b[index]).length
}

/** What came back until the connection ended, which the other side does, or this one after it said all. */
function exchange(port: number, request: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let heard = ''
    const limit = setTimeout(() => socket.destroy(new Error(`no answer after ${longestAnswerMs} ms`)), longestAnswerMs)
    const ended = (): void => {
      clearTimeout(limit)
      socket.destroy()
      resolve(heard)
    }
    socket.on('data', (data) => {
      heard += data.toString('latin1')
      if (statusOf(heard) !== null) ended()
    })
    socket.on('close', ended)
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') return ended()
      clearTimeout(limit)
      reject(error)
    })
    socket.end(request)
  })
}

function statusOf(answer: string): string | null {
  // «100 Continue» stands before an answer.
  return /HTTP\/1\.1 ([2-5]\d\d)/.exec(answer)?.[1] ?? null
}

/** Bodies, headers, methods, paths and tokens to the listener, over real HTTP. */
export const callbacks: Target<Callback> = { name: 'callbacks', open }
