import { invalidRequest } from '../http/http-error.ts'
import type { Turn } from './threads.ts'

export type QuestionRequest = {
  query: string
  instructions: string[]
  historic: Turn[] | null
  threadId: string | null
}

/** In characters (UTF-16 units). The interface gives no limits; these are far above what a person writes. */
const maxQueryChars = 20_000
const maxInstructionsChars = 20_000
const maxInstructions = 100
const maxHistoric = 1000
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/**
 * Checks a body against spec, «Documentalist request». Unknown fields are ignored; null is as good as absent. Throws
 * `invalid_request` (400) whose detail names the field.
 */
export function checkQuestionRequest(body: unknown): QuestionRequest {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalidRequest('The body is not a JSON object.')
  const { query, instructions, historic, thread_id: threadId } = body as Record<string, unknown>
  return {
    query: checkQuery(query),
    instructions: checkInstructions(instructions ?? []),
    historic: checkHistoric(historic ?? null),
    threadId: checkThreadId(threadId ?? null),
  }
}

function checkQuery(query: unknown): string {
  if (typeof query !== 'string') throw invalidRequest('query is missing or not text.')
  if (query.trim() === '') throw invalidRequest('query is empty.')
  if (query.length > maxQueryChars) throw invalidRequest(`query is longer than ${maxQueryChars} characters.`)
  return query
}

function checkInstructions(instructions: unknown): string[] {
  if (!Array.isArray(instructions)) throw invalidRequest('instructions is not an array of texts.')
  if (instructions.length > maxInstructions)
    throw invalidRequest(`instructions has more than ${maxInstructions} elements.`)
  const checked = instructions.map((instruction: unknown, index) => {
    if (typeof instruction !== 'string') throw invalidRequest(`instructions[${index}] is not text.`)
    return instruction
  })
  if (checked.join('').length > maxInstructionsChars)
    throw invalidRequest(`instructions has more than ${maxInstructionsChars} characters.`)
  return checked
}

/** spec, «History message»: messages alternate between user and assistant. */
function checkHistoric(historic: unknown): Turn[] | null {
  if (historic === null) return null
  if (!Array.isArray(historic)) throw invalidRequest('historic is not an array of messages.')
  if (historic.length > maxHistoric) throw invalidRequest(`historic has more than ${maxHistoric} messages.`)
  let previous: unknown
  return historic.map((message: unknown, index) => {
    if (typeof message !== 'object' || message === null || Array.isArray(message))
      throw invalidRequest(`historic[${index}] is not an object.`)
    const { role, content } = message as Record<string, unknown>
    if (role !== 'user' && role !== 'assistant')
      throw invalidRequest(`historic[${index}].role is not user or assistant.`)
    if (typeof content !== 'string') throw invalidRequest(`historic[${index}].content is missing or not text.`)
    if (role === previous)
      throw invalidRequest(
        `historic[${index}].role is ${role} twice in a row; messages alternate between user and assistant.`,
      )
    previous = role
    return { role, content }
  })
}

function checkThreadId(threadId: unknown): string | null {
  if (threadId === null) return null
  if (typeof threadId !== 'string') throw invalidRequest('thread_id is not text.')
  if (!uuid.test(threadId)) throw invalidRequest('thread_id is not a UUID of 36 characters.')
  return threadId.toLowerCase()
}
