import { afterEach, beforeEach, expect, it } from 'vitest'
import { question, startCompatRig } from './compat-rig.ts'
import type { CompatRig } from './compat-rig.ts'
import { pdf } from './documents.ts'
import { giveDocuments } from './documentalist-rig.ts'

let compat: CompatRig
beforeEach(async () => {
  compat = await startCompatRig()
})
afterEach(() => compat.close())

it('a service that closes breaks off what it is writing, so that nobody takes it for whole, and charges what was written', async () => {
  const { rig, model, answer, chat } = compat
  const { reference } = await rig.control('agents.save', { kind: 'documentalist', name: 'Handbook' })
  await giveDocuments(rig, reference, { 'rules.pdf': pdf(['Whoever is ill calls the office before nine.']) })
  const never = new Promise<never>(() => undefined)
  answer(() => ({ pieces: ['One ', 'two'], gate: (index) => (index === 1 ? never : undefined) }))
  const streams = await Promise.all([
    chat({ ...question, stream: true }),
    rig.post(`/v2/documentalist/${reference}`, { query: 'Whom do I call when I am ill?' }),
  ])
  const readers = streams.map((response) => response.body!.getReader())
  for (const reader of readers) expect((await reader.read()).done).toBe(false)
  await model.next(2)
  const rests = readers.map((reader) => reader.read().then(() => 'went on', () => 'broke off'))
  await rig.service.close()
  expect(await Promise.all(rests)).toEqual(['broke off', 'broke off'])
  await rig.restart()
  const { rows } = await rig.control('usage.list', { from: '2000-01-01', to: '2999-12-31' })
  expect(rows.map(({ kind, requests }) => ({ kind, requests }))).toEqual([
    { kind: 'chat', requests: 1 },
    { kind: 'documentalist', requests: 1 },
  ])
})
