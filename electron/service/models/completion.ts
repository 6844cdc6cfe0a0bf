import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { AppError } from '../../../shared/domain/errors.ts'
import type { ModelUsage } from './text-model.ts'

/**
 * A request as the convention has it. `droppable` names the parameters that nobody asked for: a server that refuses one
 * is asked without it.
 */
export type CompletionRequest = { body: Record<string, unknown> & { model: string }; droppable: readonly string[] }

export type ToolCall = { id: string; type: 'function'; function: { name: string; arguments: string } }

/** Part of a tool call: the first one of an `index` has its id and name, the later ones more of the arguments. */
export type ToolCallDelta = {
  index: number
  id?: string
  type?: 'function'
  function: { name?: string; arguments?: string }
}

/** A whole answer of a model. `usage` is null when the server did not report it. */
export type Completion = {
  id: string | null
  createdAt: number | null
  content: string
  toolCalls: ToolCall[]
  usage: ModelUsage | null
}

/**
 * One frame of a streamed answer. `writtenCharacters` counts all that the model wrote, also what is not part of the
 * answer, such as its thinking.
 */
export type CompletionChunk = {
  id: string | null
  createdAt: number | null
  content: string
  toolCalls: ToolCallDelta[]
  writtenCharacters: number
  finishReason: string | null
  usage: ModelUsage | null
}

const text = z.string().nullish()
const identity = { id: text.catch(null), created: z.number().int().nullish().catch(null) }
const usage = z
  .object({ prompt_tokens: z.number().int().min(0), completion_tokens: z.number().int().min(0) })
  .nullish()
  .catch(null)

/** Some servers give the arguments as the object that the text should hold. */
const callArguments = z.union([
  z.string(),
  z.record(z.string(), z.unknown()).transform((value) => JSON.stringify(value)),
])

const completionShape = z.object({
  ...identity,
  choices: z
    .array(
      z.object({
        message: z.object({
          content: text,
          tool_calls: z
            .array(
              z.object({
                id: text,
                function: z.object({ name: z.string().min(1), arguments: callArguments.nullish() }),
              }),
            )
            .nullish(),
        }),
      }),
    )
    .min(1),
  usage,
})

const toolCallPart = z.object({
  index: z.number().int().min(0).nullish(),
  id: text,
  function: z.object({ name: text, arguments: callArguments.nullish() }).nullish(),
})

const chunkShape = z.object({
  ...identity,
  choices: z
    .array(
      z.object({
        delta: z
          .object({
            content: text,
            reasoning_content: text.catch(null),
            reasoning: text.catch(null),
            tool_calls: z.array(toolCallPart).nullish(),
          })
          .nullish(),
        finish_reason: text,
      }),
    )
    .nullish(),
  usage,
  error: z.null().optional(),
})

/** Throws `model_failed` for what is not a chat completion. A tool call without an id of the server gets one. */
export function parseCompletion(value: unknown): Completion {
  const { id, created, choices, usage: used } = checked(completionShape, value)
  const { content, tool_calls: calls } = choices[0]!.message
  return {
    id: id ?? null,
    createdAt: created ?? null,
    content: content ?? '',
    toolCalls: (calls ?? []).map((call) => ({
      id: call.id || newToolCallId(),
      type: 'function',
      function: { name: call.function.name, arguments: call.function.arguments ?? '{}' },
    })),
    usage: toUsage(used),
  }
}

/** Throws `model_failed` for what is not JSON, not a chunk, or an error frame. */
export function parseChunk(data: string): CompletionChunk {
  let value: unknown
  try {
    value = JSON.parse(data)
  } catch (error) {
    throw new AppError('model_failed', {}, { cause: error })
  }
  const { id, created, choices, usage: used } = checked(chunkShape, value)
  const choice = choices?.[0]
  const delta = choice?.delta ?? {}
  const content = delta.content ?? ''
  const toolCalls = (delta.tool_calls ?? []).map(toToolCallDelta)
  const thought = delta.reasoning_content ?? delta.reasoning ?? ''
  return {
    id: id ?? null,
    createdAt: created ?? null,
    content,
    toolCalls,
    writtenCharacters: toolCalls.reduce(
      (sum, call) => sum + (call.function.name ?? '').length + (call.function.arguments ?? '').length,
      content.length + thought.length,
    ),
    finishReason: choice?.finish_reason ?? null,
    usage: toUsage(used),
  }
}

/** A part of a call as the server gave it, counted by its position where it has no index. */
function toToolCallDelta(call: z.output<typeof toolCallPart>, position: number): ToolCallDelta {
  return {
    index: call.index ?? position,
    ...(call.id ? { id: call.id, type: 'function' as const } : {}),
    function: {
      ...(call.function?.name ? { name: call.function.name } : {}),
      ...(typeof call.function?.arguments === 'string' ? { arguments: call.function.arguments } : {}),
    },
  }
}

/** Throws `model_failed` for what is not a list of models. */
export function parseModelIds(value: unknown): string[] {
  return checked(z.object({ data: z.array(z.object({ id: z.string().min(1).max(500) })).max(10_000) }), value).data.map(
    (model) => model.id,
  )
}

/** An identifier for a tool call that its server gave none: the results of several rounds are told apart by it. */
export function newToolCallId(): string {
  return `call_${randomUUID()}`
}

/** One token for about four characters: what is counted where a server reports no usage. */
export function estimateTokens(characters: number): number {
  return Math.ceil(characters / 4)
}

/**
 * What a stream has used so far: what the server reported, else estimates. A piece is a token at least, and a long one
 * more.
 */
export class UsageTally {
  readonly #inputTokens: number
  #pieces = 0
  #characters = 0
  #reported: ModelUsage | null = null

  /** `inputTokens` is what the question counts with where the server reports nothing. */
  constructor(inputTokens: number) {
    this.#inputTokens = inputTokens
  }

  add(chunk: CompletionChunk): void {
    if (chunk.writtenCharacters > 0 || chunk.toolCalls.length > 0) this.#pieces += 1
    this.#characters += chunk.writtenCharacters
    if (chunk.usage !== null) this.#reported = chunk.usage
  }

  get usage(): ModelUsage {
    return (
      this.#reported ?? {
        inputTokens: this.#inputTokens,
        outputTokens: Math.max(this.#pieces, estimateTokens(this.#characters)),
      }
    )
  }
}

function toUsage(reported: z.output<typeof usage>): ModelUsage | null {
  return reported ? { inputTokens: reported.prompt_tokens, outputTokens: reported.completion_tokens } : null
}

function checked<T extends z.ZodType>(shape: T, value: unknown): z.output<T> {
  const parsed = shape.safeParse(value)
  if (!parsed.success) throw new AppError('model_failed', {}, { cause: parsed.error })
  return parsed.data
}
