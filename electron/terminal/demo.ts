import { copyFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { AppError } from '../../shared/domain/errors.ts'
import { usualListLayout } from '../../shared/contract/exports.ts'
import type { SchemaElement } from '../../shared/domain/schema.ts'
import type { ExtractedRecord } from '../../shared/domain/result.ts'
import { exportDocuments } from '../core/export/export.ts'
import { templatesFor } from '../core/drafting/templates.ts'
import { findSamplesDir } from '../entries.ts'
import { systemLocale, tableOf } from './format.ts'
import { ProgressBar } from './progress.ts'
import { folderFor, isOpen, openSession, reasonOf, blockedReason, waitUntil } from './session.ts'

const shownFields = ['Invoice number', 'Invoice date', 'Seller', 'Total amount', 'Currency']

/**
 * `npm run demo`: the sample documents through watch, service, database and export, in a data folder of its own.
 * Ends with a table and the paths of the spreadsheets; exit code 0 when every document is done.
 */
export async function demoCommand(): Promise<number> {
  const samples = findSamplesDir()
  if (samples === null) throw new AppError('not_found', { what: 'sample documents' })
  const work = await mkdtemp(join(tmpdir(), 'sheaf-demo-'))
  const output = resolve('demo-output')
  const inbox = join(work, 'documents')
  await Promise.all([mkdir(inbox), mkdir(output, { recursive: true })])

  const session = await openSession(
    {
      ...process.env,
      SHEAF_BASE_URL: '',
      SHEAF_CLIENT_ID: '',
      SHEAF_CLIENT_SECRET: '',
      SHEAF_DATA_DIR: join(work, 'data'),
    },
    { concurrency: 2, resume: false },
  )
  const { core } = session
  const { tables, now } = core.context
  try {
    const template = templatesFor('en').find(({ key }) => key === 'invoice')!
    const folder = folderFor(
      session,
      { kind: 'watched', path: inbox, name: basename(inbox) },
      {
        schema: template.elements,
        schemaName: template.name,
        otherSchemas: [],
        cut: false,
        agentReference: null,
        mode: 'auto',
      },
    )
    await core.run()
    const names = (await readdir(samples)).sort()
    process.stderr.write(`${names.length} sample documents are dropped into ${inbox}\n`)
    const bar = new ProgressBar(process.stderr, now())
    for (const name of names) await copyFile(join(samples, name), join(inbox, name))

    await waitUntil(core, () => {
      const documents = tables.documents.inFolder(folder.id)
      const settled = documents.filter((document) => !isOpen(document)).length
      const blocked = blockedReason(session, documents.filter(isOpen))
      if (blocked !== null) throw blocked
      bar.update(settled, names.length, '', now())
      return settled === names.length
    })
    bar.end()
    const documents = tables.documents.inFolder(folder.id)
    for (const document of documents)
      if (document.status !== 'done') bar.say(`${document.name}: ${reasonOf(document) ?? document.status}`)

    const selection = { schemaId: folder.schemaId, folderId: folder.id, documentIds: null }
    const locale = systemLocale(process.env)
    const paths: string[] = []
    for (const format of ['csv', 'xlsx'] as const) {
      const path = join(output, `invoices.${format}`)
      const made = await exportDocuments(() => tables.results.documents(selection), template.elements, {
        path,
        format,
        locale,
        lists: usualListLayout,
      })
      paths.push(...made.paths)
    }
    process.stdout.write(
      `\n${resultsTable([...tables.results.documents(selection)], template.elements)}\n\n${paths.join('\n')}\n`,
    )
    return documents.every((document) => document.status === 'done') ? 0 : 1
  } finally {
    await core.stop({ atOnce: true })
    await rm(work, { recursive: true, force: true })
  }
}

function resultsTable(documents: { fileName: string; records: ExtractedRecord[] }[], schema: SchemaElement[]): string {
  const list = schema.find((element) => element.format === 'list')
  const rows = documents.map(({ fileName, records }) => {
    const record = records[0] ?? {}
    const items = list === undefined ? [] : record[list.name]
    return [
      fileName,
      ...shownFields.map((field) => String(record[field] ?? '–')),
      String(Array.isArray(items) ? items.length : 0),
    ]
  })
  return tableOf([['File', ...shownFields, 'Rows'], ...rows], 30)
}
