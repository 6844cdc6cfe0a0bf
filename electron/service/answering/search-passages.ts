import type { FileKind } from '../../../shared/domain/document.ts'
import type { ServiceDatabase } from '../database.ts'
import { isLabelled } from './synonyms.ts'
import { nameWithoutExtension } from './document-table.ts'
import { isShortNumber, matchExpression } from './question.ts'
import type { Question, Term } from './question.ts'
import { agentToken } from './words.ts'
import { bagOfWords, hasPhrase, hasValueFor, matchStrength, scoreLines } from './score-lines.ts'
import type { LineTerm } from './score-lines.ts'

export type FoundPassage = {
  documentName: string
  kind: FileKind
  page: number
  text: string
  score: number
  /** The question's terms as this document sees them, for choosing lines of the text. */
  terms: LineTerm[]
}

/**
 * A passage whose document has less of the question than this, by the weight of what the question names, answers
 * nothing of it.
 */
const relevanceFloor = 0.6
/** A document with the code that is asked for is meant, whatever else is said. */
const codeFloor = 0.25
/** A word in more passages than this hardly distinguishes them: where it stands is seen when a passage is read. */
const rareHits = 1000
const maxCandidates = 60
const earlierWeight = 0.35
/**
 * How well a passage has a term that only the name of its document has, or only another passage of a short document.
 */
const inName = 0.8
const nameBonus = 0.4
const nearby = 0.5
const codeNearby = 0.8
/** In a document of this many passages what stands elsewhere is still near. */
const nearbyPassages = 6
/** What names the document counts wherever it stands there when the question asks for a value of that document. */
const subjectNearby = 0.95
const lineShare = 1
/** Documents whose passages are all looked at for the value that is asked for. */
const maxSubjectDocuments = 6
const maxSubjectPassages = 40
/** Two words of a question that stand side by side in a text are more than both of them. */
const togetherBonus = 0.3

/** A term with what it weighs among the agent's passages and where it is. */
type FoundTerm = {
  term: Term
  value: number
  ofQuestion: boolean
  hitCount: number
  hits: Hit[]
  documents: ReadonlySet<string>
}

type Hit = { id: number; documentId: string; rank: number }
export type Found = {
  passages: FoundPassage[]
  /** The document that is meant and the term that it does not state; null when it states what is asked for. */
  notStated: { documentName: string; asked: Term } | null
}

type StoredPassage = {
  id: number
  documentId: string
  name: string
  kind: FileKind
  page: number
  text: string
  siblings: number
}

/**
 * The passages of an agent's ready documents that fit a question, the best first; none when none fits. Each term is
 * found by the full-text index (bm25) and weighed by how rare it is among the agent's own passages; the best are then
 * read line by line. A question for a value («total», «IBAN») looks for it in the documents that the rest of the
 * question names.
 */
export function searchPassages(db: ServiceDatabase, agentReference: string, question: Question, count: number): Found {
  const own = `"${agentToken(agentReference)}"`
  const passageCount = countHits(db, own)
  // «And why?» is about what was asked before.
  const asked = question.terms.length > 0 ? question.terms : question.earlier
  if (passageCount === 0 || asked.length === 0) return { passages: [], notStated: null }
  const earlier = question.terms.length > 0 ? question.earlier : []
  const found = [
    ...asked.map((term) => findTerm(db, own, passageCount, term, true)),
    ...earlier.map((term) => findTerm(db, own, passageCount, term, false)),
  ]
  const rows = readPassages(db, [...new Set([...candidateIds(db, own, found), ...subjectPassageIds(db, found)])])
  const scored = rows.map((row) => scorePassage(row, found, question)).filter((passage) => passage !== null)
  const stated = statedIn(scored, found)
  const answering =
    stated === null || stated.size === 0 ? scored : scored.filter(({ row }) => stated.has(row.documentId))
  const best = answering.sort((left, right) => right.passage.score - left.passage.score)[0]
  const passages = answering.map(({ passage }) => passage).slice(0, question.isBareNumber ? 1 : count)
  if (stated?.size !== 0 || best === undefined) return { passages, notStated: null }
  // What a long document does not state nobody has looked for everywhere.
  const wanted = found.find(({ term, ofQuestion }) => ofQuestion && isLabelledTerm(term))!.term
  return best.row.siblings <= maxSubjectPassages
    ? { passages, notStated: { documentName: best.row.name, asked: wanted } }
    : { passages: [], notStated: null }
}

type ScoredPassage = { row: StoredPassage; passage: FoundPassage; hasConcept: boolean }

/** The documents that state the value that is asked for; null when none is asked for. */
function statedIn(scored: readonly ScoredPassage[], found: readonly FoundTerm[]): ReadonlySet<string> | null {
  if (!found.some(({ term, ofQuestion }) => ofQuestion && isLabelledTerm(term))) return null
  return new Set(scored.filter(({ hasConcept }) => hasConcept).map(({ row }) => row.documentId))
}

/** The passages of the documents that the question names most clearly, when it asks for a value of them. */
function subjectPassageIds(db: ServiceDatabase, found: readonly FoundTerm[]): number[] {
  if (!found.some(({ term, ofQuestion }) => ofQuestion && (term.isConcept || term.isImplied))) return []
  const scores = new Map<string, number>()
  for (const { term, value, documents } of found) {
    if (!term.isConcept) for (const id of documents) scores.set(id, (scores.get(id) ?? 0) + value)
  }
  const best = [...scores]
    .sort((left, right) => right[1] - left[1])
    .slice(0, maxSubjectDocuments)
    .map(([id]) => id)
  return db
    .prepare<[string, number], number>(
      'select p.id from json_each(?) wanted join passages p on p.document_id = wanted.value where (select count(*) from passages other where other.document_id = p.document_id and other.position < p.position) < ?',
    )
    .pluck()
    .all(JSON.stringify(best), maxSubjectPassages)
}

function findTerm(db: ServiceDatabase, own: string, passageCount: number, term: Term, ofQuestion: boolean): FoundTerm {
  const expression = `${own} AND (${matchExpression(term)})`
  const hitCount = countHits(db, expression)
  const hits = hitCount === 0 || hitCount > rareHits ? [] : hitsOf(db, expression, rareHits)
  const value = term.weight * (ofQuestion ? 1 : earlierWeight) * inverseDocumentFrequency(passageCount, hitCount)
  return { term, value, ofQuestion, hitCount, hits, documents: new Set(hits.map((hit) => hit.documentId)) }
}

/** Counted in the index alone, which is quick for any number. */
function countHits(db: ServiceDatabase, expression: string): number {
  return db
    .prepare<[string], number>('select count(*) from passages_index where passages_index match ?')
    .pluck()
    .get(expression)!
}

/** The best hits by bm25 (negative, the smaller the better), of documents that are read. */
function hitsOf(db: ServiceDatabase, expression: string, limit: number): Hit[] {
  return db
    .prepare<[string, number], Hit>(
      `select p.id, p.document_id as documentId, hit.rank
       from (select rowid, rank from passages_index where passages_index match ? order by rank limit ?) hit
       cross join passages p on p.id = hit.rowid cross join agent_documents d on d.id = p.document_id where d.state = 'ready'`,
    )
    .all(expression, limit)
}

/**
 * Inverse document frequency as in BM25. A term that every passage has keeps a little, since agents can be small; one
 * that none has weighs no more than a rare one, since people use words that documents do not.
 */
function inverseDocumentFrequency(passageCount: number, hitCount: number): number {
  const count = hitCount === 0 ? Math.min(2, passageCount) : hitCount
  return Math.max(0.25, Math.log(1 + (passageCount - count + 0.5) / (count + 0.5)))
}

/**
 * The passages that are worth reading: by their rare terms and what else their document has, and the best by the common
 * ones.
 */
function candidateIds(db: ServiceDatabase, own: string, found: readonly FoundTerm[]): number[] {
  const byId = new Map<number, { id: number; documentId: string; score: number; terms: Set<FoundTerm> }>()
  for (const term of found) {
    const best = term.hits.reduce((least, hit) => Math.min(least, hit.rank), -1e-9)
    for (const { id, documentId, rank } of term.hits) {
      const candidate = byId.get(id) ?? { id, documentId, score: 0, terms: new Set() }
      candidate.score += term.value * (0.6 + 0.4 * Math.max(0, rank / best))
      candidate.terms.add(term)
      byId.set(id, candidate)
    }
  }
  for (const candidate of byId.values()) {
    for (const term of found)
      if (!candidate.terms.has(term) && term.documents.has(candidate.documentId)) candidate.score += term.value * nearby
  }
  const rare = [...byId.values()]
    .sort((left, right) => right.score - left.score || left.id - right.id)
    .slice(0, maxCandidates)
  return [...new Set([...rare.map(({ id }) => id), ...idsByCommonTerms(db, own, found)])]
}

/** Passages with all common terms of the question, else with any. */
function idsByCommonTerms(db: ServiceDatabase, own: string, found: readonly FoundTerm[]): number[] {
  const common = found
    .filter(({ ofQuestion, hitCount }) => ofQuestion && hitCount > rareHits)
    .map(({ term }) => `(${matchExpression(term)})`)
  if (common.length === 0) return []
  const together = hitsOf(db, [own, ...common].join(' AND '), maxCandidates)
  const hits = together.length > 0 ? together : hitsOf(db, `${own} AND (${common.join(' OR ')})`, maxCandidates)
  return hits.map(({ id }) => id)
}

function readPassages(db: ServiceDatabase, ids: readonly number[]): StoredPassage[] {
  return db
    .prepare<[string], StoredPassage>(
      `select p.id, p.document_id as documentId, d.name, d.kind, p.page, p.text,
         (select count(*) from passages other where other.document_id = p.document_id) as siblings
       from json_each(?) wanted join passages p on p.id = wanted.value join agent_documents d on d.id = p.document_id order by p.id`,
    )
    .all(JSON.stringify(ids))
}

/** The score of a passage for the question; null when it is about something else. */
function scorePassage(row: StoredPassage, found: readonly FoundTerm[], question: Question): ScoredPassage | null {
  const text = bagOfWords(row.text)
  const name = bagOfWords(nameWithoutExtension(row.name))
  const near = Math.sqrt(Math.min(1, nearbyPassages / row.siblings))
  const asksValue = found.some(({ term, ofQuestion }) => ofQuestion && term.isConcept)
  const scored = found.map(({ term, value, ofQuestion, hitCount, documents }) => {
    const named = matchStrength(name, term)
    const own = matchStrength(text, term)
    const inDocument = !isShortNumber(term) && (documents.has(row.documentId) || hitCount > rareHits)
    const namesDocument = asksValue && !term.isConcept
    const elsewhere = inDocument ? (namesDocument ? subjectNearby : term.exact ? codeNearby : nearby) * near : 0
    return {
      term,
      value,
      ofQuestion,
      named,
      own,
      strength: Math.max(own, named * inName, elsewhere) + named * nameBonus,
      covered: Math.max(own, named, elsewhere),
    }
  })
  const asked = scored.filter(({ ofQuestion }) => ofQuestion)
  const coverage = sum(asked.map(({ value, covered }) => value * covered)) / sum(asked.map(({ value }) => value))
  const hasCode = asked.some(({ term, covered }) => term.exact && term.weight > 1 && covered >= codeNearby * near)
  if (coverage < (hasCode ? codeFloor : relevanceFloor)) return null
  const isKnownDocument = asksValue && asked.some(({ term, covered }) => !term.isConcept && covered > 0)
  if (!isKnownDocument && asked.every(({ own, named }) => own + named === 0)) return null
  const terms = scored.map(({ term, ofQuestion, named }) => ({
    ...term,
    weight: term.weight * (ofQuestion ? 1 : earlierWeight),
    identifies: term.exact || term.isName || named > 0.5 || (asksValue && !term.isConcept),
  }))
  const lines = row.text.split('\n')
  // One word alone is about many things: with a value asked for it has to have one.
  const main = asked.filter(({ term }) => !term.isImplied && term.weight >= 1)
  if (
    question.wants !== null &&
    main.length === 1 &&
    !main[0]!.term.exact &&
    !asksValue &&
    !asked.some(({ term }) => term.isImplied) &&
    !hasValueFor(lines, main[0]!.term, question.wants)
  )
    return null
  // When every word tells the document («Adeyemi», «claim»), those that are no names are what is asked about it.
  if (terms.every(({ identifies }) => identifies)) for (const term of terms) term.identifies = term.exact || term.isName
  const bestLine = Math.max(...scoreLines(lines, terms, question.wants))
  const together = scored
    .slice(1)
    .filter(({ term }, index) => hasPhrase(text.words, [...scored[index]!.term.words, ...term.words]))
  const score =
    sum(scored.map(({ value, strength }) => value * strength)) +
    togetherBonus * sum(together.map(({ value }) => value)) +
    lineShare * bestLine
  const hasConcept = asked.some(({ term, own }) => isLabelledTerm(term) && own >= 0.8)
  return {
    row,
    passage: { documentName: row.name, kind: row.kind, page: row.page, text: row.text, score, terms },
    hasConcept,
  }
}

function isLabelledTerm(term: Term): boolean {
  return term.isConcept && isLabelled([...term.words, ...term.neutral.flat()])
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
