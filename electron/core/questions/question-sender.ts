import { randomUUID } from 'node:crypto'
import type { EventName, EventPayload } from '../../../shared/contract/contract.ts'
import type { MessageRow } from '../../../shared/contract/ask.ts'
import { AppError, toAppError } from '../../../shared/domain/errors.ts'
import type { AnswerEnd, Conversation } from '../db/tables/conversations.ts'
import type { Tables } from '../db/tables/tables.ts'
import type { Route } from '../platform/connect.ts'
import type { ChatEnd } from '../platform/models.ts'
import { abortable } from '../platform/abort.ts'
import { AnswerBuffer } from './answer-buffer.ts'

type QuestionContext = {
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
/** A longer answer is cut off here; what came is kept. */
const maxAnswerChars = 2_000_000
/** Of the chat convention; the spec has only `stop` and `tool_calls` (Resources, «Chat completion (proxy)»). */
const truncationReasons = new Set(['length', 'content_filter'])

/**
 * Sends questions to agents and models and stores their answers. A question is sent once, since it may be billed:
 * whatever comes of it is stored with its state, and only a person asks again.
 */
export class QuestionSender {
  readonly #context: QuestionContext
  readonly #routeTo: (connectionId: number) => Promise<Route>
  readonly #running = new Map<number, Running>()
  #ending = false

  constructor(context: QuestionContext, routeTo: (connectionId: number) => Promise<Route>) {
    this.#context = context
    this.#routeTo = routeTo
  }

  /**
   * Stores the question and an empty answer, and begins to ask. A conversation keeps its connection and its agent; a
   * chat may go on with another model. Throws `not_found`, or `invalid_input` while an answer is still being written
   * there.
   */
  send(question: Question): { conversationId: number; messageId: number } {
    const { tables, now, emit } = this.#context
    const { conversationId, messageId } = tables.transaction(() => {
      const id =
        question.conversationId === null
          ? this.#begin(question)
          : this.#continue(question.conversationId, question.model)
      return { conversationId: id, messageId: tables.conversations.ask(id, question.text, now()) }
    })
    const running: Running = { abort: new AbortController(), stoppedBy: null, ended: Promise.resolve() }
    this.#running.set(conversationId, running)
    running.ended = this.#answer(tables.conversations.get(conversationId)!, messageId, running)
    emit('ask.changed', { conversationId })
    return { conversationId, messageId }
  }

  /** Aborts the running answer and resolves when what came is stored. */
  async stop(conversationId: number): Promise<void> {
    await this.#abort(conversationId, 'person')
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
    await Promise.all([...this.#running.keys()].map((id) => this.#abort(id, 'shutdown')))
  }

  async #abort(conversationId: number, by: 'person' | 'shutdown'): Promise<void> {
    const running = this.#running.get(conversationId)
    if (running === undefined) return
    running.stoppedBy ??= by
    running.abort.abort()
    await running.ended
  }

  #begin({ connectionId, kind, agentReference, model, text }: Question): number {
    const { tables, now } = this.#context
    if (!tables.connections.list().some((connection) => connection.id === connectionId))
      throw new AppError('not_found', { what: 'connection' })
    if (kind === 'documentalist' && agentReference === null)
      throw new AppError('invalid_input', { problem: 'the Documentalist is missing' })
    const isChat = kind === 'chat'
    const agent = tables.conversations.agents(connectionId).find(({ reference }) => reference === agentReference)
    const values = {
      kind,
      connectionId,
      agentReference: isChat ? null : agentReference,
      agentName: agent?.name ?? null,
      model: isChat ? model : null,
    }
    // spec, Limits: «The thread_id of the Documentalist is 36 characters».
    return tables.conversations.add({ ...values, threadId: randomUUID(), title: titleOf(text) }, now())
  }

  #continue(conversationId: number, model: string | null): number {
    const { tables } = this.#context
    const conversation = tables.conversations.get(conversationId)
    if (conversation === null) throw new AppError('not_found', { what: 'conversation' })
    if (this.#running.has(conversationId))
      throw new AppError('invalid_input', { problem: 'the answer to the last question is still being written' })
    if (conversation.kind === 'chat' && model !== null) tables.conversations.setModel(conversationId, model)
    return conversationId
  }

  async #answer(conversation: Conversation, messageId: number, running: Running): Promise<void> {
    const { tables, now, emit } = this.#context
    const conversationId = conversation.id
    const text = new AnswerBuffer(
      (offset, added) => emit('ask.delta', { conversationId, messageId, offset, text: added }),
      (soFar) => void tryStore(() => tables.conversations.saveText(messageId, soFar)),
    )
    const end = await this.#write(conversation, text, running)
    text.end()
    await this.#untilStored(() =>
      tables.conversations.finish(conversationId, messageId, { text: text.text, ...end }, now()),
    )
    this.#running.delete(conversationId)
    emit('ask.changed', { conversationId })
    emit('usage.changed', {})
  }

  /** The disk may be full: an answer that came is held until there is room, or the process ends. */
  async #untilStored(store: () => void): Promise<void> {
    while (!tryStore(store) && !this.#ending) await new Promise((resolve) => setTimeout(resolve, storageRetryMs))
  }

  async #write(conversation: Conversation, text: AnswerBuffer, running: Running): Promise<Omit<AnswerEnd, 'text'>> {
    let tokens: number | null = null
    try {
      const { signal } = running.abort
      // A service that has to start first takes seconds: a person can stop before.
      const route = await abortable(this.#routeTo(conversation.connectionId), signal)
      const pieces =
        conversation.kind === 'chat'
          ? this.#chat(conversation, route, signal)
          : this.#documentalist(conversation, route, signal)
      for (;;) {
        const { done, value } = await pieces.next()
        if (done) {
          tokens = value.tokens
          // The service said that it stopped before the end.
          if (truncationReasons.has(value.finishReason ?? '')) throw new AppError('answer_incomplete')
          break
        }
        text.add(value)
        if (text.text.length > maxAnswerChars) throw new AppError('answer_incomplete')
      }
      if (running.stoppedBy === null) return { state: 'complete', reason: null, tokens }
    } catch (error) {
      const broken = running.stoppedBy === null
      running.abort.abort()
      if (broken) {
        return { state: text.text === '' ? 'failed' : 'incomplete', reason: toAppError(error).reason, tokens }
      }
    }
    return running.stoppedBy === 'person'
      ? { state: 'stopped', reason: null, tokens }
      : { state: 'incomplete', reason: { code: 'interrupted', details: {} }, tokens }
  }

  async *#documentalist(
    conversation: Conversation,
    route: Route,
    signal: AbortSignal,
  ): AsyncGenerator<string, ChatEnd> {
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
    const stream = route.models.stream(
      { model, messages: [...messages, { role: 'user', content: this.#lastQuestion(conversation.id) }] },
      { signal },
    )
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

function tryStore(store: () => void): boolean {
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

type Turn = { role: 'user' | 'assistant'; content: string }

/** Well below the 2 MB of a request (spec, Limits, Proxy), and more than any model reads. */
const maxHistoryBytes = 256 * 1024

/**
 * What was said before the last question, oldest first, in pairs of question and answer, so that roles alternate. A
 * pair without a word of answer is left out; a stopped or interrupted answer was still read. The oldest pairs
 * go when all of them would be more than 256 KB. Pure.
 */
function earlierTurns(messages: MessageRow[]): Turn[] {
  const pairs: Turn[][] = []
  for (const [index, answer] of messages.entries()) {
    const question = messages[index - 1]
    if (answer.role !== 'assistant' || answer.state === 'writing' || answer.text === '' || question?.role !== 'user')
      continue
    pairs.push([
      { role: 'user', content: question.text },
      { role: 'assistant', content: answer.text },
    ])
  }
  let bytes = 0
  const kept = pairs.reverse().filter((pair) => {
    bytes += pair.reduce((sum, turn) => sum + Buffer.byteLength(turn.content), 0)
    return bytes <= maxHistoryBytes
  })
  return kept.reverse().flat()
}
