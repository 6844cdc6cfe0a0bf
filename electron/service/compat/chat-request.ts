import type { IncomingMessage } from 'node:http'
import { maxProxyRequestBytes } from '../../../shared/domain/limits.ts'
import { estimateTokens } from '../models/completion.ts'
import type { AliasRequest, ModelAlias } from '../models/model-servers.ts'
import { modelAliases } from '../models/model-servers.ts'
import { maxOutputTokens } from './limits.ts'
import { ProxyError } from './proxy-error.ts'

/**
 * spec, Limits, «Request size»: judged by the declared length alone, before any of the body is read. Throws
 * `ProxyError` 411 or 413.
 */
export function requireContentLength({ headers }: IncomingMessage): void {
  // Node's parser has checked that it is a number, and that there is only one and no transfer encoding beside it.
  const declared = headers['content-length']
  if (declared === undefined) throw new ProxyError('missing_content_length')
  if (Number(declared) > maxProxyRequestBytes) throw new ProxyError('request_too_large')
}

/** What a checked request asks for. */
export type ChatRequest = {
  alias: ModelAlias
  stream: boolean
  /** The client asked for the usage as the last frame of its stream. */
  wantsUsageFrame: boolean
  /** Counted for the question where the model's server reports no usage. */
  estimatedInputTokens: number
  query: AliasRequest
}

/**
 * spec, «POST /compat/v1/chat/completions»: relayed as given. What is not in the table is not relayed: it could lift a
 * limit.
 */
const relayed = [
  'messages',
  'tools',
  'tool_choice',
  'temperature',
  'top_p',
  'presence_penalty',
  'frequency_penalty',
  'stop',
  'stream_options',
  'response_format',
  'chat_template_kwargs',
]

/**
 * Checks a body by the parameter table of the spec, in its order of refusals: what is no request, `stream`, the
 * parameters that are not supported, the model. `null` is the same as absent. Throws `ProxyError` 400.
 */
export function parseChatRequest(bytes: Uint8Array): ChatRequest {
  const fields = parseObject(bytes)
  const messages = fields['messages']
  if (!Array.isArray(messages) || messages.length === 0)
    throw invalidRequest('`messages` must be an array with at least one message.')
  if (!messages.every((message) => typeof message === 'object' && message !== null && !Array.isArray(message))) {
    throw invalidRequest('Each element of `messages` must be an object.')
  }
  const stream = fields['stream'] ?? false
  if (typeof stream !== 'boolean') throw new ProxyError('invalid_value')
  refuseUnsupported(fields)
  const bounds = outputBounds(fields)
  const alias = fields['model'] ?? modelAliases[0]
  if (!isAlias(alias)) throw new ProxyError('model_not_found')

  const streamOptions = streamOptionsOf(fields)
  const wantsUsageFrame = streamOptions['include_usage'] === true
  const given = Object.fromEntries(relayed.filter((name) => name in fields).map((name) => [name, fields[name]]))
  const droppable = [...bounds.droppable]
  const parameters: Record<string, unknown> = { ...given, stream, ...bounds.parameters }
  if ((given['chat_template_kwargs'] ?? null) === null) {
    droppable.push('chat_template_kwargs')
    parameters['chat_template_kwargs'] = { enable_thinking: false }
  }
  if (stream) {
    // Asked for on the service's own account: what a client is charged with is not for the client to decide.
    parameters['stream_options'] = { ...streamOptions, include_usage: true }
    if (!wantsUsageFrame && Object.keys(streamOptions).every((name) => name === 'include_usage'))
      droppable.push('stream_options')
  }
  return {
    alias,
    stream,
    wantsUsageFrame,
    estimatedInputTokens: estimateTokens(JSON.stringify(given).length),
    query: { parameters, droppable },
  }
}

function parseObject(bytes: Uint8Array): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    // What is nested so deep that it cannot be written again cannot be relayed.
    JSON.stringify(value)
  } catch {
    throw invalidRequest('The body is not JSON.')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidRequest('The body is not a JSON object.')
  return value as Record<string, unknown>
}

function refuseUnsupported(fields: Record<string, unknown>): void {
  const { n } = fields
  if ((n ?? 1) !== 1) throw new ProxyError('unsupported_parameter', { message: '`n` can only be 1.' })
  for (const name of ['logprobs', 'logit_bias']) {
    if ((fields[name] ?? null) !== null)
      throw new ProxyError('unsupported_parameter', { message: `\`${name}\` is not supported.` })
  }
}

/**
 * The bound on output tokens (spec, Limits), each name capped by itself. Some servers know only the older name: so that
 * the newer one wins there as well, the older goes along with its value, and the bound that nobody gave has the older
 * name.
 */
function outputBounds(fields: Record<string, unknown>): { parameters: Record<string, number>; droppable: string[] } {
  const newer = capped(fields, 'max_completion_tokens')
  const older = capped(fields, 'max_tokens')
  if (newer !== null) return { parameters: { max_completion_tokens: newer, max_tokens: newer }, droppable: [] }
  return { parameters: { max_tokens: older ?? maxOutputTokens }, droppable: older === null ? ['max_tokens'] : [] }
}

function capped(fields: Record<string, unknown>, name: string): number | null {
  const value = fields[name] ?? null
  if (value === null) return null
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1)
    throw invalidRequest(`\`${name}\` must be a whole number from 1 on.`)
  return Math.min(value, maxOutputTokens)
}

function streamOptionsOf(fields: Record<string, unknown>): Record<string, unknown> {
  const options = fields['stream_options'] ?? {}
  if (typeof options !== 'object' || Array.isArray(options)) throw invalidRequest('`stream_options` must be an object.')
  return options as Record<string, unknown>
}

function isAlias(value: unknown): value is ModelAlias {
  return (modelAliases as readonly unknown[]).includes(value)
}

function invalidRequest(message: string): ProxyError {
  return new ProxyError('invalid_request', { message })
}
