import { setTimeout as wait } from 'node:timers/promises'
import { Agent } from 'undici'
import type { Target } from './target.ts'

/** An answer that was read to its end. */
export type Answer = { status: number; headers: Headers; text: string }

/** For one request; every case ends by itself. */
const patienceMs = 45_000

async function whole(response: Response): Promise<Answer> {
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** The JSON object of an answer; throws with the beginning of what came instead. */
export function json(answer: Answer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(answer.text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // Said below.
  }
  throw new Error(`HTTP ${answer.status} with a body that is no JSON object: ${answer.text.slice(0, 200)}`)
}

/** Asks any path with nothing added. */
export async function plain(target: Target, path: string, init: RequestInit = {}): Promise<Answer> {
  return whole(
    await fetch(`${target.baseUrl}${path}`, { redirect: 'manual', signal: AbortSignal.timeout(patienceMs), ...init }),
  )
}

export function askToken(target: Target, query: Record<string, string>): Promise<Answer> {
  return plain(target, `/v2/token?${new URLSearchParams(query).toString()}`)
}

/** `POST` to an agent endpoint with the token in `x-api-key`. A text is sent as it is, everything else as JSON. */
export async function agent(target: Target, path: string, body: unknown, token?: string): Promise<Answer> {
  return whole(await agentStream(target, path, body, token))
}

/**
 * Keeps no connection. Megabytes take seconds to make, in which the other side may close one that was kept, and a
 * request that is sent over it meanwhile fails (RFC 9112, 9.3.1).
 */
const dispatcher = new Agent({ pipelining: 0 })

/** As `agent`, with the body still to be read. */
export async function agentStream(
  target: Target,
  path: string,
  body: unknown,
  token?: string,
  signal?: AbortSignal,
): Promise<Response> {
  const headers = { 'content-type': 'application/json', 'x-api-key': token ?? (await target.token()) }
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const init = { method: 'POST', headers, body: text, signal: signal ?? AbortSignal.timeout(patienceMs), dispatcher }
  return fetch(`${target.baseUrl}${path}`, init as RequestInit)
}

export type ProxyOptions = { token?: string | undefined; method?: string; base?: string; signal?: AbortSignal }

/** A request to the proxy with a Bearer credential. A text is sent as it is, everything else as JSON. */
export async function proxy(target: Target, path: string, body?: unknown, options: ProxyOptions = {}): Promise<Answer> {
  return whole(await proxyStream(target, path, body, options))
}

/** As `proxy`, with the body still to be read. */
export async function proxyStream(
  target: Target,
  path: string,
  body?: unknown,
  options: ProxyOptions = {},
): Promise<Response> {
  const { token, method = body === undefined ? 'GET' : 'POST', base = '/compat/v1', signal } = options
  const response = await fetch(`${target.baseUrl}${base}${path}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token ?? (await target.bearer())}` },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    signal: signal ?? AbortSignal.timeout(patienceMs),
  })
  // Somebody else may use the organization meanwhile; on a service of our own a limit is never met by chance.
  if (
    target.own !== null ||
    response.status !== 429 ||
    !(await response.clone().text()).includes('rate_limit_exceeded')
  )
    return response
  await wait(Number(response.headers.get('retry-after') ?? 1) * 1000)
  return proxyStream(target, path, body, options)
}

/** Little enough to ask of a model that somebody pays for. */
export const smallChat = {
  model: 'svc-small',
  messages: [{ role: 'user', content: 'Reply with the word: ready' }],
  max_completion_tokens: 32,
}

/** `POST /compat/v1/chat/completions` with `smallChat` and what a case changes of it. */
export function chat(
  target: Target,
  changes: Record<string, unknown> = {},
  options: ProxyOptions = {},
): Promise<Answer> {
  return proxy(target, '/chat/completions', { ...smallChat, ...changes }, options)
}

/** The `data` lines of a server-sent event stream, in order, with what stood in no such line. */
export function framesOf(text: string): { data: string[]; rest: string } {
  const lines = text.split(/\r\n|\n|\r/)
  return {
    data: lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5).trimStart()),
    rest: lines.filter((line) => line !== '' && !line.startsWith('data:') && !line.startsWith(':')).join('\n'),
  }
}

export type Streamed = Answer & {
  data: string[]
  content: string
  deltas: Record<string, unknown>[]
  errors: Record<string, unknown>[]
}

/** A streamed chat read to its end. */
export async function streamedChat(
  target: Target,
  changes: Record<string, unknown> = {},
  options: ProxyOptions = {},
): Promise<Streamed> {
  const answer = await chat(target, { stream: true, ...changes }, options)
  return { ...answer, ...readFrames(answer.text) }
}

export function readFrames(text: string): Pick<Streamed, 'data' | 'content' | 'deltas' | 'errors'> {
  const { data } = framesOf(text)
  const parsed = data.filter((line) => line !== '[DONE]').map((line) => JSON.parse(line) as Record<string, unknown>)
  const deltas = parsed.filter((frame) => !('error' in frame))
  const content = deltas
    .flatMap((frame) => (frame['choices'] as { delta?: { content?: unknown } }[] | undefined) ?? [])
    .map((choice) => (typeof choice.delta?.content === 'string' ? choice.delta.content : ''))
    .join('')
  return { data, content, deltas, errors: parsed.filter((frame) => 'error' in frame) }
}
