import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const program = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs')
const rules = join(root, '.config/dependency-cruiser.mjs')

let folder = ''
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** What the borders find in a tree of these files, by the names of the rules. */
async function breachesIn(files: Record<string, string>): Promise<string[]> {
  folder = mkdtempSync(join(tmpdir(), 'sheaf-borders-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const args = [
    program,
    `--config=${rules}`,
    '--output-type=json',
    ...new Set(Object.keys(files).map((path) => path.split('/')[0]!)),
  ]
  const found = await promisify(execFile)(process.execPath, args, { cwd: folder, encoding: 'utf8' }).catch(
    (error: { stdout: string }) => error,
  )
  const { summary } = JSON.parse(found.stdout) as { summary: { violations: { rule: { name: string } }[] } }
  return summary.violations.map(({ rule }) => rule.name)
}

it('a stage that reaches back to an earlier one is found', async () => {
  const files = {
    'electron/core/pipeline/intake.ts': 'export const intake = 1\n',
    'electron/core/pipeline/record.ts': "import { intake } from './intake.ts'\nexport const record = intake\n",
  }
  expect(await breachesIn(files)).toEqual([expect.stringMatching(/^record comes after .*intake/)])
})

it('a stage that goes on to a later one is in order', async () => {
  const files = {
    'electron/core/pipeline/record.ts': 'export const record = 1\n',
    'electron/core/pipeline/extract.ts': "import { record } from './record.ts'\nexport const extract = record\n",
  }
  expect(await breachesIn(files)).toEqual([])
})

it('a cycle, a room that reaches into another, and electron outside of the desktop are found', async () => {
  const files = {
    'shared/domain/a.ts': "import { b } from './b.ts'\nexport const a = () => b\n",
    'shared/domain/b.ts': "import { a } from './a.ts'\nexport const b = () => a\n",
    'renderer/app.ts': "import { core } from '../electron/core/core.ts'\nexport const app = core\n",
    'electron/core/core.ts': "import { app } from 'electron'\nexport const core = app\n",
    'electron/browser/serve.ts': "import { autoUpdater } from 'electron-updater'\nexport const serve = autoUpdater\n",
    'electron/core/handlers/documents.ts': "import { core } from '../core.ts'\nexport const documents = core\n",
  }
  expect((await breachesIn(files)).sort()).toEqual([
    'borders of electron/core/handlers',
    'borders of renderer',
    'no cycles',
    'only the desktop knows Electron',
    'only the desktop knows Electron',
  ])
})

it('each stage says in its first two lines what enters and what leaves', () => {
  for (const stage of ['watch-folders', 'watch', 'intake', 'queue', 'extract', 'record', 'archive']) {
    const [first, second] = readFileSync(join(root, `electron/core/pipeline/${stage}.ts`), 'utf8').split('\n')
    expect([first?.slice(0, 10), second?.slice(0, 10)], stage).toEqual(['// enters:', '// leaves:'])
  }
})
