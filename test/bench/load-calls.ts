import { randomUUID } from 'node:crypto'
import { addDocumentalist } from '../conformance/own-service.ts'
import type { Organization } from '../conformance/target.ts'
import type { Hooks } from '../conformance/hooks.ts'
import { knownQuestion } from '../conformance/material.ts'
import type { Target } from '../conformance/target.ts'
import { pdf } from '../service/documents.ts'

/** One call that was answered, or that got no answer (`status` 0). Times are those of `performance.now()`. */
export type Call = {
  name: string
  organization: string
  status: number
  code: string
  wrong: string
  sentMs: number
  endedMs: number
}

/** A document that was accepted: its webhook must come once, with this number in it. */
export type StoredDocument = { extractId: string; number: string; calls: { body: Record<string, unknown> }[] }

export type Member = { organization: Organization; token: string }

export type World = { baseUrl: string; documentalist: string; hooks: Hooks; calls: Call[]; documents: StoredDocument[] }

export type Answered = { status: number; text: string }

/** Calls that go through the proxy's rate limit, whatever comes of them. */
export const proxyCalls = new Set(['models', 'chat', 'chat stream', 'bad chat'])

let documentsMade = 0

/** A Documentalist that every organization may ask. */
export function publicDocumentalist(target: Target, folder: string): Promise<string> {
  return addDocumentalist(target.own!, folder, { visibility: 'Public' })
}

/** Does one call and notes what came of it; `expect` gives what is wrong with an answer, or ''. */
export async function note(
  world: World,
  member: Member,
  name: string,
  send: () => Promise<Response>,
  expect: (answer: Answered) => string,
): Promise<Answered> {
  const call: Call = {
    name,
    organization: member.organization.id,
    status: 0,
    code: '',
    wrong: '',
    sentMs: performance.now(),
    endedMs: 0,
  }
  let text = ''
  try {
    const response = await send()
    call.status = response.status
    text = await response.text()
    if (response.status >= 400) call.code = codeOf(text)
    call.wrong = isLimit(name, call) ? '' : expect({ status: response.status, text })
    if (
      call.status === 429 &&
      call.code === 'rate_limit_exceeded' &&
      !/^[1-9]\d*$/.test(response.headers.get('retry-after') ?? '')
    )
      call.wrong = '429 without Retry-After'
  } catch (error) {
    call.wrong =
      error instanceof Error
        ? `${error.message} ${error.cause instanceof Error ? error.cause.message : ''}`
        : String(error)
  }
  call.endedMs = performance.now()
  world.calls.push(call)
  return { status: call.status, text }
}

function isLimit(name: string, { status, code }: Call): boolean {
  return (
    proxyCalls.has(name) && status === 429 && (code === 'rate_limit_exceeded' || code === 'concurrent_limit_exceeded')
  )
}

function codeOf(text: string): string {
  try {
    const body = JSON.parse(text) as { code?: string; error?: { code?: string } }
    return body.error?.code ?? body.code ?? ''
  } catch {
    return 'no JSON'
  }
}

const json = (world: World, path: string, headers: Record<string, string>, body: unknown): Promise<Response> =>
  fetch(`${world.baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

const wants =
  (status: number, pattern: RegExp) =>
  (answer: Answered): string => {
    if (answer.status !== status) return `HTTP ${answer.status} instead of ${status}: ${answer.text.slice(0, 120)}`
    return pattern.test(answer.text) ? '' : `an answer without ${String(pattern)}: ${answer.text.slice(0, 120)}`
  }

const bearer = ({ token }: Member): Record<string, string> => ({ authorization: `Bearer ${token}` })
const apiKey = ({ token }: Member): Record<string, string> => ({ 'x-api-key': token })

/** A chat whose text tells the scripted model which organization asks. */
export function chat(world: World, member: Member, stream: boolean): Promise<Answered> {
  const mark = randomUUID()
  const messages = [{ role: 'user', content: `organization ${member.organization.id} ${mark}` }]
  return note(
    world,
    member,
    stream ? 'chat stream' : 'chat',
    () => json(world, '/compat/v1/chat/completions', bearer(member), { model: 'svc-small', messages, stream }),
    (answer) => {
      const wrong = wants(200, new RegExp(mark))(answer)
      return wrong === '' && stream && !answer.text.endsWith('data: [DONE]\n\n') ? 'a stream without [DONE]' : wrong
    },
  )
}

const numberField = [{ name: 'Invoice number', format: 'text', description: 'The number of the invoice' }]

function numbered(): { number: string; body: Record<string, unknown> } {
  const number = `RE-${100_000 + documentsMade++}`
  return {
    number,
    body: {
      filename: `${number}.pdf`,
      file: pdf([`Invoice number: ${number}`, 'Total amount: 119.50']).toString('base64'),
      params: numberField,
    },
  }
}

async function extract(world: World, member: Member): Promise<void> {
  const { number, body } = numbered()
  await note(
    world,
    member,
    'extractor',
    () => json(world, '/v2/extractor', apiKey(member), body),
    wants(200, new RegExp(`"Invoice number":"${number}"`)),
  )
}

async function extractLater(world: World, member: Member): Promise<void> {
  const { number, body } = numbered()
  const hook = world.hooks.open()
  const { status, text } = await note(
    world,
    member,
    'extractor async',
    () => json(world, '/v2/extractor/async', apiKey(member), { ...body, callback: hook.url }),
    wants(200, /"status":"started"/),
  )
  if (status === 200)
    world.documents.push({
      extractId: (JSON.parse(text) as { extract_id: string }).extract_id,
      number,
      calls: hook.calls,
    })
}

/** Bad input and the status that it must have. */
const bad: [string, number, (world: World, member: Member) => Promise<Response>][] = [
  [
    'bad extraction',
    400,
    (world, member) => json(world, '/v2/extractor', apiKey(member), '{"filename":"a.pdf","file":"QUJD'),
  ],
  [
    'bad extraction',
    400,
    (world, member) =>
      json(world, '/v2/extractor', apiKey(member), { filename: 'a.pdf', file: 'no base64!', params: numberField }),
  ],
  [
    'bad extraction',
    415,
    (world, member) => json(world, '/v2/extractor', apiKey(member), { ...numbered().body, filename: 'a.exe' }),
  ],
  [
    'bad extraction',
    422,
    (world, member) =>
      json(world, '/v2/extractor', apiKey(member), {
        ...numbered().body,
        file: Buffer.from('%PDF-1.4\nbroken').toString('base64'),
      }),
  ],
  ['bad token', 401, (world) => json(world, '/v2/extractor', { 'x-api-key': 'wrong' }, {})],
  [
    'bad token',
    401,
    (world, member) => fetch(`${world.baseUrl}/v2/token?client_id=${member.organization.clientId}&client_secret=wrong`),
  ],
  ['bad path', 404, (world, member) => json(world, '/v2/extractor/unknown', apiKey(member), {})],
  [
    'bad question',
    400,
    (world, member) => json(world, `/v2/documentalist/${world.documentalist}`, apiKey(member), { query: '' }),
  ],
  ['bad chat', 400, (world, member) => json(world, '/compat/v1/chat/completions', bearer(member), { messages: [] })],
  [
    'bad chat',
    400,
    (world, member) =>
      json(world, '/compat/v1/chat/completions', bearer(member), { messages: [{ role: 'user', content: 'x' }], n: 3 }),
  ],
]

/** The mix: how often each call is made, of 100. */
const mix: [number, (world: World, member: Member) => Promise<unknown>][] = [
  [
    8,
    (world, { organization, token }) =>
      note(
        world,
        { organization, token },
        'token',
        () =>
          fetch(
            `${world.baseUrl}/v2/token?${new URLSearchParams({ client_id: organization.clientId, client_secret: organization.clientSecret }).toString()}`,
          ),
        wants(200, /"access_token"/),
      ),
  ],
  [
    16,
    (world, member) =>
      note(
        world,
        member,
        'models',
        () => fetch(`${world.baseUrl}/compat/v1/models`, { headers: bearer(member) }),
        wants(200, /"svc-large"/),
      ),
  ],
  [14, (world, member) => chat(world, member, false)],
  [14, (world, member) => chat(world, member, true)],
  [
    12,
    (world, member) =>
      note(
        world,
        member,
        'documentalist',
        () =>
          json(world, `/v2/documentalist/${world.documentalist}`, apiKey(member), {
            query: knownQuestion,
            thread_id: randomUUID(),
          }),
        wants(200, /\S/),
      ),
  ],
  [10, extract],
  [8, extractLater],
  [
    18,
    (world, member) => {
      const [name, status, send] = bad[Math.floor(Math.random() * bad.length)]!
      return note(world, member, name, () => send(world, member), wants(status, /"(code|error)"/))
    },
  ],
]

/** One call by chance. */
export async function anyCall(world: World, member: Member): Promise<void> {
  let at = Math.random() * 100
  for (const [share, call] of mix) {
    at -= share
    if (at < 0) return void (await call(world, member))
  }
}
