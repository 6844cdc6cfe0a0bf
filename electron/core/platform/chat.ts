import { AppError } from '../../../shared/domain/errors.ts'
import { chatCompletion, chatFrame } from './wire-shapes.ts'
import type { ChatToolCallPart, WireCompletion } from './wire-shapes.ts'

/** spec, «Chat completion (proxy)»: `arguments` is text that holds JSON, as the model wrote it. */
export type ToolCall = { id: string; name: string; arguments: string }

type ChatMessage =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; content: string | null; toolCalls?: ToolCall[] }
  | { role: 'tool'; content: string; toolCallId: string }

type ResponseFormat =
  | { type: 'text' | 'json_object' }
  | { type: 'json_schema'; name: string; schema: Record<string, unknown>; strict?: boolean }

/** spec, Endpoints, «POST /compat/v1/chat/completions»: its body parameters. */
export type ChatRequest = {
  model: string
  messages: ChatMessage[]
  /** `parameters` is an object schema with `type`, `properties`, `required`. */
  tools?: { name: string; description?: string; parameters: Record<string, unknown> }[]
  toolChoice?: 'auto' | 'none' | 'required' | { name: string }
  temperature?: number
  topP?: number
  presencePenalty?: number
  frequencyPenalty?: number
  stop?: string | string[]
  maxCompletionTokens?: number
  responseFormat?: ResponseFormat
  chatTemplateKwargs?: Record<string, unknown>
}

export type ChatCompletion = {
  /** Null when the message carries tool calls only. */
  text: string | null
  toolCalls: ToolCall[]
  /** `stop` or `tool_calls`; `length` where the answer was cut at the cap. */
  finishReason: string | null
  /** What was used in all; null when it was not said. */
  tokens: number | null
  model: string | null
}

/** A request as it goes over the wire; what is undefined is left out by JSON. */
export function wireRequest(request: ChatRequest, stream: boolean): Record<string, unknown> {
  const { toolChoice, responseFormat } = request
  return {
    model: request.model,
    messages: request.messages.map(wireMessage),
    tools: request.tools?.map((tool) => ({ type: 'function', function: tool })),
    tool_choice: typeof toolChoice === 'object' ? { type: 'function', function: toolChoice } : toolChoice,
    temperature: request.temperature,
    top_p: request.topP,
    presence_penalty: request.presencePenalty,
    frequency_penalty: request.frequencyPenalty,
    stop: request.stop,
    max_completion_tokens: request.maxCompletionTokens,
    response_format: responseFormat === undefined ? undefined : wireFormat(responseFormat),
    chat_template_kwargs: request.chatTemplateKwargs,
    ...(stream ? { stream: true, stream_options: { include_usage: true } } : {}),
  }
}

function wireMessage(message: ChatMessage): Record<string, unknown> {
  if (message.role === 'tool') return { role: 'tool', content: message.content, tool_call_id: message.toolCallId }
  if (message.role !== 'assistant') return message
  const calls = message.toolCalls?.map(({ id, name, arguments: text }) => ({
    id,
    type: 'function',
    function: { name, arguments: text },
  }))
  return { role: 'assistant', content: message.content, ...(calls === undefined ? {} : { tool_calls: calls }) }
}

function wireFormat(format: ResponseFormat): Record<string, unknown> {
  if (format.type !== 'json_schema') return format
  const { name, schema, strict } = format
  return { type: 'json_schema', json_schema: { name, schema, strict } }
}

/**
 * Puts a completion together from one whole answer or from the frames of a stream. Only the first choice counts (`n` is
 * 1).
 */
export class CompletionBuilder {
  #text: string | null = null
  readonly #calls = new Map<number, ToolCall>()
  #finishReason: string | null = null
  #tokens: number | null = null
  #model: string | null = null

  /**
   * Takes a parsed answer, whole or a frame of it; gives the text that it added. Throws `answer_unreadable` when it is
   * none.
   */
  add(value: unknown, of: 'whole' | 'frame'): string {
    const parsed = (of === 'whole' ? chatCompletion : chatFrame).safeParse(value)
    if (!parsed.success) throw new AppError('answer_unreadable', { detail: 'it is not a chat completion' })
    const { choices, usage, model } = parsed.data
    this.#tokens = usage?.total_tokens ?? sumOf(usage?.prompt_tokens, usage?.completion_tokens) ?? this.#tokens
    this.#model = model ?? this.#model
    return this.#addChoice(choices[0])
  }

  #addChoice(choice: WireCompletion['choices'][number] | undefined): string {
    const message = choice?.delta ?? choice?.message
    for (const [position, part] of (message?.tool_calls ?? []).entries()) this.#addCall(part.index ?? position, part)
    this.#finishReason = choice?.finish_reason ?? this.#finishReason
    const text = message?.content ?? null
    if (text !== null) this.#text = (this.#text ?? '') + text
    return text ?? ''
  }

  /** What there is now. A call of which no name came is none. */
  get completion(): ChatCompletion {
    const toolCalls = [...this.#calls.values()].filter(({ name }) => name !== '')
    return { text: this.#text, toolCalls, finishReason: this.#finishReason, tokens: this.#tokens, model: this.#model }
  }

  #addCall(index: number, part: ChatToolCallPart): void {
    const call = this.#calls.get(index) ?? { id: '', name: '', arguments: '' }
    const given = part.function?.arguments ?? ''
    this.#calls.set(index, {
      id: call.id || (part.id ?? `call_${index}`),
      name: call.name || (part.function?.name ?? ''),
      arguments: call.arguments + (typeof given === 'string' ? given : JSON.stringify(given)),
    })
  }
}

function sumOf(first: number | null | undefined, second: number | null | undefined): number | null {
  return typeof first === 'number' && typeof second === 'number' ? first + second : null
}
