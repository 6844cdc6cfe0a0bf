import type { Offer } from '../../../shared/contract/lessons.ts'
import type { LearnedValue } from '../../../shared/domain/learned.ts'
import { tokensOf, valueAt } from '../../../shared/domain/pointer.ts'
import { plainValueOf } from '../../../shared/domain/result.ts'
import { assess } from '../pipeline/answers/assess.ts'
import { inTransaction } from '../pipeline/context.ts'
import type { HandlerContext, Handlers } from './types.ts'

type LessonCalls = Extract<keyof Handlers, `lessons.${string}`>
type Needs = Pick<HandlerContext, 'tables' | 'emit' | 'now' | 'learner'>

export function lessonHandlers(context: Needs): Pick<Handlers, LessonCalls> {
  const { tables, emit, learner } = context
  return {
    'lessons.list': async () => ({
      forms: tables.lessons.forms().map(({ form, schemaName, name, seller, newest, documents, learnedAt }) => ({
        form,
        schemaName,
        name: seller ?? name,
        documents,
        newestDocumentId: newest,
        learnedAt,
      })),
    }),
    'lessons.forget': async ({ form }) => {
      inTransaction(context, (inside) => {
        for (const documentId of tables.lessons.forget(form)) assess(inside, documentId)
      })
      learner.forgetOffers()
      emit('lessons.changed', {})
      return {}
    },
    'lessons.offers': async () => ({
      documents: learner.offers().map(({ documentId, found }) => ({
        documentId,
        name: tables.documents.get(documentId)!.name,
        changes: changesOf(context, documentId, found),
      })),
    }),
    'lessons.applyOffers': async () => ({ changed: learner.applyOffers().length }),
    'lessons.takeBackOffers': async () => ({ changed: learner.takeBackOffers() }),
  }
}

/** How the values that are shown would differ, and what would be flagged. */
function changesOf({ tables }: Needs, documentId: number, found: readonly LearnedValue[]): Offer['changes'] {
  const { records } = tables.results.get(tables.documents.get(documentId)!.resultId!)
  const before = tables.lessons.learnedOf(documentId)
  const named = new Map(found.map((each) => [`${each.kind} ${each.pointer}`, each]))
  // What earlier lessons said and these do not goes back to what was found.
  const gone = before.filter(({ kind, pointer }) => kind === 'replaced' && !named.has(`${kind} ${pointer}`))
  const changes = [
    ...found.filter(({ kind }) => kind !== 'agrees'),
    ...gone.map((each) => ({ ...each, value: each.extracted })),
  ].map(({ pointer, kind, value }) => ({
    field: String(tokensOf(pointer).at(1) ?? ''),
    from: plainValueOf(valueAt(records, pointer)),
    to: value,
    isFlag: kind !== 'replaced',
  }))
  return changes.filter(({ from, to, isFlag }) => isFlag || from !== to)
}
