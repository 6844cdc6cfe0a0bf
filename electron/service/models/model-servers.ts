import { join } from 'node:path'
import * as z from 'zod'
import { AppError } from '../../../shared/domain/errors.ts'
import { isAllowedHost, requireAllowedHost } from '../../../shared/domain/policies.ts'
import type { Policies } from '../../../shared/domain/policies.ts'
import type { ControlInput, ControlOutput, ModelServer } from '../../../shared/wire/service-control.ts'
import { readFileIfAny, writePrivateFile } from '../../system/private-files.ts'
import { estimateTokens, UsageTally } from './completion.ts'
import type { Completion, CompletionChunk, CompletionRequest } from './completion.ts'
import type { ModelMessage, ModelUsage, TextModel } from './text-model.ts'
import { Upstream } from './upstream.ts'
import type { ModelAddress } from './upstream.ts'

/** spec, «POST /compat/v1/chat/completions»: model identifiers; the first one is the default. */
export const modelAliases = ['svc-large', 'svc-small'] as const
export type ModelAlias = (typeof modelAliases)[number]

/** A request for whatever model stands behind an alias: everything but its name. */
export type AliasRequest = { parameters: Record<string, unknown>; droppable: readonly string[] }

export type ModelTimes = {
  /** For an answer that is not streamed, from the question to its last byte. */
  answerTimeoutMs: number
  /** For a streamed answer, until its first chunk and between two of them. */
  silenceTimeoutMs: number
}

/**
 * The spec gives no figures but for the whole stream; a model on an office computer thinks long before its first word.
 */
const defaultTimes: ModelTimes = { answerTimeoutMs: 5 * 60_000, silenceTimeoutMs: 2 * 60_000 }

const storedServer = z.object({
  baseUrl: z.url(),
  apiKey: z.string().min(1).nullable(),
  large: z.string().nullable(),
  small: z.string().nullable(),
})
type StoredServer = z.output<typeof storedServer>

/**
 * The OpenAI-compatible server that a person named, kept in `<dataDir>/models.json` (mode 0600), and its models behind
 * the two aliases. Without one nothing is served: every question is `model_unavailable`. One on a host that an
 * administrator does not allow stays stored and is not used.
 */
export class ModelServers {
  readonly #path: string
  readonly #upstream = new Upstream()
  readonly #times: ModelTimes
  readonly #policies: Policies
  #server: StoredServer | null

  private constructor(path: string, server: StoredServer | null, times: ModelTimes, policies: Policies) {
    this.#path = path
    this.#policies = policies
    this.#server = server
    this.#times = times
  }

  /** Reads what is stored; a file that is missing or broken means that no server is named. */
  static async open(dataDir: string, times: Partial<ModelTimes> = {}, policies: Policies = {}): Promise<ModelServers> {
    const path = join(dataDir, 'models.json')
    const bytes = await readFileIfAny(path)
    const stored = storedServer
      .nullable()
      .catch(null)
      .parse(bytes === null ? null : jsonOrNull(bytes.toString('utf8')))
    return new ModelServers(path, stored, { ...defaultTimes, ...times }, policies)
  }

  /** The key itself is never given out. */
  get(): ModelServer {
    const server = this.#server
    if (server === null) return { baseUrl: null, hasKey: false, large: null, small: null }
    return { baseUrl: server.baseUrl, hasKey: server.apiKey !== null, large: server.large, small: server.small }
  }

  /**
   * Names another server, or none. An absent key keeps the stored one as long as it goes to the same host: a key is
   * never sent to a host that it was not given for. Throws `address_invalid`, `set_by_administrator`.
   */
  async save(input: ControlInput<'models.save'>): Promise<ModelServer> {
    const server =
      input.baseUrl === null
        ? null
        : { ...this.#addressOf(input.baseUrl, input.apiKey), large: input.large, small: input.small }
    await writePrivateFile(this.#path, `${JSON.stringify(server, null, 2)}\n`)
    this.#server = server
    return this.get()
  }

  /** The models of a server that may not be saved yet; why there are none, as a problem. */
  async discover(input: ControlInput<'models.discover'>): Promise<ControlOutput<'models.discover'>> {
    try {
      return { models: await this.#upstream.models(this.#addressOf(input.baseUrl, input.apiKey)), problem: null }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return { models: [], problem: { code: error.code, details: error.details } }
    }
  }

  /** Whether a model stands behind the alias just now. */
  serves(alias: ModelAlias): boolean {
    return this.#modelBehind(alias) !== null
  }

  /** A whole answer. Throws `model_unavailable`, `model_failed`, `model_timeout`, or the reason of `signal`. */
  async complete(alias: ModelAlias, query: AliasRequest, signal: AbortSignal): Promise<Completion> {
    const { address, request } = this.#resolve(alias, query)
    return this.#upstream.complete(address, request, { signal, timeoutMs: this.#times.answerTimeoutMs })
  }

  /** The chunks of an answer as they come; errors as in `complete`. Returns only when the answer is whole. */
  async *stream(alias: ModelAlias, query: AliasRequest, signal: AbortSignal): AsyncGenerator<CompletionChunk, void> {
    const { address, request } = this.#resolve(alias, query)
    yield* this.#upstream.stream(address, request, { signal, ...this.#times })
  }

  /** The best model that is served, for answers that the service writes itself; null when there is none. */
  textModel(): TextModel | null {
    const alias = modelAliases.find((each) => this.serves(each))
    if (alias === undefined) return null
    return { stream: (messages, { signal, maxTokens }) => this.#write(alias, messages, maxTokens, signal) }
  }

  close(): Promise<void> {
    return this.#upstream.close()
  }

  async *#write(
    alias: ModelAlias,
    messages: ModelMessage[],
    maxTokens: number,
    signal: AbortSignal,
  ): AsyncGenerator<string, ModelUsage> {
    const tally = new UsageTally(estimateTokens(JSON.stringify(messages).length))
    const parameters = {
      messages,
      stream: true,
      max_tokens: maxTokens,
      stream_options: { include_usage: true },
      chat_template_kwargs: { enable_thinking: false },
    }
    for await (const chunk of this.stream(
      alias,
      { parameters, droppable: ['max_tokens', 'stream_options', 'chat_template_kwargs'] },
      signal,
    )) {
      tally.add(chunk)
      if (chunk.content !== '') yield chunk.content
    }
    return tally.usage
  }

  #modelBehind(alias: ModelAlias): string | null {
    if (!this.#isAllowed()) return null
    return (alias === 'svc-large' ? this.#server?.large : this.#server?.small) ?? null
  }

  #isAllowed(): boolean {
    return isAllowedHost(this.#policies.AllowedModelServerHosts, this.#server?.baseUrl ?? '')
  }

  #resolve(alias: ModelAlias, query: AliasRequest): { address: ModelAddress; request: CompletionRequest } {
    const model = this.#modelBehind(alias)
    if (this.#server === null || model === null) throw new AppError('model_unavailable')
    return { address: this.#server, request: { body: { ...query.parameters, model }, droppable: query.droppable } }
  }

  #addressOf(baseUrl: string, apiKey: string | null | undefined): ModelAddress {
    const normal = normalBaseUrl(baseUrl)
    requireAllowedHost(this.#policies, 'AllowedModelServerHosts', normal)
    const kept =
      this.#server !== null && new URL(this.#server.baseUrl).origin === new URL(normal).origin
        ? this.#server.apiKey
        : null
    // Keys are pasted with a line's end, which no header takes.
    return { baseUrl: normal, apiKey: apiKey === undefined ? kept : apiKey?.trim() || null }
  }
}

/**
 * The address without what does not belong to a base: a query, a trailing slash, the path of one endpoint. Where no
 * part of the path is a version, `/v1` is added, as Ollama, LM Studio, llama.cpp and vLLM have it. Throws
 * `address_invalid`.
 */
export function normalBaseUrl(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new AppError('address_invalid', { address: url === null ? address.slice(0, 200) : url.host })
  }
  const path = url.pathname.replace(/\/+$/, '').replace(/\/(chat\/completions|models)$/, '')
  return `${url.origin}${path}${/\/v\d/.test(path) ? '' : '/v1'}`
}

function jsonOrNull(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    return null
  }
}
