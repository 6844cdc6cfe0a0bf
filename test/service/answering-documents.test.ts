import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, giveDocuments, untilRead } from './documentalist-rig.ts'
import { docx, pdf, xlsx } from './documents.ts'
import { invoiceParams, readDocument, startRig } from './setup.ts'
import type { Rig } from './setup.ts'

let rig: Rig
let folder: string

beforeAll(async () => {
  rig = await startRig()
  folder = await mkdtemp(join(tmpdir(), 'sheaf-originals-'))
})
afterAll(async () => {
  await rig.close()
  await rm(folder, { recursive: true, force: true })
})

async function newDocumentalist(name: string): Promise<string> {
  return (await rig.control('agents.save', { kind: 'documentalist', name })).reference
}

describe('agents', () => {
  it('are listed with kind, visibility, schema and their documents by state', async () => {
    await rig.control('agents.save', {
      reference: 'handbook',
      kind: 'documentalist',
      name: 'Handbook',
      visibility: 'Public',
    })
    await rig.control('agents.save', { reference: 'bills', kind: 'extractor', name: 'Bills', schema: invoiceParams })
    await rig.control('agents.save', { reference: 'novels', kind: 'writer', name: 'Novels' })
    const { agents } = await rig.control('agents.list', {})
    expect(agents).toEqual([
      {
        reference: 'handbook',
        kind: 'documentalist',
        name: 'Handbook',
        visibility: 'Public',
        organizationId: 'local',
        schema: null,
        ready: 0,
        reading: 0,
        failed: 0,
      },
      {
        reference: 'bills',
        kind: 'extractor',
        name: 'Bills',
        visibility: 'Organization',
        organizationId: 'local',
        schema: invoiceParams,
        ready: 0,
        reading: 0,
        failed: 0,
      },
      {
        reference: 'novels',
        kind: 'writer',
        name: 'Novels',
        visibility: 'Organization',
        organizationId: 'local',
        schema: null,
        ready: 0,
        reading: 0,
        failed: 0,
      },
    ])
  })

  it('get a UUID of 36 characters when no reference is named', async () => {
    expect(await newDocumentalist('Nameless')).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  })

  it('are changed under their reference, but for the kind', async () => {
    await rig.control('agents.save', {
      reference: 'changing',
      kind: 'extractor',
      name: 'Before',
      schema: invoiceParams,
    })
    await rig.control('agents.save', { reference: 'changing', kind: 'extractor', name: 'After', visibility: 'Private' })
    const { agents } = await rig.control('agents.list', {})
    expect(agents.find(({ reference }) => reference === 'changing')).toMatchObject({
      name: 'After',
      visibility: 'Private',
      schema: invoiceParams,
    })
    await expect(
      rig.control('agents.save', { reference: 'changing', kind: 'documentalist', name: 'x' }),
    ).rejects.toMatchObject({ code: 'invalid_input' })
  })

  it('need a schema when they are Extractors and may not have one otherwise', async () => {
    await expect(rig.control('agents.save', { kind: 'extractor', name: 'x' })).rejects.toMatchObject({
      code: 'schema_invalid',
    })
    await expect(
      rig.control('agents.save', { kind: 'documentalist', name: 'x', schema: invoiceParams }),
    ).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(
      rig.control('agents.save', { kind: 'writer', name: 'x', schema: invoiceParams }),
    ).rejects.toMatchObject({ code: 'invalid_input' })
  })

  it('have references that are unique over all organizations and never «async»', async () => {
    const { id } = await rig.control('organizations.save', {
      id: null,
      name: 'Other',
      apiEnabled: true,
      subscribed: true,
      quotaTokens: null,
      spendingCapEuros: null,
      eurosPerMillionTokens: 0,
    })
    await rig.control('agents.save', { reference: 'taken', kind: 'documentalist', name: 'Mine' })
    await expect(
      rig.control('agents.save', { reference: 'taken', kind: 'documentalist', name: 'Theirs', organizationId: id }),
    ).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(
      rig.control('agents.save', { reference: 'async', kind: 'documentalist', name: 'x' }),
    ).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(
      rig.control('agents.save', { kind: 'documentalist', name: 'x', organizationId: 'nobody' }),
    ).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('the documents of a Documentalist', () => {
  it('are taken from a folder with everything below it, and what is no document is skipped', async () => {
    const reference = await newDocumentalist('Folder')
    const root = join(folder, 'mixed')
    await mkdir(join(root, 'inside', 'deeper'), { recursive: true })
    await mkdir(join(root, '.hidden'))
    await writeFile(join(root, 'one.pdf'), pdf(['The first document']))
    await writeFile(join(root, 'inside', 'two.DOCX'), await docx(['The second document']))
    await writeFile(
      join(root, 'inside', 'deeper', 'three.xlsx'),
      await xlsx([
        ['Item', 'Price'],
        ['Chair', '45'],
      ]),
    )
    for (const name of ['notes.txt', 'scan.tif', 'mail.eml']) await writeFile(join(root, name), 'no supported type')
    await writeFile(join(root, 'empty.pdf'), '')
    await writeFile(join(root, 'lying.pdf'), 'this is no PDF at all')
    await writeFile(join(root, '.secret.pdf'), pdf(['hidden file']))
    await writeFile(join(root, '~$two.docx'), 'a lock file')
    await writeFile(join(root, 'five.pdf.part'), 'half of a download')
    await writeFile(join(root, 'Thumbs.db'), 'what Windows keeps of a folder')
    await writeFile(join(root, '.hidden', 'four.pdf'), pdf(['in a hidden folder']))
    if (process.platform !== 'win32') await symlink(join(root, 'one.pdf'), join(root, 'link.pdf'))

    const count = await rig.control('agents.addDocuments', { reference, paths: [root] })
    expect(count).toMatchObject({ added: 3, skipped: process.platform === 'win32' ? 9 : 10 })
    expect(
      count.refused
        .map(({ name, named, problem }) => `${name} ${problem.code} ${String(named)}`)
        .filter((line) => !line.startsWith('link'))
        .sort(),
    ).toEqual([
      '.secret.pdf hidden_file false',
      'Thumbs.db hidden_file false',
      'empty.pdf empty_file false',
      'five.pdf.part unfinished_download false',
      'lying.pdf file_damaged false',
      'mail.eml unsupported_type false',
      'notes.txt unsupported_type false',
      'scan.tif unsupported_type false',
      '~$two.docx lock_file false',
    ])
    const documents = await untilRead(rig, reference)
    expect(
      documents
        .map(({ name, state, pages, problem }) => ({ name, state, pages, problem }))
        .sort((one, other) => one.name.localeCompare(other.name)),
    ).toEqual([
      { name: 'one.pdf', state: 'ready', pages: 1, problem: null },
      { name: 'three.xlsx', state: 'ready', pages: 1, problem: null },
      { name: 'two.DOCX', state: 'ready', pages: 1, problem: null },
    ])
    expect((await rig.control('agents.list', {})).agents.find((agent) => agent.reference === reference)).toMatchObject({
      ready: 3,
      reading: 0,
      failed: 0,
    })
  })

  it('are copies: the originals may go', async () => {
    const reference = await newDocumentalist('Copies')
    await giveDocuments(rig, reference, { 'lease.pdf': pdf(['The rent is 900 EUR a month.']) })
    await rig.restart()
    expect(await ask(rig, reference, { query: 'How much is the rent?' })).toContain('900 EUR')
  })

  it('are there once, however often they are added', async () => {
    const reference = await newDocumentalist('Once')
    await writeFile(join(folder, 'same.pdf'), pdf(['Always the same']))
    expect(await rig.control('agents.addDocuments', { reference, paths: [join(folder, 'same.pdf')] })).toEqual({
      added: 1,
      skipped: 0,
      refused: [],
    })
    expect(await rig.control('agents.addDocuments', { reference, paths: [join(folder, 'same.pdf')] })).toMatchObject({
      added: 0,
      skipped: 1,
      refused: [{ name: 'same.pdf', named: true, problem: { code: 'duplicate' } }],
    })
    expect(await untilRead(rig, reference)).toHaveLength(1)
  })

  it('name a hundred of those that are not taken, first the ones that were named themselves', async () => {
    const reference = await newDocumentalist('Refusing')
    const many = join(folder, 'many')
    await mkdir(many)
    for (let index = 0; index < 120; index++) await writeFile(join(many, `${index}.txt`), 'x')
    await writeFile(join(folder, 'alone.pdf'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))
    const { added, skipped, refused } = await rig.control('agents.addDocuments', {
      reference,
      paths: [many, join(folder, 'alone.pdf')],
    })
    expect({ added, skipped, told: refused.length }).toEqual({ added: 0, skipped: 121, told: 100 })
    expect(refused[0]).toEqual({
      name: 'alone.pdf',
      named: true,
      problem: { code: 'extension_mismatch', details: { extension: '.pdf', actual: 'PNG' } },
    })
  })

  it('say why they cannot be read, and do not keep the others from it', async () => {
    const reference = await newDocumentalist('Damaged')
    await giveDocuments(rig, reference, {
      'a broken.pdf': Buffer.from('%PDF-1.4\nnothing more'),
      'good.pdf': pdf(['Good text']),
    })
    const documents = await untilRead(rig, reference)
    expect(documents.find(({ name }) => name === 'a broken.pdf')).toMatchObject({
      state: 'failed',
      problem: { code: 'file_damaged' },
    })
    expect(documents.find(({ name }) => name === 'good.pdf')).toMatchObject({ state: 'ready', problem: null })
  })

  it('are no longer answered from when they are removed, and their copies go', async () => {
    const reference = await newDocumentalist('Removing')
    await giveDocuments(rig, reference, {
      'keep.pdf': pdf(['The blue whale weighs 150 tons']),
      'drop.pdf': pdf(['The hummingbird weighs 2 grams']),
    })
    const dropped = (await rig.control('agents.documents', { reference })).documents.find(
      ({ name }) => name === 'drop.pdf',
    )!
    expect(await ask(rig, reference, { query: 'How much does the hummingbird weigh?' })).toContain('2 grams')
    await rig.control('agents.removeDocument', { reference, id: dropped.id })
    expect(await ask(rig, reference, { query: 'How much does the hummingbird weigh?' })).not.toContain('2 grams')
    expect(existsSync(join(rig.dataDir, 'agents', dropped.id))).toBe(false)
    await expect(rig.control('agents.removeDocument', { reference, id: dropped.id })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  it('go with their agent: rows, passages, index, conversations and copies', async () => {
    const reference = await newDocumentalist('Ending')
    await giveDocuments(rig, reference, { 'xylophone.pdf': pdf(['A xylophone has wooden bars']) })
    const { documents } = await rig.control('agents.documents', { reference })
    await ask(rig, reference, { query: 'What has a xylophone?', thread_id: '0f0f0f0f-0000-4000-8000-000000000001' })
    await rig.control('agents.remove', { reference })
    const { db } = rig.service
    expect(db.prepare('select count(*) from agent_documents where agent_reference = ?').pluck().get(reference)).toBe(0)
    expect(db.prepare('select count(*) from thread_messages where agent_reference = ?').pluck().get(reference)).toBe(0)
    expect(db.prepare(`select count(*) from passages_index where passages_index match 'xylophone'`).pluck().get()).toBe(
      0,
    )
    expect((await readdir(join(rig.dataDir, 'agents'))).includes(documents[0]!.id)).toBe(false)
    await expect(rig.control('agents.remove', { reference })).rejects.toMatchObject({ code: 'not_found' })
  })

  it('belong to Documentalists only, and to paths that exist', async () => {
    await rig.control('agents.save', { reference: 'fields', kind: 'extractor', name: 'Fields', schema: invoiceParams })
    await expect(rig.control('agents.addDocuments', { reference: 'fields', paths: [folder] })).rejects.toMatchObject({
      code: 'agent_wrong_kind',
    })
    await expect(rig.control('agents.documents', { reference: 'nobody' })).rejects.toMatchObject({ code: 'not_found' })
    const reference = await newDocumentalist('Paths')
    await expect(
      rig.control('agents.addDocuments', { reference, paths: [join(folder, 'not there')] }),
    ).rejects.toMatchObject({ code: 'path_missing' })
  })
})

describe('the reading of documents', () => {
  it('goes on after a restart with what was not read', async () => {
    let hang = true
    const other = await startRig({
      read: (path, kind) => (hang ? new Promise<never>(() => undefined) : readDocument(path, kind)),
    })
    const { reference } = await other.control('agents.save', { kind: 'documentalist', name: 'Interrupted' })
    await writeFile(join(folder, 'late.pdf'), pdf(['The meeting is on 4 May 2027']))
    await other.control('agents.addDocuments', { reference, paths: [join(folder, 'late.pdf')] })
    expect(await ask(other, reference, { query: 'When is the meeting?' })).toMatch(/1 document is still being read/)
    hang = false
    await other.restart()
    expect((await untilRead(other, reference)).map(({ state }) => state)).toEqual(['ready'])
    expect(await ask(other, reference, { query: 'When is the meeting?' })).toContain('4 May 2027')
    await other.close()
  })

  it('is given up for a document that stopped the service three times', async () => {
    const reference = await newDocumentalist('Deadly')
    await giveDocuments(rig, reference, { 'deadly.pdf': pdf(['Some text']) })
    rig.service.db
      .prepare(`update agent_documents set state = 'reading', starts = 3 where agent_reference = ?`)
      .run(reference)
    await rig.restart()
    expect(await untilRead(rig, reference)).toMatchObject([{ state: 'failed', problem: { code: 'file_too_complex' } }])
  })
})
