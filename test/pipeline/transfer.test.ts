import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Core } from '../../electron/core/core.ts'
import { noPolicies } from '../../shared/domain/policies.ts'
import { simpleSchema, startTestCore, temporaryDir } from '../helpers/core.ts'

async function startCoreIn(policies?: Parameters<typeof startTestCore>[1]): Promise<Core> {
  const dir = temporaryDir()
  onTestFinished(dir.remove)
  const core = await startTestCore(join(dir.path, 'data'), policies)
  onTestFinished(() => core.stop({ atOnce: true }))
  return core
}

const lesson = {
  form: 7,
  documentName: 'Ridley 1.pdf',
  seller: 'Ridley',
  fingerprint: JSON.stringify({ words: [['invoice', 100, 120]], ids: ['GB284771906'], accounts: [] }),
  fields: JSON.stringify([{ name: 'invoice_number', kind: 'nothing' }]),
}
const partner = {
  id: null,
  name: 'Ridley Joinery',
  vatId: 'GB284771906',
  accounts: ['GB63HBUK40127688203314'],
  number: '70012',
  bookAccount: '3400',
  isOwn: false,
}

/** A computer with a schema, a partner, a lesson, a preset and choices of its own. */
async function furnished(): Promise<Core> {
  const core = await startCoreIn()
  const rules = [{ kind: 'required' as const, field: ['invoice_number'] }]
  const { id } = await core.handlers['schemas.save']({ id: null, name: 'Invoice', elements: simpleSchema, rules })
  await core.handlers['partners.save'](partner)
  core.context.tables.lessons.import(
    id,
    [lesson, { ...lesson, form: 7, fingerprint: '{"words":[],"ids":[],"accounts":[]}' }],
    1,
  )
  await core.handlers['settings.update']({ theme: 'dark', dailyDocumentCap: 12, firstRunDone: true })
  await core.handlers['exports.presets.save']({
    id: null,
    name: 'For the books',
    spec: {
      schemaId: id,
      folderId: null,
      reviews: ['approved'],
      days: { by: 'received', from: null, to: null, last: null },
      format: 'csv',
      locale: 'de',
      lists: 'rows',
      listLimit: 10,
      columns: null,
      datev: null,
      bills: null,
    },
  })
  return core
}

describe('what is taken to another computer', () => {
  it('is all there afterwards, once however often it is brought', async () => {
    const from = await furnished()
    const to = await startCoreIn()
    const { text } = await from.handlers['transfer.export']({})
    expect(await to.handlers['transfer.import']({ text })).toEqual({ schemas: 1, partners: 1, forms: 1, presets: 1 })
    expect(await to.handlers['transfer.import']({ text })).toEqual({ schemas: 0, partners: 0, forms: 0, presets: 0 })

    expect((await to.handlers['schemas.list']({})).schemas).toMatchObject([
      { name: 'Invoice', elements: simpleSchema, rules: [{ kind: 'required', field: ['invoice_number'] }] },
    ])
    expect((await to.handlers['partners.list']({})).partners).toMatchObject([{ ...partner, id: 1, isNamed: true }])
    expect((await to.handlers['lessons.list']({})).forms).toMatchObject([
      { name: 'Ridley', documents: 2, newestDocumentId: null, schemaName: 'Invoice' },
    ])
    expect((await to.handlers['exports.presets.list']({})).presets).toMatchObject([{ name: 'For the books' }])
    expect((await to.handlers['app.state']({})).settings).toMatchObject({
      theme: 'dark',
      dailyDocumentCap: 12,
      firstRunDone: false,
    })
    expect((await to.handlers['transfer.export']({})).text).toBe(text)
  })

  it('leaves a cap as an administrator has set it', async () => {
    const { text } = await (await furnished()).handlers['transfer.export']({})
    const to = await startCoreIn({ policies: { ...noPolicies, values: { MaximumDailyDocumentCap: 5 } } })
    await to.handlers['transfer.import']({ text })
    expect((await to.handlers['app.state']({})).settings).toMatchObject({ theme: 'dark', dailyDocumentCap: 5 })
  })

  it('holds no document, no connection and no secret', async () => {
    const core = await furnished()
    core.context.tables.connections.addPlatform('Head office', 'https://platform.example', 'client-of-the-office')
    const { text } = await core.handlers['transfer.export']({})
    expect(text).not.toMatch(/platform\.example|client-of-the-office|secret/i)
  })

  it('is refused as a whole where anything of it is not as it was written', async () => {
    const { text } = await (await furnished()).handlers['transfer.export']({})
    const to = await startCoreIn()
    for (const wrong of [
      '',
      '[]',
      text.slice(0, -10),
      text.replace('"settings"', '"something"'),
      text.replace(/"form": \d+/, '"form": "7"'),
      text.replace('"kind": "nothing"', '"kind": "everything"'),
      text.replace('"format": "number"', '"format": "date"'),
    ])
      await expect(to.handlers['transfer.import']({ text: wrong })).rejects.toMatchObject({
        code: 'transfer_unreadable',
      })
    expect((await to.handlers['schemas.list']({})).schemas).toEqual([])
    expect((await to.handlers['app.state']({})).settings.theme).toBe('system')
  })
})
