import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { Core } from '../../../electron/core/core.ts'
import { exportSpec } from '../../../shared/contract/exports.ts'
import { until } from '../../helpers/core.ts'
import type { Seeded } from '../harness/seeded.ts'
import type { Stage } from './stage.ts'
import { documentFilter } from '../../../shared/contract/documents.ts'

/** Asks the core that runs again; returns what does not hold. */
export type Settle = (core: Core) => Promise<string[]>

const nothing: Settle = async () => []
const taken = Buffer.from('another document of the same name, there before')

/** Lays what a point needs before its run, and returns what is asked once everything rests. */
export async function afterwardsOf(point: string, stage: Stage, random: Seeded): Promise<Settle> {
  if (point === 'K18' && random.chance(0.5)) {
    mkdirSync(join(dirname(stage.hit.path), 'Done'))
    writeFileSync(join(dirname(stage.hit.path), 'Done', stage.hit.name), taken)
  }
  if (point === 'K18') return filesMoved(stage)
  if (point === 'K16' || point === 'K17') return exportsHold(stage)
  if (point === 'K20') return snapshotsHold(stage)
  return nothing
}

/** What the killed export left is whole or not there, and the export can be made again. */
function exportsHold({ exportsDir, files }: Stage): Settle {
  return async (core) => {
    const problems: string[] = []
    const left = existsSync(exportsDir) ? readdirSync(exportsDir) : []
    for (const name of left) {
      if (name.endsWith('.tmp')) problems.push(`a temporary file of the killed export stayed: ${name}`)
      else if (!isWhole(join(exportsDir, name), files.length))
        problems.push(`the killed export left a part of a file: ${name}`)
    }
    const [schema] = core.context.tables.schemas.list()
    const done = core.context.tables.documentList.counts(documentFilter.parse({})).counts.done ?? 0
    const { export: made } = (await core.handlers['exports.run']({
      ...exportSpec.parse({ schemaId: schema!.id, format: 'csv', locale: 'en', lists: 'rows' }),
      askWhere: false,
    })) as {
      export: { paths: string[]; documents: number } | null
    }
    if (made === null || made.documents !== done || !isWhole(made.paths[0]!, done))
      problems.push('the export made again is not whole')
    return problems
  }
}

/** A CSV by its rows, JSON by being JSON, XLSX by the directory at the end of a ZIP. */
function isWhole(path: string, documents: number): boolean {
  const bytes = readFileSync(path)
  if (path.endsWith('.csv')) return bytes.toString('utf8').trimEnd().split('\r\n').length === documents + 1
  if (path.endsWith('.xlsx')) return bytes.includes(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
  try {
    JSON.parse(bytes.toString('utf8'))
    return true
  } catch {
    return false
  }
}

/** Every snapshot that is offered is a whole database, and another one can be made. */
function snapshotsHold({ dataDir }: Stage): Settle {
  return async (core) => {
    await core.handlers['storage.backUp']({})
    const { snapshots } = (await core.handlers['storage.get']({})) as { snapshots: unknown[] }
    const folder = join(dataDir, 'backups')
    const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.db')) : []
    if (snapshots.length === 0 || names.length === 0) return ['no snapshot could be made after the kill']
    return names.flatMap((name) => {
      const db = new Sqlite(join(folder, name), { readonly: true })
      const state = db.pragma('integrity_check', { simple: true })
      db.close()
      return state === 'ok' ? [] : [`the snapshot ${name} is broken: ${String(state)}`]
    })
  }
}

/** What has its result lies in `Done`, under its own name unless that was taken. */
function filesMoved({ files }: Stage): Settle {
  return async (core) => {
    const { tables } = core.context
    const documents = tables.folders
      .list()
      .flatMap(({ id }) => tables.documents.inFolder(id))
      .filter(({ status }) => status === 'done')
    await until(
      () => documents.every(({ id }) => tables.documents.get(id)!.archivedAs === 'done'),
      'all files with a result to be moved',
      10_000,
    )
    return documents.flatMap(({ id, name }) => {
      const { path } = tables.documents.get(id)!
      const { bytes, path: from } = files.find((file) => file.name === name)!
      const own = join(dirname(from), 'Done', name)
      if (!existsSync(path) || !readFileSync(path).equals(bytes)) return [`${name} is not where its document says`]
      if (path === own) return []
      return existsSync(own) && readFileSync(own).equals(taken) ? [] : [`${name} has another name in Done without need`]
    })
  }
}

/** The originals, once the program has ended: each whole, in one place. */
export function checkFiles(stage: Stage): string[] {
  return stage.files.flatMap(({ path, name, bytes }) => {
    const copies = [dirname(path), join(dirname(path), 'Done')]
      .filter((place) => existsSync(place))
      .flatMap((place) =>
        readdirSync(place, { withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(place, entry.name)),
      )
      .filter((place) => readFileSync(place).equals(bytes))
    return copies.length === 1 ? [] : [`${name} lies in ${copies.length} places`]
  })
}
