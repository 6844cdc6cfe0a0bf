import { setImmediate } from 'node:timers/promises'
import type { Locale } from '../../../shared/sentences.ts'
import type { Agent } from '../agents.ts'
import type { ServiceDatabase } from '../database.ts'
import { estimateTokens } from '../models/completion.ts'
import type { ModelMessage, ModelUsage, TextModel } from '../models/text-model.ts'
import { composeAnswer } from './compose.ts'
import { promptFor } from './prompt.ts'
import { readQuestion } from './question.ts'
import type { Term } from './question.ts'
import { searchPassages } from './search.ts'
import { answerToSmallTalk, smallTalkOf } from './small-talk.ts'
import type { Turn } from './threads.ts'
import { wordsOf } from './words.ts'

export type AnswerRequest = { agent: Agent; query: string; instructions: readonly string[]; history: readonly Turn[] }

export type Answering = { db: ServiceDatabase; model: () => TextModel | null }

const passagesShown = 3
const passagesForModel = 8
/** The same as the proxy's cap (spec, Limits, «Output tokens»). */
const maxAnswerTokens = 8192

/** An answer as it is made. `inputTokens`: an estimate of what is read for it, for when the model does not get to tell. */
export type Answer = { inputTokens: number; pieces: AsyncGenerator<string, ModelUsage> }

/**
 * The answer to a question piece by piece, from the documents of the agent only: in a model's words when there is a model, else
 * the passages that fit best. The pieces return what it used: the model's tokens, or an estimate from the length of question
 * and answer. They throw what the model throws, and the signal's reason.
 */
export function answer(answering: Answering, request: AnswerRequest, signal: AbortSignal): Answer {
  const { agent, query, history } = request
  const before = history.filter((turn) => turn.role === 'user').map((turn) => turn.content)
  const question = readQuestion(query, before)
  const documents = documentsOf(answering.db, agent.reference)
  const model = answering.model()
  const stillReading = documents.reading > 0 ? sentences.reading[question.locale](documents.reading) : ''
  const inputTokens = estimateTokens(query.length)
  const talk = documents.ready > 0 ? smallTalkOf(query) : null
  // A model can at least tell what kinds of documents its passages are from.
  if (talk !== null && (talk !== 'counting' || model === null)) return { inputTokens, pieces: compose([answerToSmallTalk(talk, question.locale, documents.ready)], inputTokens, talk === 'howManyDocuments' ? stillReading : '', signal) }
  const { passages, silent } = searchPassages(answering.db, agent.reference, question, model === null ? passagesShown : passagesForModel)
  if (silent !== null && model === null) return { inputTokens, pieces: compose([sentences.notStated[question.locale](silent.documentName, wordAsWritten(query, silent.asked))], inputTokens, stillReading, signal) }
  if (passages.length === 0) {
    const nothing = documents.ready > 0 ? sentences.notFound : documents.failed > 0 ? sentences.unreadable : documents.reading > 0 ? null : sentences.noDocuments
    const said = [nothing?.[question.locale] ?? sentences.notReadYet[question.locale], stillReading].filter((sentence) => sentence !== '').join(' ')
    return { inputTokens, pieces: compose([said], inputTokens, '', signal) }
  }
  if (model === null) return { inputTokens, pieces: compose(composeAnswer(question, passages), inputTokens, stillReading, signal) }
  const prompt = promptFor({ ...request, agentName: agent.name }, question, passages)
  return { inputTokens: estimateTokens(JSON.stringify(prompt).length), pieces: generate(model, prompt, stillReading, signal) }
}

/** The word of a question as the person wrote it. */
function wordAsWritten(query: string, { words }: Term): string {
  const runs = query.match(/[\p{L}\p{N}]+/gu) ?? []
  const first = runs.findIndex((_, index) => wordsOf(runs.slice(index, index + words.length).join(' ')).join(' ') === words.join(' '))
  return first < 0 ? words.join(' ') : runs.slice(first, first + words.length).join(' ')
}

async function* compose(pieces: Iterable<string>, inputTokens: number, addition: string, signal: AbortSignal): AsyncGenerator<string, ModelUsage> {
  let characters = 0
  for (const piece of pieces) {
    signal.throwIfAborted()
    characters += piece.length
    yield piece
    await setImmediate()
  }
  if (addition !== '') yield `\n\n${addition}`
  return { inputTokens, outputTokens: estimateTokens(characters) }
}

async function* generate(model: TextModel, prompt: ModelMessage[], addition: string, signal: AbortSignal): AsyncGenerator<string, ModelUsage> {
  const usage = yield* model.stream(prompt, { signal, maxTokens: maxAnswerTokens })
  if (addition !== '') yield `\n\n${addition}`
  return usage
}

function documentsOf(db: ServiceDatabase, agentReference: string): { ready: number; reading: number; failed: number } {
  return db
    .prepare<[string], { ready: number; reading: number; failed: number }>(
      `select count(*) filter (where state = 'ready') as ready, count(*) filter (where state = 'reading') as reading, count(*) filter (where state = 'failed') as failed
       from agent_documents where agent_reference = ?`,
    )
    .get(agentReference)!
}

const sentences = {
  notFound: {
    en: 'I did not find it in this agent’s documents.',
    de: 'Das habe ich in den Dokumenten dieses Agenten nicht gefunden.',
    fr: 'Je ne l’ai pas trouvé dans les documents de cet agent.',
  },
  notStated: {
    en: (document: string, asked: string) => `«${document}» does not state this: ${asked}.`,
    de: (document: string, asked: string) => `In «${document}» steht das nicht: ${asked}.`,
    fr: (document: string, asked: string) => `«${document}» ne l’indique pas : ${asked}.`,
  },
  noDocuments: {
    en: 'This agent has no documents yet.',
    de: 'Dieser Agent hat noch keine Dokumente.',
    fr: 'Cet agent n’a pas encore de documents.',
  },
  unreadable: {
    en: 'None of this agent’s documents could be read.',
    de: 'Keines der Dokumente dieses Agenten konnte gelesen werden.',
    fr: 'Aucun des documents de cet agent n’a pu être lu.',
  },
  notReadYet: {
    en: 'This agent has no document that I can search yet.',
    de: 'Dieser Agent hat noch kein Dokument, das ich durchsuchen kann.',
    fr: 'Cet agent n’a pas encore de document consultable.',
  },
  reading: {
    en: (count: number) => (count === 1 ? '1 document is still being read.' : `${count} documents are still being read.`),
    de: (count: number) => (count === 1 ? '1 Dokument wird noch gelesen.' : `${count} Dokumente werden noch gelesen.`),
    fr: (count: number) => (count === 1 ? '1 document est encore en cours de lecture.' : `${count} documents sont encore en cours de lecture.`),
  },
} satisfies Record<string, Record<Locale, string | ((count: number) => string) | ((document: string, asked: string) => string)>>
