import { randomUUID } from 'node:crypto'
import type { EventName, EventPayload } from '../../../shared/contract.ts'
import type { MessageRow } from '../../../shared/contract-platform.ts'
import { AppError, toAppError } from '../../../shared/errors.ts'
import type { AnswerEnd, Conversation } from '../db/conversations.ts'
import type { Tables } from '../db/tables.ts'
import type { Route } from '../platform/connect.ts'
import type { ChatEnd } from '../platform/models.ts'
import { orAborted } from '../platform/abort.ts'
import { AnswerText } from './answer-text.ts'
import { earlierTurns } from './earlier-turns.ts'

export type AskingContext = {
  tables: Tables
  now: () => number
  emit: <N extends EventName>(name: N, payload: EventPayload<N>) => void
}

export type Question = {
  conversationId: number | null
  connectionId: number
  kind: Conversation['kind']
  agentReference: string | null
  model: string | null
  text: string
}

type Running = { abort: AbortController; stoppedBy: 'person' | 'shutdown' | null; ended: Promise<void> }

const titleLength = 80
const storageRetryMs = 2000
/** No answer to a question is a book: what is longer is broken off, and kept. */
const longestAnswer = 2_000_000
/** Of the chat convention; the spec has only `stop` and `tool_calls` (Resources, «Chat completion (proxy)»). */
const cutReasons = new Set(['length', 'content_filter'])

/**
 * Puts questions and keeps their answers. A question is sent once: whatever comes of it is stored with its state, and
 * only a person asks again.
 */
export class Asking {
  readonly #context: AskingContext
  readonly #routeTo: (connectionId: number) => Promise<Route>
  readonly #running = new Map<number, Running>()
  #ending = false

  constructor(context: AskingContext, routeTo: (connectionId: number) => Promise<Route>) {
    this.#context = context
    this.#routeTo = routeTo
  }

  /**
   * Stores the question and an empty answer, and begins to ask. A conversation keeps its connection and its agent; a chat
   * may go on with another model. Throws `not_found`, or `invalid_input` while an answer is still being written there.
   */
  send(question: Question): { conversationId: number; messageId: number } {
    const { tables, now, emit } = this.#context
    const { conversationId, messageId } = tables.together(() => {
      const id = question.conversationId === null ? this.#begin(question) : this.#goOn(question.conversationId, question.model)
      return { conversationId: id, messageId: tables.conversations.ask(id, question.text, now()) }
    })
    const running: Running = { abort: new AbortController(), stoppedBy: null, ended: Promise.resolve() }
    this.#running.set(conversationId, running)
    running.ended = this.#answer(tables.conversations.get(conversationId)!, messageId, running)
    emit('ask.changed', { conversationId })
    return { conversationId, messageId }
  }

  /** Breaks the running answer off and resolves when what came is stored. */
  async stop(conversationId: number): Promise<void> {
    await this.#break(conversationId, 'person')
  }

  /** Forgets a conversation and the text of it. Throws `not_found`. */
  async remove(conversationId: number): Promise<void> {
    const { tables, now, emit } = this.#context
    if (tables.conversations.get(conversationId) === null) throw new AppError('not_found', { what: 'conversation' })
    await this.stop(conversationId)
    tables.conversations.remove(conversationId, now())
    emit('ask.changed', { conversationId })
  }

  /** At the end of the process: what is being written is incomplete. */
  async end(): Promise<void> {
    this.#ending = true
    await Promise.all([...this.#running.keys()].map((id) => this.#break(id, 'shutdown')))
  }

  async #break(conversationId: number, by: 'person' | 'shutdown'): Promise<void> {
    const running = this.#running.get(conversationId)
    if (running === undefined) return
    running.stoppedBy ??= by
    running.abort.abort()
    await running.ended
  }

  #begin({ connectionId, kind, agentReference, model, text }: Question): number {
    const { tables, now } = this.#context
    if (!tables.connections.list().some((connection) => connection.id === connectionId)) throw new AppError('not_found', { what: 'connection' })
    if (kind === 'documentalist' && agentReference === null) throw new AppError('invalid_input', { problem: 'the Documentalist is missing' })
    const isChat = kind === 'chat'
    const agent = tables.conversations.agents(connectionId).find(({ reference }) => reference === agentReference)
    const values = { kind, connectionId, agentReference: isChat ? null : agentReference, agentName: agent?.name ?? null, model: isChat ? model : null }
    // spec, Limits: «The thread_id of the Documentalist is 36 characters».
    return tables.conversations.add({ ...values, threadId: randomUUID(), title: titleOf(text) }, now())
  }

  #goOn(conversationId: number, model: string | null): number {
    const { tables } = this.#context
    const conversation = tables.conversations.get(conversationId)
    if (conversation === null) throw new AppError('not_found', { what: 'conversation' })
    if (this.#running.has(conversationId)) throw new AppError('invalid_input', { problem: 'the answer to the last question is still being written' })
    if (conversation.kind === 'chat' && model !== null) tables.conversations.setModel(conversationId, model)
    return conversationId
  }

  async #answer(conversation: Conversation, messageId: number, running: Running): Promise<void> {
    const { tables, now, emit } = this.#context
    const conversationId = conversation.id
    const text = new AnswerText(
      (offset, added) => emit('ask.delta', { conversationId, messageId, offset, text: added }),
      (soFar) => void stored(() => tables.conversations.saveText(messageId, soFar)),
    )
    const end = await this.#write(conversation, text, running)
    text.end()
    await this.#untilStored(() => tables.conversations.finish(conversationId, messageId, { text: text.text, ...end }, now()))
    this.#running.delete(conversationId)
    emit('ask.changed', { conversationId })
    emit('usage.changed', {})
  }

  /** The disk may be full: an answer that came is held until there is room, or the process ends. */
  async #untilStored(store: () => void): Promise<void> {
    while (!stored(store) && !this.#ending) await new Promise((resolve) => setTimeout(resolve, storageRetryMs))
  }

  async #write(conversation: Conversation, text: AnswerText, running: Running): Promise<Omit<AnswerEnd, 'text'>> {
    let tokens: number | null = null
    try {
      const { signal } = running.abort
      // A service that has to start first takes seconds: a person can stop before.
      const route = await orAborted(this.#routeTo(conversation.connectionId), signal)
      const pieces = conversation.kind === 'chat' ? this.#chat(conversation, route, signal) : this.#documentalist(conversation, route, signal)
      for (;;) {
        const { done, value } = await pieces.next()
        if (done) {
          tokens = value.tokens
          // The service said that it stopped before the end.
          if (cutReasons.has(value.finishReason ?? '')) throw new AppError('answer_incomplete')
          break
        }
        text.add(value)
        if (text.text.length > longestAnswer) throw new AppError('answer_incomplete')
      }
      if (running.stoppedBy === null) return { state: 'complete', reason: null, tokens }
    } catch (error) {
      const broken = running.stoppedBy === null
      running.abort.abort()
      if (broken) {
        const { code, details } = toAppError(error)
        return { state: text.text === '' ? 'failed' : 'incomplete', reason: { code, details }, tokens }
      }
    }
    return running.stoppedBy === 'person'
      ? { state: 'stopped', reason: null, tokens }
      : { state: 'incomplete', reason: { code: 'interrupted', details: {} }, tokens }
  }

  async *#documentalist(conversation: Conversation, route: Route, signal: AbortSignal): AsyncGenerator<string, ChatEnd> {
    yield* route.documentalist.ask({
      agentId: conversation.agentReference!,
      query: this.#lastQuestion(conversation.id),
      threadId: conversation.threadId,
      signal,
    })
    return { tokens: null, finishReason: null }
  }

  async *#chat(conversation: Conversation, route: Route, signal: AbortSignal): AsyncGenerator<string, ChatEnd> {
    const { tables } = this.#context
    const model = conversation.model ?? (await route.models.list(signal))[0]
    if (model === undefined) throw new AppError('model_unavailable')
    const messages = earlierTurns(tables.conversations.messages(conversation.id))
    const stream = route.models.stream({ model, messages: [...messages, { role: 'user', content: this.#lastQuestion(conversation.id) }] }, { signal })
    let isKept = conversation.model !== null
    for (;;) {
      const { done, value } = await stream.next()
      if (done) return value
      if (value.text === undefined) continue
      // The first of the list may be another one tomorrow: a conversation stays with the model that answered.
      if (!isKept) tables.conversations.setModel(conversation.id, model)
      isKept = true
      yield value.text
    }
  }

  #lastQuestion(conversationId: number): string {
    const isQuestion = (message: MessageRow): boolean => message.role === 'user'
    return this.#context.tables.conversations.messages(conversationId).findLast(isQuestion)!.text
  }
}

function stored(store: () => void): boolean {
  try {
    store()
    return true
  } catch {
    return false
  }
}

/** The beginning of the first question on one line, cut between words where it can be. */
function titleOf(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  const characters = [...line]
  if (characters.length <= titleLength) return line
  const cut = characters.slice(0, titleLength).join('')
  const lastSpace = cut.lastIndexOf(' ')
  return `${lastSpace > titleLength / 2 ? cut.slice(0, lastSpace) : cut}…`
}
