import { setImmediate } from 'node:timers/promises'
import type { Locale } from '../../../shared/messages/sentences.ts'
import type { Agent } from '../access/agents.ts'
import type { ServiceDatabase } from '../database.ts'
import { estimateTokens } from '../models/completion.ts'
import type { ModelMessage, ModelUsage, TextModel } from '../models/text-model.ts'
import { quotePassages } from './quote-passages.ts'
import { promptFor } from './prompt.ts'
import { readQuestion } from './question.ts'
import type { Term } from './question.ts'
import { searchPassages } from './search-passages.ts'
import type { Turn } from './threads.ts'
import { wordsOf } from './words.ts'

type AnswerRequest = { agent: Agent; query: string; instructions: readonly string[]; history: readonly Turn[] }

/** Where answers come from; the model is null while none is named. */
type AnswerSources = { db: ServiceDatabase; model: () => TextModel | null }

const passagesShown = 3
const passagesForModel = 8
/** The same as the proxy's cap (spec, Limits, «Output tokens»). */
const maxAnswerTokens = 8192

/**
 * An answer as it is made. `inputTokens`: an estimate of what is read for it, for when the model reports no usage.
 */
export type Answer = { inputTokens: number; pieces: AsyncGenerator<string, ModelUsage> }

/**
 * The answer to a question piece by piece, from the documents of the agent only: in a model's words when there is a
 * model, else the passages that fit best. The pieces return what it used: the model's tokens, or an estimate from the
 * length of question and answer. They throw what the model throws, and the signal's reason.
 */
export function answer(
  { db, model: currentModel }: AnswerSources,
  request: AnswerRequest,
  signal: AbortSignal,
): Answer {
  const { agent, query, history } = request
  const before = history.filter((turn) => turn.role === 'user').map((turn) => turn.content)
  const question = readQuestion(query, before)
  const documents = countDocuments(db, agent.reference)
  const model = currentModel()
  const stillReading = documents.reading > 0 ? sentences.reading[question.locale](documents.reading) : ''
  const inputTokens = estimateTokens(query.length)
  const { passages, notStated } = searchPassages(
    db,
    agent.reference,
    question,
    model === null ? passagesShown : passagesForModel,
  )
  if (passages.length === 0) {
    const sentence = [nothingFound(documents)[question.locale], stillReading].filter((part) => part !== '').join(' ')
    return { inputTokens, pieces: streamText([sentence], inputTokens, '', signal) }
  }
  if (model !== null) {
    const prompt = promptFor({ ...request, agentName: agent.name }, question, passages)
    return {
      inputTokens: estimateTokens(JSON.stringify(prompt).length),
      pieces: generate(model, prompt, stillReading, signal),
    }
  }
  const text =
    notStated === null
      ? quotePassages(question, passages)
      : [sentences.notStated[question.locale](notStated.documentName, wordAsWritten(query, notStated.asked))]
  return { inputTokens, pieces: streamText(text, inputTokens, stillReading, signal) }
}

/** Why there is no passage to quote. */
function nothingFound({ ready, reading, failed }: DocumentCounts): Record<Locale, string> {
  if (ready > 0) return sentences.notFound
  if (failed > 0) return sentences.unreadable
  return reading > 0 ? sentences.notReadYet : sentences.noDocuments
}

/** The word of a question as the person wrote it. */
function wordAsWritten(query: string, { words }: Term): string {
  const runs = query.match(/[\p{L}\p{N}]+/gu) ?? []
  const first = runs.findIndex(
    (_, index) => wordsOf(runs.slice(index, index + words.length).join(' ')).join(' ') === words.join(' '),
  )
  return first < 0 ? words.join(' ') : runs.slice(first, first + words.length).join(' ')
}

async function* streamText(
  pieces: Iterable<string>,
  inputTokens: number,
  addition: string,
  signal: AbortSignal,
): AsyncGenerator<string, ModelUsage> {
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

async function* generate(
  model: TextModel,
  prompt: ModelMessage[],
  addition: string,
  signal: AbortSignal,
): AsyncGenerator<string, ModelUsage> {
  const usage = yield* model.stream(prompt, { signal, maxTokens: maxAnswerTokens })
  if (addition !== '') yield `\n\n${addition}`
  return usage
}

type DocumentCounts = { ready: number; reading: number; failed: number }

function countDocuments(db: ServiceDatabase, agentReference: string): DocumentCounts {
  return db
    .prepare<[string], DocumentCounts>(
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
    en: (count: number) =>
      count === 1 ? '1 document is still being read.' : `${count} documents are still being read.`,
    de: (count: number) => (count === 1 ? '1 Dokument wird noch gelesen.' : `${count} Dokumente werden noch gelesen.`),
    fr: (count: number) =>
      count === 1
        ? '1 document est encore en cours de lecture.'
        : `${count} documents sont encore en cours de lecture.`,
  },
} satisfies Record<
  string,
  Record<Locale, string | ((count: number) => string) | ((document: string, asked: string) => string)>
>
