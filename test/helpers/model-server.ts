import { createServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A request that arrived whole. `left` resolves when its client went away before the answer was finished. */
export type ModelRequest = {
  path: string
  headers: IncomingHttpHeaders
  body: Record<string, unknown>
  left: Promise<void>
}

export type ScriptedToolCall = { id: string; name: string; arguments: string }

/** What a model server does with one chat completion. A plain text is an answer with that text. */
export type ModelReply = {
  /** The pieces of the text, one streamed frame each; together the content of an answer that is not streamed. */
  pieces?: string[]
  toolCalls?: ScriptedToolCall[]
  /** Default `stop`, or `tool_calls` when there are some. */
  finishReason?: string
  /** Default: words of the messages and of the answer. null: none is told. */
  usage?: { prompt_tokens: number; completion_tokens: number } | null
  /**
   * Awaited before frame `index` of a stream (0 is the first, the last is the one with the finish reason), so that a
   * test can hold it open.
   */
  gate?: (index: number) => Promise<unknown> | undefined
  /**
   * How a stream ends after its pieces: `whole` (default), `no-done` (the connection ends well, without `[DONE]`),
   * `no-finish` (`[DONE]` without a finish reason), `cut` (neither), `error` (an error frame), `drop` (the connection
   * breaks), `silence` (nothing any more).
   */
  ending?: 'whole' | 'no-done' | 'no-finish' | 'cut' | 'error' | 'drop' | 'silence'
  /** Sent as they are before everything else of a stream, e.g. `: keep-alive\n\n`. */
  rawBefore?: string
  /** Another status than 200, or a body that is sent as it is. */
  status?: number
  body?: string
  headers?: Record<string, string>
  /** `never`: not one byte. `drop`: the connection breaks before the first byte. */
  answer?: 'never' | 'drop'
}

export type ModelScript = (
  request: ModelRequest,
  index: number,
) => string | ModelReply | undefined | Promise<string | ModelReply | undefined>

export type ModelServer = {
  /** Ends in `/v1`. */
  baseUrl: string
  /** Every chat completion that arrived, in order. */
  requests: ModelRequest[]
  /** Resolves with the first `count` chat completions as soon as so many have arrived. */
  next(count: number): Promise<ModelRequest[]>
  close(): Promise<void>
}

/**
 * An OpenAI-compatible model server on loopback, written from that convention's text. Without a script, or when it
 * gives nothing, a completion is `Echo: <last user message>`, streamed word by word.
 */
export async function startModelServer(
  script: ModelScript = () => undefined,
  options: {
    models?: string[]
    port?: number
    modelsReply?: { status: number; body: string; headers?: Record<string, string> }
  } = {},
): Promise<ModelServer> {
  const requests: ModelRequest[] = []
  let waiting: (() => void)[] = []

  async function respond(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = incoming.url ?? ''
    if (path === '/v1/models' && incoming.method === 'GET')
      return sendModels(response, options.models ?? ['big', 'tiny'], options.modelsReply)
    const sent = await text(incoming)
    if (path !== '/v1/chat/completions' || incoming.method !== 'POST')
      return sendJson(response, 404, { error: { message: 'no such path' } })
    const request: ModelRequest = {
      path,
      headers: incoming.headers,
      body: JSON.parse(sent) as Record<string, unknown>,
      left: leaving(response),
    }
    const index = requests.push(request) - 1
    for (const wake of waiting) wake()
    waiting = []
    const scripted = (await script(request, index)) ?? `Echo: ${lastUserMessage(request.body)}`
    const reply = typeof scripted === 'string' ? { pieces: scripted.match(/\S+\s*|\s+/g) ?? [] } : scripted
    return answer(request, reply, response)
  }

  async function answer(request: ModelRequest, reply: ModelReply, response: ServerResponse): Promise<void> {
    if (reply.answer === 'never') return
    if (reply.answer === 'drop') return void response.destroy()
    if (reply.body !== undefined || (reply.status ?? 200) !== 200) {
      response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers })
      return void response.end(reply.body ?? '{"error":{"message":"scripted failure","type":"server_error"}}')
    }
    if (request.body['stream'] === true) await streamAnswer(response, request.body, reply)
    else sendJson(response, 200, wholeAnswer(request.body, reply))
  }

  const server = createServer((incoming, response) => {
    respond(incoming, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    async next(count) {
      while (requests.length < count) await new Promise<void>((resolve) => waiting.push(resolve))
      return requests.slice(0, count)
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function leaving(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    response.once('close', () => {
      if (!response.writableFinished) resolve()
    })
  })
}

function sendModels(
  response: ServerResponse,
  models: string[],
  scripted: { status: number; body: string; headers?: Record<string, string> } | undefined,
): void {
  if (scripted === undefined)
    return sendJson(response, 200, {
      object: 'list',
      data: models.map((id) => ({ id, object: 'model', created: 1700000000, owned_by: 'library' })),
    })
  response.writeHead(scripted.status, { 'content-type': 'application/json', ...scripted.headers })
  response.end(scripted.body)
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value))
}

const identity = (body: Record<string, unknown>): { id: string; created: number; model: unknown } => ({
  id: 'chatcmpl-scripted',
  created: 1700000001,
  model: body['model'],
})

function wholeAnswer(body: Record<string, unknown>, reply: ModelReply): object {
  const calls = reply.toolCalls?.map(({ id, name, arguments: given }) => ({
    id,
    type: 'function',
    function: { name, arguments: given },
  }))
  const content = reply.pieces?.join('') ?? null
  const usage = usageOf(body, reply)
  return {
    ...identity(body),
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content, ...(calls ? { tool_calls: calls } : {}) },
        logprobs: null,
        finish_reason: finishReason(reply),
      },
    ],
    ...(usage ? { usage } : {}),
  }
}

async function streamAnswer(response: ServerResponse, body: Record<string, unknown>, reply: ModelReply): Promise<void> {
  const frame = (rest: object): Promise<void> =>
    write(response, `data: ${JSON.stringify({ ...identity(body), object: 'chat.completion.chunk', ...rest })}\n\n`)
  const delta = (value: object, reason: string | null): Promise<void> =>
    frame({ choices: [{ index: 0, delta: value, finish_reason: reason }] })
  const ending = reply.ending ?? 'whole'
  response.writeHead(200, { 'content-type': 'text/event-stream', ...reply.headers })
  response.flushHeaders()
  if (reply.rawBefore !== undefined) await write(response, reply.rawBefore)
  const deltas = deltasOf(reply)
  const gate = reply.gate ?? (async () => undefined)
  for (const [index, value] of deltas.entries()) {
    await gate(index)
    await delta(value, null)
  }
  await gate(deltas.length)
  if (ending === 'silence') return
  if (ending === 'drop') return void response.destroy()
  if (ending === 'error')
    await write(response, 'data: {"error":{"message":"scripted failure","type":"server_error"}}\n\n')
  if (ending === 'whole' || ending === 'no-done') {
    await delta({}, finishReason(reply))
    const usage = usageOf(body, reply)
    const asked = (body['stream_options'] as { include_usage?: unknown } | undefined)?.include_usage === true
    if (asked && usage) await frame({ choices: [], usage })
  }
  if (ending === 'whole' || ending === 'no-finish') await write(response, 'data: [DONE]\n\n')
  response.end()
}

/** The pieces of the answer, and each call of a tool in three: its name, and its arguments in two halves. */
function deltasOf(reply: ModelReply): object[] {
  const deltas: object[] = (reply.pieces ?? []).map((content, index) => ({
    ...(index === 0 ? { role: 'assistant' } : {}),
    content,
  }))
  for (const [index, call] of (reply.toolCalls ?? []).entries()) {
    const middle = Math.ceil(call.arguments.length / 2)
    deltas.push({
      tool_calls: [{ index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } }],
    })
    for (const part of [call.arguments.slice(0, middle), call.arguments.slice(middle)])
      deltas.push({ tool_calls: [{ index, function: { arguments: part } }] })
  }
  return deltas
}

function write(response: ServerResponse, data: string): Promise<void> {
  return new Promise((resolve, reject) => response.write(data, (error) => (error ? reject(error) : resolve())))
}

function finishReason(reply: ModelReply): string {
  return reply.finishReason ?? (reply.toolCalls ? 'tool_calls' : 'stop')
}

function usageOf(
  body: Record<string, unknown>,
  reply: ModelReply,
): { prompt_tokens: number; completion_tokens: number; total_tokens: number } | null {
  if (reply.usage === null) return null
  const words = (value: string): number => value.split(/\s+/).filter(Boolean).length
  const asked = words(
    (body['messages'] as { content?: unknown }[]).map((message) => contentText(message.content)).join(' '),
  )
  const { prompt_tokens, completion_tokens } = reply.usage ?? {
    prompt_tokens: asked,
    completion_tokens: words((reply.pieces ?? []).join('')),
  }
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens }
}

function lastUserMessage(body: Record<string, unknown>): string {
  const messages = body['messages'] as { role?: unknown; content?: unknown }[]
  return contentText(messages.findLast((message) => message.role === 'user')?.content)
}

function contentText(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content ?? '')
}
