import { describe, expect, it } from 'vitest'
import { callKey, newQueryClient } from '../../../renderer/client/queries.ts'

type Answer = { document: { name: string }; rows: { a: number }[] }

const key = callKey('documents.get', { id: 1 })
const answer = (): Answer => ({ document: { name: 'A' }, rows: [{ a: 1 }, { a: 2 }] })

describe('answers that are kept', () => {
  it('stay the same objects where a new answer says the same again', () => {
    const queries = newQueryClient()
    queries.setQueryData<unknown>(key, answer())
    const before = queries.getQueryData<unknown>(key) as Answer
    queries.setQueryData<unknown>(key, { ...answer(), rows: [{ a: 1 }, { a: 3 }] })
    const after = queries.getQueryData<unknown>(key) as Answer
    expect(after).toEqual({ document: { name: 'A' }, rows: [{ a: 1 }, { a: 3 }] })
    expect([
      after.document === before.document,
      after.rows[0] === before.rows[0],
      after.rows[1] === before.rows[1],
    ]).toEqual([true, true, false])
    queries.setQueryData<unknown>(key, structuredClone(after))
    expect(queries.getQueryData<unknown>(key)).toBe(after)
  })

  it('are taken as they are where this window made them from the one before', () => {
    const queries = newQueryClient()
    queries.setQueryData<unknown>(key, answer())
    const before = queries.getQueryData<unknown>(key) as Answer
    const made = { ...before, rows: [before.rows[0]!, { a: 3 }] }
    queries.setQueryData<unknown>(key, made)
    expect(queries.getQueryData<unknown>(key)).toBe(made)
  })
})
