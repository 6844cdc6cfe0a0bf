import { getRequestListener } from '@hono/node-server'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { join, resolve } from 'node:path'
import { AppError } from '../../shared/domain/errors.ts'
import type { Policies } from '../../shared/domain/policies.ts'
import type { ReadingLanguage } from '../../shared/domain/reading-languages.ts'
import { limitUnfinished } from '../system/unfinished-connections.ts'
import { AccessTable } from './access/access-table.ts'
import { AgentDocuments } from './answering/documents.ts'
import { AsyncJobs } from './async/async-jobs.ts'
import { defaultWebhookPolicy } from './async/webhook.ts'
import type { WebhookPolicy } from './async/webhook.ts'
import { answerMalformedRequests, unreadableUrl } from './http/malformed-request.ts'
import { controlHandlers } from './routes/control.ts'
import { startControl } from './routes/control-listener.ts'
import { loadClient, loadSigningKey, publishCredentials } from './access/credentials.ts'
import { openServiceDatabase } from './database.ts'
import type { ServiceDatabase } from './database.ts'
import type { Engine } from './extraction-run.ts'
import { listen, stopListening } from './http/listening.ts'
import type { CompatLimits } from './compat/limits.ts'
import { ModelServers } from './models/model-servers.ts'
import type { ModelTimes } from './models/model-servers.ts'
import { createApp } from './routes/app.ts'
import { Slots } from './slots.ts'
import { Tokens } from './access/tokens.ts'
import { PendingWork } from './pending-work.ts'
import { UsageLedger } from './access/usage-ledger.ts'

export type ServiceOptions = Engine & {
  /** Sets the languages in which pictures are read from now on. */
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
  /** What an administrator has set; nothing when absent. */
  policies?: Policies
  /** Other limits of requests that are still coming in. */
  arriving?: { most: number; silenceMs: number }
}

export type Service = {
  baseUrl: string
  port: number
  credentialsPath: string
  /** For tests only, which look into it: the lock keeps every other connection out, also one of this process. */
  db: ServiceDatabase
  /** Stops listening, gives running answers a moment, and leaves unfinished asynchronous jobs stored. */
  close(): Promise<void>
}

const closeGraceMs = 2000
/**
 * Each upload holds a block of 256 KB, so together 64 MB; and a share that hangs is silent for 20 s, not for a minute.
 */
const defaultArriving = { most: 256, silenceMs: 60_000 }

/** Starts the platform's service on this computer. Rejects when the port is taken or the folder cannot be written. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const dataDir = resolve(options.dataDir)
  const directories = await makeDirectories(dataDir)
  const db = openServiceDatabase(dataDir)
  const running: (() => Promise<void>)[] = []
  const pendingWork = new PendingWork()
  const closeAll = async (): Promise<void> => {
    await Promise.all(running.map((end) => end()))
    await pendingWork.drain(closeGraceMs)
    db.close()
  }
  try {
    await empty(directories.incoming)
    const access = new AccessTable(db)
    const usage = new UsageLedger(db)
    const client = await loadClient(access, dataDir)
    const tokens = new Tokens(access, await loadSigningKey(dataDir))
    const engine: Engine = {
      read: (path, kind) => options.read(path, kind),
      extract: (path, kind, schema) => options.extract(path, kind, schema),
    }
    const slots = new Slots(options.concurrency ?? 2)
    const allowPrivateCallbacks = options.allowPrivateCallbacks ?? false
    const policy = { ...defaultWebhookPolicy, ...options.webhook, allowPrivate: allowPrivateCallbacks }
    const asyncJobs = new AsyncJobs({ db, directory: directories.async, engine, slots, usage, policy })
    const documents = new AgentDocuments({ db, directory: directories.agents, engine, slots })
    const models = await ModelServers.open(dataDir, options.limits, options.policies)
    running.push(
      () => asyncJobs.close(closeGraceMs),
      () => documents.close(closeGraceMs),
    )
    const closing = new AbortController()
    const server = createHttpServer(
      createApp({
        db,
        access,
        tokens,
        usage,
        engine,
        slots,
        asyncJobs,
        incomingDirectory: directories.incoming,
        allowPrivateCallbacks,
        models,
        model: () => models.textModel(),
        compatLimits: options.limits,
        closing: closing.signal,
        pendingWork,
      }),
      pendingWork,
    )
    limitUnfinished(server, options.arriving ?? defaultArriving)
    const unfinishedJobs = await asyncJobs.unfinishedJobs()
    const port = await listen(server, options.port ?? 0)
    running.push(() => {
      closing.abort(new AppError('interrupted'))
      return stopListening(server, closeGraceMs).then(() => models.close())
    })
    await documents.resume()
    const control = await startControl(
      controlHandlers({ db, access, usage, asyncJobs, documents, models, useLanguages: options.useLanguages }),
    )
    running.push(() => control.close())
    const baseUrl = `http://127.0.0.1:${port}`
    const credentialsPath = await publishCredentials(dataDir, {
      baseUrl,
      ...client,
      control: { url: control.url, key: control.key },
      privateCallbacks: allowPrivateCallbacks,
    })
    asyncJobs.resume(unfinishedJobs)
    let closed: Promise<void> | null = null
    return { baseUrl, port, credentialsPath, db, close: () => (closed ??= closeAll()) }
  } catch (error) {
    await closeAll()
    throw error
  }
}

/** The folders of documents that arrive, of asynchronous jobs, and of agents, which makes its own. */
async function makeDirectories(dataDir: string): Promise<{ incoming: string; async: string; agents: string }> {
  const directories = {
    incoming: join(dataDir, 'incoming'),
    async: join(dataDir, 'async'),
    agents: join(dataDir, 'agents'),
  }
  await mkdir(directories.incoming, { recursive: true, mode: 0o700 })
  await mkdir(directories.async, { recursive: true, mode: 0o700 })
  return directories
}

function createHttpServer(app: ReturnType<typeof createApp>, pendingWork: PendingWork): Server {
  const server = createServer(
    {
      // A missing host is refused like any other fault, in the envelope.
      requireHostHeader: false,
      // An upload may take as long as something comes (`limitUnfinished`); headers are Node's own minute.
      requestTimeout: 0,
      headersTimeout: 60_000,
    },
    (incoming, outgoing) => {
      const listener = getRequestListener(
        (request, env) => pendingWork.track(Promise.resolve(app.fetch(request, env))),
        { overrideGlobalObjects: false, errorHandler: () => unreadableUrl(incoming.url ?? '') },
      )
      void listener(incoming, outgoing)
    },
  )
  answerMalformedRequests(server)
  return server
}

async function empty(directory: string): Promise<void> {
  for (const name of await readdir(directory)) await rm(join(directory, name), { force: true })
}
