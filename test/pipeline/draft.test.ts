import { lstat, mkdir, readFile, readdir, utimes, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Core, CoreOptions } from '../../electron/core/core.ts'
import { draftByRules } from '../../electron/core/drafting/by-rules.ts'
import { candidateAt } from '../../electron/core/pipeline/files/file-rules.ts'
import { forNight } from '../helpers/scale.ts'
import { takeIn } from '../helpers/take-in.ts'
import { entryPath } from '../../electron/entries.ts'
import { ReadingPool } from '../../electron/reading/pool.ts'
import { extractFields } from '../../electron/service/finding/find.ts'
import type { Document, Token } from '../../shared/domain/document.ts'
import { parseSchema } from '../../shared/domain/schema.ts'
import type { SchemaElement } from '../../shared/domain/schema.ts'
import { addFolder, startTestCore, temporaryDir } from '../helpers/core.ts'
import { chatAnswer, proxyError } from '../helpers/vendor-questions.ts'
import type { Asked, VendorAnswer } from '../helpers/vendor-questions.ts'
import { startVendor, vendorCredentials } from '../helpers/vendor.ts'

const samples = fileURLToPath(new URL('../fixtures/samples/', import.meta.url))

let pool: ReadingPool
beforeAll(() => {
  pool = new ReadingPool({ workerPath: entryPath('reading-worker'), size: 1 })
})
afterAll(() => pool.close())

const readSample = async (name: string): Promise<Document> =>
  pool.read(
    await readFile(join(samples, name)),
    name.endsWith('docx') ? 'docx' : name.endsWith('xlsx') ? 'xlsx' : 'pdf',
  )
const named = (elements: SchemaElement[], name: string): SchemaElement | undefined =>
  elements.find((element) => element.name === name)

/** Words on a page: each row is a line, its texts stand in the given columns. */
function page(rows: string[][], columns = [0.05, 0.4, 0.6, 0.8]): Document {
  const tokens = rows.flatMap((row, line) =>
    row.flatMap((text, column): Token[] =>
      text === ''
        ? []
        : text.split(' ').map((word, at) => ({
            text: word,
            bold: false,
            fontSize: 0.012,
            box: { x: columns[column]! + at * 0.045, y: 0.05 + line * 0.02, width: 0.04, height: 0.012 },
          })),
    ),
  )
  return { kind: 'pdf', pages: [{ number: 1, width: 600, height: 840, origin: 'text', tokens, tables: [] }] }
}

/** A workbook with one sheet. */
function sheet(name: string, rows: string[][]): Document {
  const cells = rows.map((row, line) =>
    row.map((text, column) => ({
      text,
      box: { x: column / row.length, y: line / rows.length, width: 0.9 / row.length, height: 0.9 / rows.length },
    })),
  )
  const table = { box: { x: 0, y: 0, width: 1, height: 1 }, rows: cells }
  const tokens = cells
    .flat()
    .flatMap(({ text, box }) => (text === '' ? [] : [{ text, box, fontSize: 0.01, bold: false }]))
  return { kind: 'xlsx', pages: [{ number: 1, width: 10, height: 10, origin: 'sheet', name, tokens, tables: [table] }] }
}

describe('a schema drafted by rules', () => {
  it('from a plain sheet has its columns as fields, with formats guessed from the values', () => {
    const draft = draftByRules(
      sheet('Contracts', [
        ['Contract no', 'Partner', 'Start', 'Monthly fee', 'Renewed'],
        ['0001', 'Ridley Ltd', '2026-01-01', '120.50', 'yes'],
        ['0002', 'Aire Bank', '2026-02-01', '99.00', 'no'],
      ]),
      'en',
    )!
    expect(draft.elements.map(({ name, format }) => [name, format])).toEqual([
      ['Contract no', 'text'],
      ['Partner', 'text'],
      ['Start', 'text'],
      ['Monthly fee', 'number'],
      ['Renewed', 'boolean'],
    ])
    expect(draft.elements[3]!.description).toBe('Value in the column “Monthly fee”')
  })

  it('from a sheet with labels above its table has the labels as fields and the table as a list', () => {
    const draft = draftByRules(
      sheet('Hours', [
        ['Employee:', 'R. Adeyemi', '', ''],
        ['Cost centre:', '4120', '', ''],
        ['Day', 'Task', 'Hours', 'Rate'],
        ['2026-11-02', 'Commissioning', '7.5', '62.00'],
        ['2026-11-03', 'Report', '3.0', '62.00'],
      ]),
      'de',
    )!
    expect(draft.elements.map(({ name, format }) => [name, format])).toEqual([
      ['Employee', 'text'],
      ['Cost centre', 'number'],
      ['Hours', 'list'],
    ])
    expect(named(draft.elements, 'Hours')!.items!.map(({ name, format }) => [name, format])).toEqual([
      ['Day', 'text'],
      ['Task', 'text'],
      ['Hours', 'number'],
      ['Rate', 'number'],
    ])
    expect(draft.elements[0]!.description).toBe('Angabe zu „Employee“, wie gedruckt')
  })

  it('from a page of its own kind has its own words: labels beside, above and with a colon, boxes, and a table', () => {
    const draft = draftByRules(
      page([
        ['Inspection report'],
        ['Plant: Ridley works', '', 'Serial no', '0044-A'],
        ['Date of birth'],
        ['07/04/1988'],
        ['☒ Guard in place'],
        ['Part', 'Measured', 'Limit', 'Unit'],
        ['Shaft', '12.50', '13.00', 'mm'],
        ['Bearing', '6.20', '6.00', 'mm'],
      ]),
      'en',
    )!
    expect(draft.elements.map(({ name, format }) => [name, format])).toEqual([
      ['Plant', 'text'],
      ['Serial no', 'text'],
      ['Date of birth', 'text'],
      ['Guard in place', 'boolean'],
      ['Rows', 'list'],
    ])
    expect(draft.elements.at(-1)!.items!.map(({ name, format }) => [name, format])).toEqual([
      ['Part', 'text'],
      ['Measured', 'number'],
      ['Limit', 'number'],
      ['Unit', 'text'],
    ])
  })

  it('from an invoice takes names and descriptions of the template in the person’s language, and adds what is the document’s own', async () => {
    const draft = draftByRules(await readSample('INV-20418.pdf'), 'de')!
    expect(draft.name).toBe('Rechnung')
    expect(named(draft.elements, 'Rechnungsnummer')).toEqual({
      name: 'Rechnungsnummer',
      format: 'text',
      description: 'Nummer der Rechnung, wie gedruckt',
      kind: 'code',
    })
    expect(named(draft.elements, 'Account ref')).toMatchObject({ format: 'text' })
    expect(named(draft.elements, 'Positionen')!.items!.map(({ name }) => name)).toEqual([
      'Product code',
      'Bezeichnung',
      'Menge',
      'Einzelpreis',
      'Betrag',
      'VAT',
    ])
  })

  it('gives fields that the service on this computer then fills', forNight, async () => {
    const files = [
      'INV-20418.pdf',
      'Purchase Order PO-70213.pdf',
      'expense claim Adeyemi Nov.pdf',
      'Lieferschein 44190.docx',
      'Rechnung_2026_088.xlsx',
      'statement-october.xlsx',
      'invoice_8841_brightwater.pdf',
    ]
    let [filled, all] = [0, 0]
    for (const file of files) {
      const document = await readSample(file)
      const { elements } = draftByRules(document, 'en')!
      expect(parseSchema(elements), file).toEqual(elements)
      const { data } = extractFields(document, elements)
      all += elements.length
      filled += elements.filter(({ name, format }) =>
        format === 'list' ? (data[name] as unknown[]).length > 0 : data[name] !== null,
      ).length
    }
    expect(all).toBeGreaterThan(60)
    expect(filled / all).toBeGreaterThan(0.95)
  })

  it('is a schema whatever the document holds, with at most 60 fields, and none where there is nothing', () => {
    const rows = Array.from({ length: 100 }, (_, index) => [
      `Label ${String.fromCodePoint(0x4e00 + index)}abc:`,
      `${index}.50`,
    ])
    expect(parseSchema(draftByRules(page(rows), 'fr')!.elements).length).toBe(60)
    expect(draftByRules(page([['Dear reader'], ['this is a letter about nothing at all']]), 'en')).toBeNull()
    expect(draftByRules({ kind: 'pdf', pages: [] }, 'en')).toBeNull()
  })
})

type Setup = {
  core: Core
  connectionId: number
  asked: Asked[]
  dir: string
  upload: (name: string) => Promise<string>
}

const readInPool: CoreOptions['read'] = (content, kind) => pool.read(content, kind)

async function setUp(chat: (asked: Asked) => VendorAnswer, read = readInPool): Promise<Setup> {
  const dir = temporaryDir()
  onTestFinished(dir.remove)
  const vendor = await startVendor(() => ({}), { chat, models: ['svc-large'] })
  onTestFinished(vendor.close)
  const core = await startTestCore(join(dir.path, 'data'), { read })
  onTestFinished(() => core.stop({ atOnce: true }))
  const connectionId = core.context.tables.connections.addPlatform('Vendor', vendor.baseUrl, vendorCredentials.clientId)
  return {
    core,
    connectionId,
    asked: vendor.asked,
    dir: dir.path,
    upload: async (name) => core.receiveDraft(name, Readable.from([await readFile(join(samples, name))])),
  }
}

const modelSchema = {
  name: 'Supplier invoice',
  fields: [
    { name: 'Number', format: 'text', description: 'The invoice number', items: null },
    {
      name: 'Items',
      format: 'list',
      description: 'Rows',
      items: [{ name: 'Net', format: 'number', description: 'Net amount' }],
    },
  ],
}

describe('a schema drafted by a model', () => {
  it('is asked for with the document as data and a JSON schema as format, and taken as it is', async () => {
    const { core, connectionId, asked, upload } = await setUp(() => chatAnswer(JSON.stringify(modelSchema)))
    const uploadId = await upload('INV-20418.pdf')
    const drafted = await core.handlers['schemas.draft']({
      source: { uploadId },
      connectionId,
      model: null,
      locale: 'fr',
    })
    expect(drafted).toEqual({
      name: 'Supplier invoice',
      elements: [
        { name: 'Number', format: 'text', description: 'The invoice number' },
        {
          name: 'Items',
          format: 'list',
          description: 'Rows',
          items: [{ name: 'Net', format: 'number', description: 'Net amount' }],
        },
      ],
      by: 'model',
      note: null,
    })
    const body = asked.find(({ kind }) => kind === 'chat')!.body as {
      model: string
      messages: { role: string; content: string }[]
      response_format: { type: string; json_schema: { strict: boolean } }
    }
    expect(body.model).toBe('svc-large')
    expect(body.response_format).toMatchObject({ type: 'json_schema', json_schema: { strict: true } })
    expect(body.messages.map(({ role }) => role)).toEqual(['system', 'user'])
    expect(body.messages[0]!.content).toContain('French')
    expect(body.messages[1]!.content).toContain('INV-20418')
    expect(body.messages[1]!.content.length).toBeLessThan(31_000)
  })

  it('is replaced by rules, and says why, when the answer is no schema or the model does not answer', async () => {
    const cases: [VendorAnswer, string][] = [
      [chatAnswer('Sure! Here is your schema'), 'answer_unreadable'],
      [chatAnswer('{"name":"x","fields":[{"name":"a","format":"date","description":""}]}'), 'schema_invalid'],
      [chatAnswer('{"name":"x","fields":[]}'), 'schema_invalid'],
      [proxyError(503, 'unavailable', 'api_error'), 'model_unavailable'],
      [proxyError(403, 'access_denied', 'permission_error'), 'access_denied'],
    ]
    let current = cases[0]![0]
    const { core, connectionId, upload } = await setUp(() => current)
    const uploadId = await upload('INV-20418.pdf')
    for (const [answer, code] of cases) {
      current = answer
      const drafted = await core.handlers['schemas.draft']({
        source: { uploadId },
        connectionId,
        model: 'svc-large',
        locale: 'en',
      })
      expect(drafted).toMatchObject({ by: 'rules', note: { code }, name: 'Invoice' })
      expect(drafted.elements.length).toBeGreaterThan(5)
    }
  })

  it('counts what the model used, also when its answer is no schema', async () => {
    const answers = [chatAnswer(JSON.stringify(modelSchema)), chatAnswer('Sure!')]
    const { core, connectionId, upload } = await setUp(() => answers.shift()!)
    const uploadId = await upload('INV-20418.pdf')
    const draft = () =>
      core.handlers['schemas.draft']({ source: { uploadId }, connectionId, model: 'svc-large', locale: 'en' })
    await draft()
    expect((await core.handlers['app.state']({})).cap.tokensToday).toBe(12)
    await draft()
    expect((await core.handlers['app.state']({})).cap.tokensToday).toBe(24)
  })
})

describe('a sample to draft from', () => {
  it('can be a document that is already a document', async () => {
    const { core, dir } = await setUp(() => chatAnswer('{}'))
    const vendor = await startVendor()
    onTestFinished(vendor.close)
    await mkdir(join(dir, 'in'))
    const path = join(dir, 'in', 'statement.xlsx')
    await writeFile(path, await readFile(join(samples, 'statement-october.xlsx')))
    core.queue.pause()
    const folder = addFolder(core, vendor, { path: join(dir, 'in') })
    const documentId = await takeIn(core.context, folder, candidateAt(path, await lstat(path)))
    const drafted = await core.handlers['schemas.draft']({
      source: { documentId },
      connectionId: null,
      model: null,
      locale: 'en',
    })
    expect(drafted).toMatchObject({ by: 'rules', note: null, name: 'Bank statement' })
  })

  it('in which nothing is found is said to be impossible, and one that is not there is not found', async () => {
    const { core, upload } = await setUp(
      () => chatAnswer('{}'),
      async () => page([['Dear reader'], ['this is a letter about nothing at all']]),
    )
    const uploadId = await upload('INV-20418.pdf')
    const draft = core.handlers['schemas.draft']
    await expect(draft({ source: { uploadId }, connectionId: null, model: null, locale: 'en' })).rejects.toMatchObject({
      code: 'draft_impossible',
    })
    await expect(
      draft({ source: { documentId: 99 }, connectionId: null, model: null, locale: 'en' }),
    ).rejects.toMatchObject({ code: 'not_found' })
  })

  it('is kept under an id of our own, found by nothing else, and gone at the start a day later', async () => {
    const { core, dir, upload } = await setUp(() => chatAnswer('{}'))
    const drafts = join(dir, 'data', 'drafts')
    const uploadId = await upload('INV-20418.pdf')
    expect(uploadId).toMatch(/^[0-9a-f-]{36}\.pdf$/)
    expect(await core.receiveDraft('../../evil.pdf', Readable.from(['x']))).toMatch(/^[0-9a-f-]{36}\.pdf$/)
    await expect(core.receiveDraft('program.exe', Readable.from(['x']))).rejects.toMatchObject({
      code: 'unsupported_type',
    })
    await expect(
      core.receiveDraft('a.pdf', Readable.from(Array.from({ length: 37 }, () => Buffer.alloc(1024 * 1024)))),
    ).rejects.toMatchObject({ code: 'file_too_large' })
    expect(await readdir(drafts)).toHaveLength(2)
    for (const id of ['../sheaf.db', '..', `../drafts/${uploadId}`, `${uploadId}/`, 'nothing.pdf']) {
      await expect(
        core.handlers['schemas.draft']({ source: { uploadId: id }, connectionId: null, model: null, locale: 'en' }),
      ).rejects.toMatchObject({ code: 'not_found' })
    }
    const old = new Date(Date.now() - 25 * 3600_000)
    await utimes(join(drafts, uploadId), old, old)
    await core.stop({ atOnce: true })
    const again = await startTestCore(join(dir, 'data'))
    onTestFinished(() => again.stop({ atOnce: true }))
    expect((await readdir(drafts)).map((name) => basename(name))).not.toContain(uploadId)
    expect(await readdir(drafts)).toHaveLength(1)
  })
})
