import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAgent } from '../../electron/service/access/agents.ts'
import { openServiceDatabase } from '../../electron/service/database.ts'
import type { ServiceDatabase } from '../../electron/service/database.ts'
import { UsageLedger } from '../../electron/service/access/usage-ledger.ts'
import type { UsageEntry } from '../../electron/service/access/usage-ledger.ts'
import { pdf } from './documents.ts'
import { startReceiver } from './receiver.ts'
import { invoiceLines, invoiceParams, readDocument, startRig, tokenFrom, usageRowsIn } from './setup.ts'
import type { Rig } from './setup.ts'

const today = (): string => new Date().toISOString().slice(0, 10)
const openOrganization = {
  id: null,
  apiEnabled: true,
  subscribed: true,
  quotaTokens: null,
  spendingCapEuros: null,
  eurosPerMillionTokens: 0,
}

describe('the usage book', () => {
  let directory: string
  let db: ServiceDatabase
  let now: number
  let book: UsageLedger
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sheaf-usage-'))
    db = openServiceDatabase(directory)
    now = Date.UTC(2026, 2, 31, 23, 59, 59)
    book = new UsageLedger(db, () => now)
  })
  afterEach(async () => {
    db.close()
    await rm(directory, { recursive: true, force: true })
  })

  const entry = (more: Partial<UsageEntry> = {}): UsageEntry => ({
    caller: { clientId: 'c1', organization: { id: 'o1' } },
    kind: 'chat',
    agent: '',
    channel: 'api',
    inputTokens: 100,
    outputTokens: 10,
    pages: 0,
    ...more,
  })
  const organization = (
    quotaTokens: number | null,
    spendingCapEuros: number | null,
    eurosPerMillionTokens = 1_000_000,
  ) => ({
    id: 'o1',
    name: 'O',
    apiEnabled: true,
    subscribed: true,
    quotaTokens,
    spendingCapEuros,
    eurosPerMillionTokens,
  })

  it('adds up by day in UTC, client, agent, kind and channel', () => {
    book.record(entry())
    book.record(entry({ inputTokens: 1, outputTokens: 2 }))
    book.record(entry({ kind: 'extractor', agent: 'inv', channel: 'public', outputTokens: 0, pages: 3 }))
    now += 1000
    book.record(entry())
    const row = { organizationId: 'o1', clientId: 'c1', agent: '', kind: 'chat', channel: 'api', pages: 0 }
    expect(usageRowsIn(db)).toEqual([
      { ...row, day: '2026-03-31', requests: 2, inputTokens: 101, outputTokens: 12 },
      {
        ...row,
        day: '2026-03-31',
        kind: 'extractor',
        agent: 'inv',
        channel: 'public',
        requests: 1,
        inputTokens: 100,
        outputTokens: 0,
        pages: 3,
      },
      { ...row, day: '2026-04-01', requests: 1, inputTokens: 100, outputTokens: 10 },
    ])
  })

  it('counts a calendar month over all channels, kinds and clients of one organization', () => {
    book.record(entry())
    book.record(entry({ kind: 'extractor', channel: 'public', caller: { clientId: 'c2', organization: { id: 'o1' } } }))
    book.record(entry({ caller: { clientId: 'c1', organization: { id: 'o2' } } }))
    expect(book.month(organization(50, 5, 2_000_000))).toEqual({
      tokens: 220,
      quotaTokens: 50,
      overageEuros: 340,
      spendingCapEuros: 5,
    })
    now = Date.UTC(2026, 3, 1)
    expect(book.month(organization(50, 5))).toMatchObject({ tokens: 0, overageEuros: 0 })
  })

  it.each<[string, number | null, number | null, number, boolean]>([
    ['no cap', 0, null, 1, true],
    ['no quota, so that nothing is overage', null, 0, 1, true],
    ['a cap of 0 and quota left', 111, 0, 1, true],
    ['a cap of 0 and the quota used up to the token', 110, 0, 1, false],
    ['a cap of 0, the quota used up, and tokens that cost nothing', 110, 0, 0, false],
    ['an overage below the cap', 100, 11, 1_000_000, true],
    ['an overage that is the cap', 100, 10, 1_000_000, false],
    ['an overage above the cap', 10, 10, 1_000_000, false],
  ])('with %s', (_, quota, cap, price, lets) => {
    book.record(entry())
    const ask = (): void => book.requireBudget(organization(quota, cap, price))
    if (lets) expect(ask).not.toThrow()
    else expect(ask).toThrow(expect.objectContaining({ status: 429, code: 'spending_limit_reached' }))
  })

  it('opens again with the next calendar month', () => {
    book.record(entry())
    expect(() => book.requireBudget(organization(0, 0))).toThrow()
    now = Date.UTC(2026, 3, 1)
    book.requireBudget({ ...organization(1, 0) })
  })
})

describe('usage of extractions', () => {
  let rig: Rig
  beforeAll(async () => {
    rig = await startRig({ webhook: { firstDelayMs: 10 } })
  })
  afterAll(() => rig.close())

  const body = { filename: 'a.pdf', file: pdf(invoiceLines).toString('base64'), params: invoiceParams }
  // «Invoice number: RE-2024-17» and «Total amount: 119.50»
  const words = 6

  async function organizationWith(settings: object = {}): Promise<{ id: string; clientId: string; token: string }> {
    const { id } = await rig.control('organizations.save', { ...openOrganization, name: 'Acme', ...settings })
    const account = await rig.control('accounts.save', {
      id: null,
      organizationId: id,
      name: 'Ada',
      active: true,
      administrator: true,
    })
    const client = await rig.control('clients.add', { accountId: account.id })
    return { id, clientId: client.clientId, token: await tokenFrom({ baseUrl: rig.service.baseUrl, ...client }) }
  }
  const rowsOf = (organizationId: string) => rig.usageRows().filter((row) => row.organizationId === organizationId)

  it('are words as input tokens and pages, by client', async () => {
    const { id, clientId, token } = await organizationWith()
    for (let round = 0; round < 2; round++)
      expect((await rig.post('/v2/extractor', body, { 'x-api-key': token })).status).toBe(200)
    expect(rowsOf(id)).toEqual([
      {
        day: today(),
        organizationId: id,
        clientId,
        agent: '',
        kind: 'extractor',
        channel: 'api',
        requests: 2,
        inputTokens: 2 * words,
        outputTokens: 0,
        pages: 2,
      },
    ])
    expect(await rig.control('usage.month', { organizationId: id })).toEqual({
      tokens: 2 * words,
      quotaTokens: null,
      overageEuros: 0,
      spendingCapEuros: null,
    })
  })

  it('are counted for an asynchronous one when it is finished, also after a restart', async () => {
    const { id, clientId, token } = await organizationWith()
    const receiver = await startReceiver()
    const entered = Promise.withResolvers<void>()
    const reading = Promise.withResolvers<never>()
    await rig.restart({
      read: () => {
        entered.resolve()
        return reading.promise
      },
    })
    await rig.post('/v2/extractor/async', { ...body, callback: receiver.url }, { 'x-api-key': token })
    await entered.promise
    expect(rowsOf(id)).toEqual([])
    const closed = rig.service.close()
    reading.reject(new Error('the reader was stopped'))
    await closed
    await rig.restart()
    await receiver.next(1)
    expect(rowsOf(id)).toEqual([
      {
        day: today(),
        organizationId: id,
        clientId,
        agent: '',
        kind: 'extractor',
        channel: 'api',
        requests: 1,
        inputTokens: words,
        outputTokens: 0,
        pages: 1,
      },
    ])
    await receiver.close()
  })

  it('name the agent, on the public channel when it is that of another organization', async () => {
    const [owner, other] = [await organizationWith(), await organizationWith()]
    createAgent(rig.service.db, {
      reference: 'inv',
      name: 'Invoices',
      schema: invoiceParams,
      visibility: 'Public',
      organizationId: owner.id,
    })
    const { params: _params, ...withoutSchema } = body
    for (const { token } of [owner, other])
      expect((await rig.post('/v2/extractor/inv', withoutSchema, { 'x-api-key': token })).status).toBe(200)
    expect(rowsOf(owner.id)).toMatchObject([{ agent: 'inv', channel: 'api' }])
    expect(rowsOf(other.id)).toMatchObject([{ agent: 'inv', channel: 'public', requests: 1 }])
  })

  it('are none for what was refused or failed', async () => {
    const { id, token } = await organizationWith()
    expect((await rig.post('/v2/extractor', { ...body, params: 'none' }, { 'x-api-key': token })).status).toBe(400)
    expect(
      (
        await rig.post(
          '/v2/extractor',
          { ...body, file: Buffer.from('%PDF-1.4\nno more').toString('base64') },
          { 'x-api-key': token },
        )
      ).status,
    ).toBe(422)
    expect(rowsOf(id)).toEqual([])
  })

  it('are none for a synchronous one whose client left before it was finished', async () => {
    const { id, token } = await organizationWith()
    const entered = Promise.withResolvers<void>()
    const opened = Promise.withResolvers<void>()
    const leaving = new AbortController()
    await rig.restart({
      concurrency: 1,
      read: async (path, kind) => {
        entered.resolve()
        await opened.promise
        return readDocument(path, kind)
      },
    })
    const headers = { 'x-api-key': token }
    const left = fetch(`${rig.service.baseUrl}/v2/extractor`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal: leaving.signal,
    }).catch(() => 'left')
    await entered.promise
    leaving.abort()
    expect(await left).toBe('left')
    // Who is answered after the other left is answered by a service that knows it.
    await tokenFrom(rig.credentials)
    opened.resolve()
    // The one slot is free again only when the first is done with.
    expect((await rig.post('/v2/extractor', body, headers)).status).toBe(200)
    expect(rowsOf(id)).toMatchObject([{ requests: 1 }])
    await rig.restart()
  })

  it('stop with 429 before the body is read when the spending limit is reached, and go on with a higher one', async () => {
    const { id, token } = await organizationWith({
      quotaTokens: 5,
      spendingCapEuros: 1,
      eurosPerMillionTokens: 1_000_000,
    })
    expect((await rig.post('/v2/extractor', body, { 'x-api-key': token })).status).toBe(200)
    for (const path of ['/v2/extractor', '/v2/extractor/async']) {
      // What is refused before the body is read is refused whatever the body is.
      const response = await rig.post(path, 'no JSON', { 'x-api-key': token })
      expect(response.status).toBe(429)
      expect(await response.json()).toEqual({
        status: 'error',
        code: 'spending_limit_reached',
        error: expect.any(String) as string,
        detail: expect.any(String) as string,
      })
    }
    await rig.control('organizations.save', {
      ...openOrganization,
      id,
      name: 'Acme',
      quotaTokens: 5,
      spendingCapEuros: 2,
      eurosPerMillionTokens: 1_000_000,
    })
    expect((await rig.post('/v2/extractor', body, { 'x-api-key': token })).status).toBe(200)
  })
})
