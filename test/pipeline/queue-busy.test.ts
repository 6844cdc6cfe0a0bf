import { expect, it } from 'vitest'
import { until } from '../helpers/core.ts'
import { startBatch, consumed } from '../helpers/batch.ts'
import type { Batch } from '../helpers/batch.ts'
import type { VendorReply } from '../helpers/vendor.ts'

const done = (): VendorReply => consumed(1)

/** Resolves when so many documents were sent and the queue has taken note of what came of them. */
async function settled({ core, vendor }: Batch, sent: number): Promise<void> {
  await until(() => vendor.received.length === sent && core.queue.idle, 'the queue to be at rest')
}

it('a batch runs while a document is on its way, and not when all is done', async () => {
  let answer = (): void => undefined
  const batch = await startBatch(() => new Promise((resolve) => (answer = () => resolve(done()))))
  expect(batch.core.queue.busy).toBe(false)
  await batch.take(1)
  await until(() => batch.vendor.received.length === 1, 'the document to be sent')
  expect(batch.core.queue.busy).toBe(true)
  answer()
  await settled(batch, 1)
  expect(batch.core.queue.busy).toBe(false)
})

it('a batch runs while its service says «later», and not once the person has stopped it', async () => {
  const batch = await startBatch(() => ({ status: 429, headers: { 'retry-after': '3600' } }))
  await batch.take(1)
  await settled(batch, 1)
  expect(batch.core.queue.busy).toBe(true)
  batch.core.queue.pause()
  expect(batch.core.queue.busy).toBe(false)
})

it('what waits for a person is no batch: a connection that stopped, a folder that is paused', async () => {
  const batch = await startBatch(() => ({ status: 402, body: '{"status":"error","error":"Payment Required"}' }))
  const { core, folder } = batch
  await batch.take(1)
  await settled(batch, 1)
  expect(core.context.tables.documents.inFolder(folder.id).map(({ status }) => status)).toEqual(['queued'])
  expect(core.queue.busy).toBe(false)
  core.context.tables.folders.pause(folder.id)
  for (const { id } of core.context.tables.connections.list()) core.context.tables.connections.resume(id)
  expect(core.queue.busy).toBe(false)
})
