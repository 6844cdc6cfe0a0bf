import type { ServiceOptions } from '../../electron/service/service.ts'
import { startModelServer } from '../helpers/model-server.ts'
import type { ModelScript, ModelServer } from '../helpers/model-server.ts'
import { startRig } from './setup.ts'
import type { Rig } from './setup.ts'

export type Member = { organizationId: string; token: string }

export type CompatRig = {
  rig: Rig
  model: ModelServer
  /** How the model answers from now on; nothing gives the echo. */
  answer(script?: ModelScript): void
  /** A chat completion through the proxy; without a `token` that of the service's own client. */
  chat(body: unknown, options?: { token?: string; signal?: AbortSignal }): Promise<Response>
  /** A new organization with a client, so that no other test uses its limits up. */
  member(): Promise<Member>
  /** Tokens that an organization was charged with, by request. */
  charged(organizationId: string): Promise<{ requests: number; inputTokens: number; outputTokens: number }>
  close(): Promise<void>
}

export const question = { model: 'svc-large', messages: [{ role: 'user', content: 'How are you?' }] }

/** A service whose aliases are served by a scripted model server: `big` behind svc-large, `tiny` behind svc-small. */
export async function startCompatRig(limits: ServiceOptions['limits'] = {}): Promise<CompatRig> {
  let script: ModelScript = () => undefined
  const model = await startModelServer((...request) => script(...request))
  const rig = await startRig({ limits })
  await rig.control('models.save', { baseUrl: model.baseUrl, apiKey: 'model-key', large: 'big', small: 'tiny' })
  return {
    rig,
    model,
    answer: (next = () => undefined) => void (script = next),
    chat: (body, { token = rig.token, signal } = {}) =>
      fetch(`${rig.service.baseUrl}/compat/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: typeof body === 'string' ? body : JSON.stringify(body),
        ...(signal ? { signal } : {}),
      }),
    async member() {
      const { id: organizationId } = await rig.control('organizations.save', {
        id: null,
        name: 'Other',
        apiEnabled: true,
        subscribed: true,
        quotaTokens: null,
        spendingCapEuros: null,
        eurosPerMillionTokens: 0,
      })
      const { id: accountId } = await rig.control('accounts.save', {
        id: null,
        organizationId,
        name: 'Ada',
        active: true,
        administrator: true,
      })
      const { clientId, clientSecret } = await rig.control('clients.add', { accountId })
      const query = new URLSearchParams({ client_id: clientId, client_secret: clientSecret })
      const response = await fetch(`${rig.service.baseUrl}/v2/token?${query.toString()}`)
      return { organizationId, token: ((await response.json()) as { access_token: string }).access_token }
    },
    async charged(organizationId) {
      const rows = rig.usageRows()
      const mine = rows.filter((row) => row.organizationId === organizationId && row.kind === 'chat')
      const total = (name: 'requests' | 'inputTokens' | 'outputTokens'): number =>
        mine.reduce((sum, row) => sum + row[name], 0)
      return { requests: total('requests'), inputTokens: total('inputTokens'), outputTokens: total('outputTokens') }
    },
    async close() {
      await rig.close()
      await model.close()
    },
  }
}

/** The `data:` lines of a whole stream. */
export async function framesOf(response: Response): Promise<string[]> {
  return (await response.text())
    .split('\n\n')
    .filter((frame) => frame !== '')
    .map((frame) => frame.replace(/^data: /, ''))
}

/** Reads on until `needle` has come, and leaves the stream open. */
export async function readUntil(reader: ReadableStreamDefaultReader<Uint8Array>, needle: string): Promise<string> {
  let text = ''
  while (!text.includes(needle)) {
    const { done, value } = await reader.read()
    if (done) throw new Error(`the stream ended without «${needle}»: ${text}`)
    text += new TextDecoder().decode(value)
  }
  return text
}
