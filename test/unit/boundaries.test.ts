import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const sources = ['electron', 'renderer', 'shared', 'test']
  .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)))
  .filter((path) => /\.tsx?$/.test(path) && !path.includes('node_modules'))
  .map((path) => ({ path: path.replaceAll('\\', '/'), text: readFileSync(join(root, path), 'utf8') }))

/** The room of a file; the stages of the pipeline and the rooms that they use are told apart within core. */
function roomOf(path: string): string {
  const core = /^electron\/core\/(\w+)\//.exec(path)
  if (core !== null) return `core/${core[1]}`
  const room = /^electron\/(core|service|reading|mailbox|durable|process|transport|terminal|desktop)\//.exec(path)
  if (room !== null) return room[1]!
  if (path.startsWith('electron/')) return 'hosts'
  return path.split('/')[0]!
}

/** docs/architecture.md, «Who may import whom». Packages of npm are free, but for electron. */
const allowed: Record<string, string[]> = {
  shared: ['shared'],
  renderer: ['renderer', 'shared'],
  reading: ['reading', 'shared'],
  durable: ['durable', 'shared'],
  process: ['process', 'shared'],
  mailbox: ['mailbox', 'durable', 'shared'],
  service: ['service', 'reading', 'process', 'shared'],
  transport: ['transport', 'shared'],
  'core/db': ['core/db', 'durable', 'shared'],
  'core/platform': ['core/platform', 'core/db', 'shared'],
  'core/review': ['core/review', 'shared'],
  'core/export': ['core/export', 'shared'],
  'core/templates': ['core/templates', 'shared'],
  'core/asking': ['core/asking', 'core/platform', 'core/db', 'shared'],
  'core/drafting': ['core/drafting', 'core/platform', 'core/templates', 'shared'],
  'core/usage': ['core/usage', 'core/db', 'shared'],
  'core/workbook': ['core/workbook', 'core/export', 'core/platform', 'core/db', 'shared'],
  'core/pipeline': ['core/pipeline', 'core/db', 'core/platform', 'core/review', 'shared'],
  'core/trying': ['core/trying', 'core/pipeline', 'core/platform', 'core/db', 'shared'],
  'core/callback': ['core/callback', 'core/pipeline', 'core/platform', 'core/db', 'durable', 'shared'],
  'core/handlers': ['core/handlers', 'core/trying', 'core/workbook', 'core/callback', 'core/asking', 'core/drafting', 'core/usage', 'core/pipeline', 'core/platform', 'core/db', 'core/export', 'core/review', 'core/templates', 'shared'],
  core: ['core', 'core/handlers', 'core/trying', 'core/workbook', 'core/asking', 'core/drafting', 'core/usage', 'core/pipeline', 'core/platform', 'core/callback', 'core/db', 'core/export', 'shared'],
  terminal: ['terminal', 'hosts', 'core', 'core/handlers', 'core/pipeline', 'core/db', 'core/export', 'core/templates', 'core/platform', 'service', 'mailbox', 'shared'],
  desktop: ['desktop', 'hosts', 'transport', 'core', 'core/platform', 'service', 'shared'],
  hosts: ['hosts', 'terminal', 'desktop', 'transport', 'core', 'core/handlers', 'core/platform', 'durable', 'process', 'service', 'reading', 'shared'],
}
const mayUseElectron = new Set(['desktop', 'hosts'])

function importsOf(text: string): string[] {
  return [...text.matchAll(/(?:^|\n)\s*(?:import|export)\s(?:[^'"]*?\sfrom\s)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]/g)].map((match) => match[1] ?? match[2]!)
}

describe('the rooms', () => {
  it('import only what the table allows', () => {
    const wrong: string[] = []
    for (const { path, text } of sources) {
      const room = roomOf(path)
      if (room === 'test') continue
      for (const name of importsOf(text)) {
        if (name === 'electron' && !mayUseElectron.has(room)) wrong.push(`${path} imports electron`)
        if (!name.startsWith('.')) continue
        const target = relative(root, resolve(root, dirname(path), name)).replaceAll('\\', '/')
        if (target === 'package.json') continue
        if (!(allowed[room] ?? []).includes(roomOf(target))) wrong.push(`${path} imports ${target}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it('leave the conformance cases alone with the interface, so that client and service cannot share one mistake', () => {
    const suite = sources.filter(({ path }) => path.startsWith('test/conformance/') && !path.endsWith('openai.test.ts'))
    const targets = suite.flatMap(({ path, text }) => importsOf(text).filter((name) => name.startsWith('.')).map((name) => relative(root, resolve(root, dirname(path), name)).replaceAll('\\', '/')))
    expect(suite.length).toBeGreaterThan(10)
    expect(targets.filter((target) => !target.startsWith('test/'))).toEqual([])
  })

  it('let the stages import one another only along a file’s way', () => {
    const order = ['dry-run', 'watch-folders', 'watch', 'queue', 'take-extra', 'bin', 'extract', 'intake', 'identify', 'recover', 'record', 'assess', 'file-away', 'failed-note', 'lane', 'context']
    const stage = (path: string): number => order.indexOf(/pipeline\/([\w-]+)\.ts$/.exec(path)?.[1] ?? '')
    const wrong: string[] = []
    for (const { path, text } of sources.filter((source) => source.path.startsWith('electron/core/pipeline/'))) {
      expect(stage(path), path).toBeGreaterThanOrEqual(0)
      for (const name of importsOf(text).filter((imported) => imported.startsWith('./'))) {
        if (stage(join(dirname(path), name)) < stage(path)) wrong.push(`${path} imports ${name}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it('are imported with their ending and have no default exports', () => {
    const wrong = sources.flatMap(({ path, text }) => [
      ...(/\nexport default\b/.test(text) && !/(vite|vitest|playwright)\.config\.ts$/.test(path) ? [`${path} has a default export`] : []),
      ...importsOf(text)
        .filter((name) => name.startsWith('.') && !/\.(tsx?|css|json|svg)(\?\w+)?$/.test(name))
        .map((name) => `${path} imports ${name} without its ending`),
    ])
    expect(wrong).toEqual([])
  })

  it('have no file over 400 lines', () => {
    expect(sources.filter(({ text }) => text.split('\n').length > 401).map(({ path }) => path)).toEqual([])
  })

  it('have stages that say in their first two lines what enters and what leaves', () => {
    for (const name of ['dry-run', 'watch', 'watch-folders', 'intake', 'identify', 'queue', 'take-extra', 'bin', 'extract', 'recover', 'record', 'file-away', 'failed-note']) {
      const { text } = sources.find(({ path }) => path === `electron/core/pipeline/${name}.ts`)!
      expect(text.split('\n').slice(0, 2).map((line) => line.slice(0, 10)), name).toEqual(['// enters: ', '// leaves: '].map((line) => line.slice(0, 10)))
    }
  })
})
