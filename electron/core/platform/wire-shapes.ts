import * as z from 'zod'

/** Wire shapes of the platform API (`agent-platform-api.md`), as this client accepts them. */

/** spec, «Token response». `expires_in` has no documented unit and may be absent or odd. */
export const tokenResponse = z.looseObject({
  access_token: z.string().min(1),
  token_type: z.unknown().optional(),
  expires_in: z.union([z.string(), z.number()]).optional().catch(undefined),
})

/** spec, «Extraction result»: metadata. Numeric text and numbers are both taken. */
export const extractionMetadata = z.looseObject({
  filename: z.string().optional().catch(undefined),
  duration: z.union([z.string(), z.number()]).optional().catch(undefined),
  tokens_consumed: z.union([z.number(), z.string()]).optional().catch(undefined),
  /** Only from a service of Sheaf that was asked for it (header `x-sheaf-sources: 1`). */
  sources: z.unknown().optional(),
  /** Beside `sources`: what a person has to look at before it counts. */
  doubts: z.unknown().optional(),
})

/**
 * spec, «Extraction result», «Events» and «Errors», Other endpoints: the body of an answer or a webhook of an
 * extraction. Odd types are taken and shown as text.
 */
export const extractionEnvelope = z.looseObject({
  status: z.unknown().optional(),
  success: z.unknown().optional(),
  code: z.unknown().optional(),
  error: z.unknown().optional(),
  errors: z.unknown().optional(),
  message: z.unknown().optional(),
  detail: z.unknown().optional(),
  data: z.unknown().optional(),
  metadata: z.unknown().optional(),
  extract_id: z
    .union([z.string().min(1), z.number()])
    .transform(String)
    .optional()
    .catch(undefined),
})
export type ExtractionEnvelope = z.infer<typeof extractionEnvelope>

/** spec, «Model (proxy)»: a list of them. */
export const modelList = z.looseObject({ data: z.array(z.looseObject({ id: z.string().min(1) })) })

const tokenCount = z.number().int().min(0).nullish().catch(null)

const chatUsage = z
  .looseObject({ prompt_tokens: tokenCount, completion_tokens: tokenCount, total_tokens: tokenCount })
  .nullish()
  .catch(null)

/** spec, «Chat completion (proxy)»: a tool call; in a stream it comes in parts that share an `index`. */
const chatToolCall = z.looseObject({
  index: z.number().int().min(0).optional().catch(undefined),
  id: z.string().nullish().catch(null),
  function: z
    .looseObject({
      name: z.string().nullish().catch(null),
      arguments: z
        .union([z.string(), z.record(z.string(), z.unknown())])
        .nullish()
        .catch(null),
    })
    .optional()
    .catch(undefined),
})
export type ChatToolCallPart = z.infer<typeof chatToolCall>

const chatMessage = z.looseObject({
  content: z.string().nullish().catch(null),
  tool_calls: z.array(chatToolCall).nullish().catch(null),
})

const chatChoices = z.array(
  z.looseObject({
    message: chatMessage.optional().catch(undefined),
    delta: chatMessage.nullish().catch(null),
    finish_reason: z.string().nullish().catch(null),
  }),
)

/** spec, «Chat completion (proxy)». */
export const chatCompletion = z.looseObject({
  model: z.string().optional().catch(undefined),
  choices: chatChoices,
  usage: chatUsage,
})
export type WireCompletion = z.infer<typeof chatCompletion>

/**
 * A frame of a stream (spec, «Response with stream»): one that is about something else than the answer has no
 * `choices`.
 */
export const chatFrame = chatCompletion.extend({ choices: chatChoices.nullish().transform((choices) => choices ?? []) })
