import { getRequestListener } from '@hono/node-server'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join, resolve } from 'node:path'
import { AppError } from '../../shared/errors.ts'
import type { ReadingLanguage } from '../../shared/reading-languages.ts'
import { AccessTable } from './access/access-table.ts'
import { AgentDocuments } from './answering/documents.ts'
import { AsyncJobs } from './async/async-jobs.ts'
import { defaultWebhookPolicy } from './async/webhook.ts'
import type { WebhookPolicy } from './async/webhook.ts'
import { answerBrokenRequests, unreadableRequest } from './broken-request.ts'
import { controlHandlers } from './control/handlers.ts'
import { startControl } from './control/listener.ts'
import { loadClient, loadSigningKey, publishCredentials } from './credentials.ts'
import { openServiceDatabase } from './database.ts'
import type { ServiceDatabase } from './database.ts'
import type { Engine } from './extraction-run.ts'
import { listen, stopListening } from './listening.ts'
import type { CompatLimits } from './compat/limits.ts'
import { ModelServers } from './models/model-servers.ts'
import type { ModelTimes } from './models/model-servers.ts'
import { createApp } from './server.ts'
import { Slots } from './slots.ts'
import { Tokens } from './tokens.ts'
import { Unfinished } from './unfinished.ts'
import { UsageBook } from './usage-book.ts'

export type ServiceOptions = Engine & {
  /** Told in which languages pictures are to be read from now on. */
  useLanguages: (languages: readonly ReadingLanguage[]) => void
  /** Holds service.db, service.json, service.key and the documents being worked on. Made when missing. */
  dataDir: string
  /** 0 (the default) takes a free one. */
  port?: number
  /** Documents read at once, default 2; synchronous extractions go before what is done in the background. */
  concurrency?: number
  webhook?: Partial<Omit<WebhookPolicy, 'allowPrivate'>>
  /** Whether a `callback` may lead to this computer or into its network; default no. */
  allowPrivateCallbacks?: boolean
  /** Other limits of the proxy than the spec's, and how long a model may take. */
  limits?: Partial<CompatLimits & ModelTimes>
}

export type Service = {
  baseUrl: string
  port: number
  credentialsPath: string
  /** For tests: what has no endpoint. */
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
  const running: (() => Promise<void>)[] = []
  const unfinished = new Unfinished()
  const ending = new AbortController()
  const closeAll = async (): Promise<void> => {
    await Promise.all(running.map((end) => end()))
    await unfinished.settled(closeGraceMs)
    db.close()
  }
  try {
    await empty(incomingDirectory)
    const access = new AccessTable(db)
    const usage = new UsageBook(db)
    const client = await loadClient(access, dataDir)
    const tokens = new Tokens(access, await loadSigningKey(dataDir))
    const engine: Engine = { read: (path, kind) => options.read(path, kind), extract: (path, kind, schema) => options.extract(path, kind, schema) }
    const slots = new Slots(options.concurrency ?? 2)
    const allowPrivateCallbacks = options.allowPrivateCallbacks ?? false
    const policy = { ...defaultWebhookPolicy, ...options.webhook, allowPrivate: allowPrivateCallbacks }
    const asyncJobs = new AsyncJobs({ db, directory: asyncDirectory, engine, slots, usage, policy })
    const documents = new AgentDocuments({ db, directory: join(dataDir, 'agents'), engine, slots })
    const models = await ModelServers.open(dataDir, options.limits)
    running.push(() => asyncJobs.close(closeGraceMs), () => documents.close(closeGraceMs))
    const app = createApp({ db, access, tokens, usage, engine, slots, asyncJobs, incomingDirectory, allowPrivateCallbacks, models, model: () => models.textModel(), compatLimits: options.limits, closing: ending.signal, unfinished })
    const server = createServer(
      // A missing host is refused like any other fault, in the envelope.
      { requireHostHeader: false },
      (incoming, outgoing) => {
        const options = { overrideGlobalObjects: false, errorHandler: () => unreadableRequest(incoming.url ?? '') }
        void getRequestListener((request, env) => unfinished.track(Promise.resolve(app.fetch(request, env))), options)(incoming, outgoing)
      },
    )
    answerBrokenRequests(server)
    const leftOver = await asyncJobs.leftOver()
    const port = await listen(server, options.port ?? 0)
    running.push(() => {
      ending.abort(new AppError('interrupted'))
      return stopListening(server, closeGraceMs).then(() => models.close())
    })
    await documents.resume()
    const control = await startControl(controlHandlers({ db, access, usage, asyncJobs, documents, models, useLanguages: options.useLanguages }))
    running.push(() => control.close())
    const baseUrl = `http://127.0.0.1:${port}`
    const credentialsPath = await publishCredentials(dataDir, { baseUrl, ...client, control: { url: control.url, key: control.key }, privateCallbacks: allowPrivateCallbacks })
    asyncJobs.resume(leftOver)
    let closing: Promise<void> | null = null
    return { baseUrl, port, credentialsPath, db, close: () => (closing ??= closeAll()) }
  } catch (error) {
    await closeAll()
    throw error
  }
}

async function empty(directory: string): Promise<void> {
  for (const name of await readdir(directory)) await rm(join(directory, name), { force: true })
}
