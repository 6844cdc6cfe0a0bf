import { getRequestListener } from '@hono/node-server'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import type { Document, FileKind } from '../../shared/document.ts'
import type { SchemaElement } from '../../shared/schema.ts'
import { AsyncJobs } from './async/async-jobs.ts'
import { defaultWebhookPolicy } from './async/webhook.ts'
import type { WebhookPolicy } from './async/webhook.ts'
import { loadClient, loadSigningKey, publishCredentials } from './credentials.ts'
import { openServiceDatabase } from './database.ts'
import type { ServiceDatabase } from './database.ts'
import type { Engine, Extraction } from './extraction-run.ts'
import { invalidRequest } from './failure.ts'
import { createApp, refuse } from './server.ts'
import { Slots } from './slots.ts'
import { Tokens } from './tokens.ts'

export type ServiceOptions = {
  /** Holds service.db, service.json, service.key and the documents being worked on. Made when missing. */
  dataDir: string
  /** 0 (the default) takes a free one. */
  port?: number
  host?: '127.0.0.1'
  /** Given a path, so that a document of 36 MB never stands in this process. Throws AppError as in `Engine`. */
  read(path: string, kind: FileKind): Promise<Document>
  extract(document: Document, schema: SchemaElement[]): Extraction | Promise<Extraction>
  /** Documents extracted at once, default 2; the others wait in the order they came. */
  concurrency?: number
  webhook?: Partial<WebhookPolicy>
}

export type Service = {
  baseUrl: string
  port: number
  credentialsPath: string
  /** For the agents of `agents.ts`, which have no endpoint. */
  db: ServiceDatabase
  /** Stops listening, gives running answers a moment, and leaves unfinished asynchronous jobs stored. */
  close(): Promise<void>
}

const closeGraceMs = 2000

/** Starts the platform's service on this computer. Rejects when the port is taken or the folder cannot be written. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const dataDir = resolve(options.dataDir)
  const incomingDirectory = join(dataDir, 'incoming')
  const asyncDirectory = join(dataDir, 'async')
  await mkdir(incomingDirectory, { recursive: true, mode: 0o700 })
  await mkdir(asyncDirectory, { recursive: true, mode: 0o700 })
  const db = openServiceDatabase(dataDir)
  try {
    await empty(incomingDirectory)
    const client = await loadClient(db, dataDir)
    const tokens = new Tokens(db, await loadSigningKey(dataDir))
    const engine: Engine = { read: (path, kind) => options.read(path, kind), extract: (document, schema) => options.extract(document, schema) }
    const slots = new Slots(options.concurrency ?? 2)
    const asyncJobs = new AsyncJobs({ db, directory: asyncDirectory, engine, slots, policy: { ...defaultWebhookPolicy, ...options.webhook } })
    const app = createApp({ db, tokens, engine, slots, asyncJobs, incomingDirectory })
    const server = createServer(
      getRequestListener(app.fetch, { overrideGlobalObjects: false, errorHandler: () => refuse(invalidRequest('The request line or its headers cannot be read.')) }),
    )
    const port = await listen(server, options.host ?? '127.0.0.1', options.port ?? 0)
    const baseUrl = `http://127.0.0.1:${port}`
    const credentialsPath = await publishCredentials(dataDir, { baseUrl, ...client })
    await asyncJobs.resume()
    const close = async (): Promise<void> => {
      await Promise.all([stopServer(server), asyncJobs.close(closeGraceMs)])
      db.close()
    }
    let closing: Promise<void> | null = null
    return { baseUrl, port, credentialsPath, db, close: () => (closing ??= close()) }
  } catch (error) {
    db.close()
    throw error
  }
}

async function empty(directory: string): Promise<void> {
  for (const name of await readdir(directory)) await rm(join(directory, name), { force: true })
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
}

async function stopServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const timer = setTimeout(() => server.closeAllConnections(), closeGraceMs)
  await closed
  clearTimeout(timer)
}
