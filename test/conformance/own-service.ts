import { spawn, spawnSync } from 'node:child_process'
import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startModelServer } from '../helpers/model-server.ts'
import type { ModelScript, ModelServer } from '../helpers/model-server.ts'
import { pdf } from '../service/documents.ts'
import { record } from './expect.ts'
import type { Json } from './target.ts'
import { listenForHooks } from './hooks.ts'
import type { Hooks } from './hooks.ts'
import { agentFields, knownLines } from './material.ts'
import type { Credentials, Organization, Own, Target } from './target.ts'

const launcher = fileURLToPath(new URL('../../electron/launch.mjs', import.meta.url))
const builder = fileURLToPath(new URL('../../.config/build.mjs', import.meta.url))

export type OwnService = { target: Target; hooks: Hooks; dataDir: string; pid: number; close(): Promise<void> }

type Running = {
  file: Credentials & { baseUrl: string; control: { url: string; key: string } }
  dataDir: string
  pid: number
  close(): Promise<void>
}

/** Builds what `startOwnService` starts, so that it is the source as it is now. */
export function buildService(): void {
  if (spawnSync(process.execPath, [builder, '--node'], { stdio: 'inherit' }).status !== 0)
    throw new Error('the service could not be built')
}

/** Starts `sheaf service` with a data folder of its own and everything that the cases use. */
export async function startOwnService(): Promise<OwnService> {
  const started: { close(): Promise<void> }[] = []
  const close = async (): Promise<void> => {
    for (const thing of started.reverse()) await thing.close()
  }
  try {
    const hooks = await listenForHooks(null, 0)
    started.push(hooks)
    let script: ModelScript | null = null
    const model = await startModelServer((...request) => script?.(...request))
    started.push(model)
    const running = await startProcess(['--allow-private-callbacks'])
    started.push(running)
    let second: Promise<Target> | null = null
    const strict = async (): Promise<Target> => {
      const process = await startProcess(['--stream-limit', '2', '--silence-limit', '1'])
      started.push(process)
      const target = await targetOf(
        process,
        hooks,
        model,
        () => Promise.reject(new Error('there is no third service')),
        () => undefined,
      )
      await target.own?.reset()
      return target
    }
    const target = await targetOf(
      running,
      hooks,
      model,
      () => (second ??= strict()),
      (next) => (script = next),
    )
    await target.own?.reset()
    await addAgents(target, running.dataDir)
    return { target, hooks, dataDir: running.dataDir, pid: running.pid, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Starts the process and reads `service.json`. */
export async function startProcess(options: string[]): Promise<Running> {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-conformance-'))
  const child = spawn(process.execPath, [launcher, 'service', ...options], {
    env: { ...process.env, LC_ALL: 'C', SHEAF_DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  const ready = new Promise<string>((resolve, reject) => {
    const hear = (data: Buffer): void => {
      said += String(data)
      const path = /^READY \S+ (.+)$/m.exec(said)?.[1]
      if (path !== undefined) resolve(path)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.on('exit', (code) => reject(new Error(`the service ended with ${String(code)}: ${said}`)))
  })
  const close = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill()
      await once(child, 'exit')
    }
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const path = await ready
    return {
      file: JSON.parse(await readFile(path, 'utf8')) as Running['file'],
      dataDir: join(path, '..'),
      pid: child.pid!,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Answers a control call; throws with the code of a refusal. */
export async function control(file: Running['file'], name: string, input: Json = {}): Promise<Json> {
  const response = await fetch(file.control.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${file.control.key}` },
    body: JSON.stringify({ name, input }),
  })
  const answer = (await response.json()) as { ok: boolean; value?: unknown; error?: unknown }
  if (!answer.ok) throw new Error(`${name}: ${JSON.stringify(answer.error)}`)
  return record(answer.value, name)
}

/** The access token of a client. */
export async function tokenOf(baseUrl: string, { clientId, clientSecret }: Credentials): Promise<string> {
  const response = await fetch(
    `${baseUrl}/v2/token?${new URLSearchParams({ client_id: clientId, client_secret: clientSecret }).toString()}`,
  )
  const body = (await response.json()) as { access_token?: string }
  if (body.access_token === undefined) throw new Error(`no token: HTTP ${response.status} ${JSON.stringify(body)}`)
  return body.access_token
}

/** Organizations with one administrator and one client each. */
export async function addOrganization(file: Running['file'], changes: Json = {}): Promise<Organization> {
  const call = (name: string, input: Json): Promise<Json> => control(file, name, input)
  const state = {
    name: 'Conformance',
    apiEnabled: true,
    subscribed: true,
    quotaTokens: null,
    spendingCapEuros: null,
    eurosPerMillionTokens: 0,
    ...changes,
  }
  const id = String((await call('organizations.save', { id: null, ...state }))['id'])
  const accountId = String(
    (
      await call('accounts.save', {
        id: null,
        organizationId: id,
        name: 'Administrator',
        active: true,
        administrator: true,
      })
    )['id'],
  )
  const addClient = async (): Promise<Credentials> => (await call('clients.add', { accountId })) as Credentials
  const client = await addClient()
  let token: Promise<string> | null = null
  return {
    ...client,
    id,
    accountId,
    token: () => (token ??= tokenOf(file.baseUrl, client)),
    save: async (more) => void (await call('organizations.save', { id, ...Object.assign(state, more) })),
    addClient,
  }
}

/** Well below the limit of 100 requests a minute. */
const requestsPerOrganization = 80

async function targetOf(
  running: Running,
  hooks: Hooks,
  model: ModelServer,
  strict: Own['strict'],
  setScript: (script: ModelScript | null) => void,
): Promise<Target> {
  const { file, dataDir } = running
  const call: Own['call'] = (name, input) => control(file, name, input)
  let token: Promise<string> | null = null
  let current: { organization: Promise<Organization>; left: number } | null = null
  const own: Own = {
    call,
    organization: (changes) => addOrganization(file, changes),
    agent: async (input) => String((await call('agents.save', input))['reference']),
    model: { baseUrl: model.baseUrl, requests: model.requests, answer: setScript },
    modelsServedBy: async (server) => void (await call('models.save', { apiKey: null, ...server })),
    reset: async () => {
      setScript(null)
      await own.modelsServedBy({ baseUrl: model.baseUrl, large: 'big', small: 'tiny' })
    },
    sign: async (claims, header = { alg: 'HS256', typ: 'JWT' }, key) => {
      const part = (value: Json): string => Buffer.from(JSON.stringify(value)).toString('base64url')
      const content = `${part(header)}.${part(claims)}`
      return `${content}.${createHmac('sha256', key ?? (await readFile(join(dataDir, 'service.key'))))
        .update(content)
        .digest('base64url')}`
    },
    strict,
  }
  return {
    baseUrl: file.baseUrl,
    clientId: file.clientId,
    clientSecret: file.clientSecret,
    token: () => (token ??= tokenOf(file.baseUrl, file)),
    bearer: async () => {
      if (current === null || current.left === 0)
        current = { organization: addOrganization(file), left: requestsPerOrganization }
      current.left--
      return (await current.organization).token()
    },
    documentalist: null,
    privateDocumentalist: null,
    extractor: null,
    hook: hooks.open,
    own,
  }
}

async function addAgents(target: Target, dataDir: string): Promise<void> {
  const own = target.own!
  target.extractor = await own.agent({
    kind: 'extractor',
    name: 'Invoices',
    visibility: 'Organization',
    schema: agentFields,
  })
  target.privateDocumentalist = await own.agent({
    kind: 'documentalist',
    name: 'Private matters',
    visibility: 'Private',
  })
  target.documentalist = await addDocumentalist(own, dataDir, {})
}

/** A Documentalist that has read one document of `knownLines`. */
export async function addDocumentalist(own: Own, folder: string, changes: Json): Promise<string> {
  const reference = await own.agent({
    kind: 'documentalist',
    name: 'Contracts',
    visibility: 'Organization',
    ...changes,
  })
  const directory = join(folder, randomUUID())
  await mkdir(directory)
  await writeFile(join(directory, 'lease.pdf'), pdf(knownLines))
  await own.call('agents.addDocuments', { reference, paths: [directory] })
  for (let tries = 0; tries < 300; tries++) {
    const { documents } = (await own.call('agents.documents', { reference })) as { documents: { state: string }[] }
    if (documents.length > 0 && documents.every(({ state }) => state === 'ready')) break
    if (tries === 299) throw new Error(`the Documentalist did not read its document: ${JSON.stringify(documents)}`)
    await wait(50)
  }
  await rm(directory, { recursive: true })
  return reference
}
