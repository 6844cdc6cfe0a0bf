import { afterEach, beforeEach, expect, it } from 'vitest'
import { question, readUntil, startCompatRig } from './compat-rig.ts'
import type { CompatRig } from './compat-rig.ts'
import { pdf } from './documents.ts'
import { giveDocuments } from './documentalist-rig.ts'

type Reader = ReadableStreamDefaultReader<Uint8Array>

let compat: CompatRig
beforeEach(async () => {
  compat = await startCompatRig()
})
afterEach(() => compat.close())

const errorFrame = '{"error":{"message":"The model returned an error.","type":"api_error","code":"upstream"}}'

it('a service that closes ends what it is writing so that nobody takes it for whole, and charges what was written', async () => {
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
  const [chatted, answered] = readers as [Reader, Reader]
  const rests = [
    readUntil(chatted, '[DONE]'),
    answered.read().then(
      () => 'went on',
      () => 'broke off',
    ),
  ]
  await rig.service.close()
  const [frames, end] = await Promise.all(rests)
  expect(frames!.split('\n\n').slice(-3)).toEqual([`data: ${errorFrame}`, 'data: [DONE]', ''])
  expect((await chatted.read()).done).toBe(true)
  expect(end).toBe('broke off')
  await rig.restart()
  const rows = rig.usageRows()
  expect(rows.map(({ kind, requests }) => ({ kind, requests }))).toEqual([
    { kind: 'chat', requests: 1 },
    { kind: 'documentalist', requests: 1 },
  ])
})

it.each([true, false])(
  'a service that closes refuses what it has not begun to write, and charges nothing: stream %s',
  async (stream) => {
    const { rig, model, answer, chat } = compat
    answer(() => ({ answer: 'never' }))
    const asked = chat({ ...question, stream })
    await model.next(1)
    await rig.service.close()
    const response = await asked
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await response.json()).toMatchObject({ error: { code: 'unavailable', type: 'api_error' } })
    await rig.restart()
    expect(rig.usageRows()).toEqual([])
  },
)
