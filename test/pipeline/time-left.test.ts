import { afterEach, expect, it, vi } from 'vitest'
import { setUpFolder } from '../faults/folder-rig.ts'
import { pdfBytes, until } from '../helpers/core.ts'
import { gate } from '../helpers/vendor-questions.ts'

afterEach(() => void vi.restoreAllMocks())

it('the time that is left does not count how long a person paused', async () => {
  const held = gate()
  const rig = await setUpFolder({
    options: { concurrency: 1 },
    reply: async (_document, index) => {
      if (index > 0) await held.opened
      return {}
    },
  })
  await Promise.all(['a.pdf', 'b.pdf', 'c.pdf'].map((name) => rig.put(name, pdfBytes(name))))
  await until(
    () => rig.vendor.received.length === 2 && rig.documents().length === 3,
    'one document to be done and one under way',
  )
  rig.core.queue.pause()
  // Ten minutes pass.
  const { now } = performance
  vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + 600_000)
  rig.core.queue.resume()
  expect(rig.core.queue.progress()).toMatchObject({ settled: 1, total: 3 })
  expect(rig.core.queue.progress()!.msLeft).toBeLessThan(120_000)
  held.open()
  await until(() => rig.documents().every(({ status }) => status === 'done'), 'all documents')
})
