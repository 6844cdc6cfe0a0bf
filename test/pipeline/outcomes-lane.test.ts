import { unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { setUp } from '../faults/answers-setup.ts'
import { until } from '../helpers/core.ts'
import { startVendor } from '../helpers/vendor.ts'
import type { VendorReply } from '../helpers/vendor.ts'

async function rigThat(reply: VendorReply, options: Parameters<typeof setUp>[1]) {
  const vendor = await startVendor(() => reply)
  onTestFinished(vendor.close)
  const rig = await setUp(vendor.baseUrl, { concurrency: 1, ...options })
  const failures = (): number =>
    rig.core.queue.failuresOf(rig.core.context.tables.connections.list().find(({ kind }) => kind === 'platform')!.id)
  return Object.assign(rig, { vendor, failures })
}

describe('a lane', () => {
  it('pauses after three lost answers also where the setting sends each of them again', async () => {
    const rig = await rigThat({ status: 502, body: '<html>Bad Gateway</html>' }, { timings: { firstRetryMs: 150 } })
    await rig.core.handlers['settings.update']({ resendUnknown: true })
    rig.core.queue.pause()
    const ids: number[] = []
    for (let number = 0; number < 20; number += 1) ids.push(await rig.send(`${number}.pdf`))
    rig.core.queue.resume()
    await until(() => rig.vendor.received.length >= 5 && rig.core.queue.idle, 'five requests')
    // Three until the first pause, then one after each.
    expect(rig.failures()).toBe(3)
    expect(rig.vendor.received).toHaveLength(5)
    const sent = ids.filter((id) => rig.attempts(id).length > 0).length
    rig.check(5, 5 - sent)
  })

  it('keeps its back-off when the document that goes first does not reach the service', async () => {
    const rig = await rigThat({ status: 429, body: '{}' }, { timings: { firstRetryMs: 100 } })
    rig.core.queue.pause()
    const gone = await rig.send('gone.pdf')
    await rig.core.handlers['documents.cancel']({ ids: [gone] })
    await unlink(join(rig.dir, 'gone.pdf'))
    await rig.send('a.pdf')
    rig.core.queue.resume()
    await until(() => rig.failures() === 2, 'two refusals')
    // The oldest of the queue goes first.
    await rig.core.handlers['documents.retry']({ ids: [gone] })
    const seen: number[] = []
    rig.core.onEvent(() => void seen.push(rig.failures()))
    await until(() => rig.failures() === 4, 'four refusals in a row', 5000)
    expect(rig.document(gone).status).toBe('failed')
    expect(Math.min(...seen)).toBe(2)
    rig.check(0)
  })
})

describe('the cancelling of very many documents', () => {
  it('is a few writes to the disk, and others have their turn between them', async () => {
    const rig = await rigThat({}, {})
    const { tables } = rig.core.context
    rig.core.queue.pause()
    const first = await rig.send('a.pdf')
    const { folderId, connectionId, schemaVersionId } = rig.document(first)
    const insert = (number: number): number =>
      tables.documents.insert(
        {
          folderId,
          connectionId,
          schemaVersionId,
          agentReference: null,
          mode: 'sync',
          path: `/nowhere/${number}.pdf`,
          name: `${number}.pdf`,
          sizeBytes: 1,
          mtimeMs: 0,
          sha256: null,
          originalDocumentId: null,
          status: 'queued',
          reason: null,
        },
        0,
      )
    const ids = tables.transaction(() => Array.from({ length: 1200 }, (_, number) => insert(number)))
    const { transaction } = tables
    let writes = 0
    tables.transaction = (work) => {
      writes += 1
      return transaction(work)
    }
    const ended: string[] = []
    const cancelling = rig.core.handlers['documents.cancel']({ ids }).then(
      (said) => (ended.push('all are cancelled'), said),
    )
    await new Promise((resolve) => setImmediate(resolve))
    ended.push('another had its turn')
    expect(await cancelling).toEqual({ cancelled: 1200 })
    expect(ended).toEqual(['another had its turn', 'all are cancelled'])
    expect(writes).toBe(3)
    expect(ids.every((id) => rig.document(id).status === 'cancelled')).toBe(true)
  })
})
