import { assess } from '../pipeline/answers/assess.ts'
import { inTransaction } from '../pipeline/context.ts'
import type { HandlerContext, Handlers } from './types.ts'

type LessonCalls = Extract<keyof Handlers, `lessons.${string}`>
type Needs = Pick<HandlerContext, 'tables' | 'emit' | 'now'>

export function lessonHandlers(context: Needs): Pick<Handlers, LessonCalls> {
  const { tables, emit } = context
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
      emit('lessons.changed', {})
      return {}
    },
  }
}
