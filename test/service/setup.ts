import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { entryPath } from '../../electron/entries.ts'
import { ReadingPool } from '../../electron/reading/pool.ts'
import { extractDocument } from '../../electron/service/extraction/thread-tasks.ts'
import type { UsageChannel, UsageKind } from '../../electron/service/access/usage-ledger.ts'
import type { ServiceDatabase } from '../../electron/service/database.ts'
import { startService } from '../../electron/service/service.ts'
import type { Service, ServiceOptions } from '../../electron/service/service.ts'
import type { ControlCallName, ControlInput, ControlOutput, ServiceFile } from '../../shared/wire/service-control.ts'

type UsageRow = {
  day: string
  organizationId: string
  clientId: string
  agent: string
  kind: UsageKind
  channel: UsageChannel
  requests: number
  inputTokens: number
  outputTokens: number
  pages: number
}

export type Rig = {
  service: Service
  dataDir: string
  credentials: ServiceFile
  token: string
  /** A call of the control listener. Throws what it answers. */
  control<N extends ControlCallName>(name: N, input: ControlInput<N>): Promise<ControlOutput<N>>
  /** What was recorded as used, by day, client, agent and channel. */
  usageRows(): UsageRow[]
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>
  restart(options?: Partial<ServiceOptions>): Promise<void>
  close(): Promise<void>
}

/** One for all test files of a process: its threads have loaded what they need, and let the process end. */
const reader = new ReadingPool({ workerPath: entryPath('reading-worker'), size: 2 })

/** Reads as the product does, in its threads. */
export const readDocument: ServiceOptions['read'] = (path, kind) => reader.read(path, kind)

/** Extracts as the product does, but in this process, from what the given function reads. */
export const extractBy =
  (read: ServiceOptions['read']): ServiceOptions['extract'] =>
  async (path, kind, schema) =>
    extractDocument(await read(path, kind), schema)

/** What a database of the service holds about use, by day, client, agent and channel. */
export function usageRowsIn(db: ServiceDatabase): UsageRow[] {
  return db
    .prepare<[], UsageRow>(
      `select day, organization_id as organizationId, client_id as clientId, agent, kind, channel, requests,
         input_tokens as inputTokens, output_tokens as outputTokens, pages
       from usage order by day, organization_id, client_id, kind, agent, channel`,
    )
    .all()
}

/** A running service with a data folder of its own and a token for it. */
export async function startRig(options: Partial<ServiceOptions> = {}): Promise<Rig> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sheaf-service-'))
  const start = (more: Partial<ServiceOptions>): Promise<Service> => {
    const { read = readDocument, ...others } = { ...options, ...more }
    return startService({
      dataDir,
      read,
      extract: extractBy(read),
      useLanguages: () => undefined,
      allowPrivateCallbacks: true,
      ...others,
    })
  }
  const service = await start({})
  const credentials = await readServiceFile(service)
  const rig: Rig = {
    service,
    dataDir,
    credentials,
    token: await tokenFrom(credentials),
    async control(name, input) {
      const { url, key } = rig.credentials.control
      const response = await fetch(url, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify({ name, input }),
      })
      const answer = (await response.json()) as
        | { ok: true; value: ControlOutput<typeof name> }
        | { ok: false; error: { code: string; details: object } }
      if (!answer.ok) throw Object.assign(new Error(`${name}: ${JSON.stringify(answer.error)}`), answer.error)
      return answer.value
    },
    usageRows: () => usageRowsIn(rig.service.db),
    post: (path, body, headers = {}) =>
      fetch(`${rig.service.baseUrl}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': rig.token, ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    async restart(more = {}) {
      await rig.service.close()
      rig.service = await start(more)
      rig.credentials = await readServiceFile(rig.service)
    },
    async close() {
      await rig.service.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
  return rig
}

async function readServiceFile(service: Service): Promise<ServiceFile> {
  return JSON.parse(await readFile(service.credentialsPath, 'utf8')) as ServiceFile
}

export async function tokenFrom(
  credentials: Pick<ServiceFile, 'baseUrl' | 'clientId' | 'clientSecret'>,
): Promise<string> {
  const query = new URLSearchParams({ client_id: credentials.clientId, client_secret: credentials.clientSecret })
  const response = await fetch(`${credentials.baseUrl}/v2/token?${query.toString()}`)
  return ((await response.json()) as { access_token: string }).access_token
}

export const invoiceLines = ['Invoice number: RE-2024-17', 'Total amount: 119.50']

export const invoiceParams = [
  { name: 'Invoice number', format: 'text', description: 'The number of the invoice' },
  { name: 'Total amount', format: 'number', description: 'The amount to pay' },
]
