import { copyFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { AppError } from '../../shared/errors.ts'
import type { SchemaElement } from '../../shared/schema.ts'
import type { ExtractedRecord } from '../../shared/result.ts'
import { exportDocuments } from '../core/export/export.ts'
import { templatesFor } from '../core/templates/templates.ts'
import { findSamplesDir } from '../entries.ts'
import { systemLocale } from './locale.ts'
import { ProgressBar } from './progress.ts'
import { tableOf } from './table.ts'
import { folderFor, isOpen, openSession, reasonOf, standstill, waitUntil } from './session.ts'

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
  const documents = join(work, 'documents')
  await Promise.all([mkdir(documents), mkdir(output, { recursive: true })])

  const session = await openSession({ ...process.env, SHEAF_BASE_URL: '', SHEAF_CLIENT_ID: '', SHEAF_CLIENT_SECRET: '', SHEAF_DATA_DIR: join(work, 'data') }, { concurrency: 2, resume: false })
  const { core } = session
  const { tables, now } = core.context
  try {
    const template = templatesFor('en').find(({ key }) => key === 'invoice')!
    const folder = folderFor(
      session,
      { kind: 'watched', path: documents, name: basename(documents) },
      { schema: template.elements, schemaName: template.name, agentReference: null, mode: 'auto' },
    )
    await core.run()
    const names = (await readdir(samples)).sort()
    process.stderr.write(`${names.length} sample documents are dropped into ${documents}\n`)
    const bar = new ProgressBar(process.stderr, now())
    for (const name of names) await copyFile(join(samples, name), join(documents, name))

    await waitUntil(core, () => {
      const jobs = tables.jobs.inFolder(folder.id)
      const settled = jobs.filter((job) => !isOpen(job)).length
      const stuck = standstill(session, jobs.filter(isOpen))
      if (stuck !== null) throw stuck
      bar.update(settled, names.length, '', now())
      return settled === names.length
    })
    bar.end()
    const jobs = tables.jobs.inFolder(folder.id)
    for (const job of jobs) if (job.status !== 'done') bar.say(`${job.name}: ${reasonOf(job) ?? job.status}`)

    const selection = { schemaId: folder.schemaId, folderId: folder.id, jobIds: null }
    const locale = systemLocale(process.env)
    const paths: string[] = []
    for (const format of ['csv', 'xlsx'] as const) {
      const path = join(output, `invoices.${format}`)
      const made = await exportDocuments(() => tables.results.documents(selection), template.elements, { path, format, locale, lists: 'rows' })
      paths.push(...made.paths)
    }
    process.stdout.write(`\n${resultsTable([...tables.results.documents(selection)], template.elements)}\n\n${paths.join('\n')}\n`)
    return jobs.every((job) => job.status === 'done') ? 0 : 1
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
    return [fileName, ...shownFields.map((field) => String(record[field] ?? '–')), String(Array.isArray(items) ? items.length : 0)]
  })
  return tableOf([['File', ...shownFields, 'Rows'], ...rows], 30)
}
