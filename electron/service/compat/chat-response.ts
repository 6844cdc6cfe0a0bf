import { randomUUID } from 'node:crypto'
import { estimateTokens, newToolCallId } from '../models/completion.ts'
import type { Completion, CompletionChunk, ToolCallDelta } from '../models/completion.ts'
import { modelAliases } from '../models/model-servers.ts'
import type { ModelAlias } from '../models/model-servers.ts'
import type { ModelUsage } from '../models/text-model.ts'

/** No model has a date of its own here: an alias is as old as the interface. */
const aliasCreated = 1_735_689_600

/**
 * spec, «Model (proxy)». Both aliases are always listed: one that is not served just now is answered with 503, not with
 * 404.
 */
export function modelList(): object {
  return {
    object: 'list',
    data: modelAliases.map((id) => ({ id, object: 'model', created: aliasCreated, owned_by: 'sheaf' })),
  }
}

/** What a whole answer used: what the server reported, else estimated. */
export function usageOf(completion: Completion, estimatedInputTokens: number): ModelUsage {
  if (completion.usage !== null) return completion.usage
  const written = completion.content.length + JSON.stringify(completion.toolCalls).length - 2
  return { inputTokens: estimatedInputTokens, outputTokens: estimateTokens(written) }
}

/** spec, «Chat completion (proxy)»: these fields and `created`, which clients of the convention expect. */
export function chatCompletion(alias: ModelAlias, completion: Completion, usage: ModelUsage): object {
  const { toolCalls, content } = completion
  const message = toolCalls.length > 0 ? { role: 'assistant', tool_calls: toolCalls } : { role: 'assistant', content }
  return {
    id: completion.id ?? newId(),
    object: 'chat.completion',
    created: completion.createdAt ?? nowSeconds(),
    model: alias,
    choices: [{ index: 0, message, finish_reason: toolCalls.length > 0 ? 'tool_calls' : 'stop' }],
    usage: usageObject(usage),
  }
}

/**
 * Turns the chunks of one stream into the frames of another: with the alias, one id, a role in the first frame whether
 * or not the server gave one, and nothing that is not answer.
 */
export class ChunkFrames {
  readonly #alias: ModelAlias
  #id: string | null = null
  #created: number | null = null
  readonly #calls = new Set<number>()
  #begun = false

  constructor(alias: ModelAlias) {
    this.#alias = alias
  }

  /**
   * The frame of a chunk, or null when it holds nothing for the client (thinking, usage). The finish reason waits for
   * `last`: until the model's stream has ended well, the answer is not complete.
   */
  frame(chunk: CompletionChunk): object | null {
    this.#id ??= chunk.id
    this.#created ??= chunk.createdAt
    const toolCalls = chunk.toolCalls.map((call) => this.#named(call))
    const delta = {
      ...(chunk.content === '' ? {} : { content: chunk.content }),
      ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
    }
    return Object.keys(delta).length === 0 ? null : this.#choice(delta, null)
  }

  /** The frames that end a whole answer; the usage only for a client that asked for it. */
  last(usage: ModelUsage | null): object[] {
    const finish = this.#choice({}, this.#calls.size > 0 ? 'tool_calls' : 'stop')
    return usage === null ? [finish] : [finish, this.#wrap({ choices: [], usage: usageObject(usage) })]
  }

  /** The first part of a call has its id and type, also where the server gave none. */
  #named(call: ToolCallDelta): ToolCallDelta {
    if (this.#calls.has(call.index)) return call
    this.#calls.add(call.index)
    return { index: call.index, id: call.id ?? newToolCallId(), type: 'function', function: call.function }
  }

  #choice(delta: object, finishReason: 'stop' | 'tool_calls' | null): object {
    const role = this.#begun ? {} : { role: 'assistant' }
    this.#begun = true
    return this.#wrap({ choices: [{ index: 0, delta: { ...role, ...delta }, finish_reason: finishReason }] })
  }

  #wrap(rest: object): object {
    this.#id ??= newId()
    this.#created ??= nowSeconds()
    return { id: this.#id, object: 'chat.completion.chunk', created: this.#created, model: this.#alias, ...rest }
  }
}

function usageObject({ inputTokens, outputTokens }: ModelUsage): object {
  return { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: inputTokens + outputTokens }
}

function newId(): string {
  return `chatcmpl-${randomUUID()}`
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000)
}
