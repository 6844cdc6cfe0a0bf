import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromiumPackage, systemChromium } from './helpers/chromium.ts'
import { officeProgram } from './helpers/office.ts'

/**
 * `npm test`: what must hold after a change, within minutes. `npm run test:all` (`--all`): that and what takes longer,
 * for a night: every screen in every language, theme and size, and more files, kills and callbacks (helpers/scale.ts).
 * Goes on after a failure, so that one run shows all of them, and closes with `N passed, N failed`.
 */
const isAll = process.argv.includes('--all')
const root = fileURLToPath(new URL('..', import.meta.url))
const results = join(root, 'test-results')
const playwrightReport = join(results, 'playwright.json')
/** What the tests write: in memory where there is room, a tenth of their processor time is what a disk takes. */
const temporary = mkdtempSync(join(hasRoom('/dev/shm') ? '/dev/shm' : tmpdir(), 'sheaf-tests-'))
const environment = {
  ...process.env,
  TMPDIR: temporary,
  SHEAF_TESTS: isAll ? 'all' : 'change',
  // Built once, by the first step.
  SHEAF_BUILT: '1',
  // Some seven hundred processes start from the same files: compiled once, each starts in three quarters of its time.
  NODE_COMPILE_CACHE: join(results, 'compile-cache'),
  PLAYWRIGHT_JSON_OUTPUT_NAME: playwrightReport,
  // Types and lint are checked by programs in Go: with fewer collections in 24 s of processor time instead of 30.
  GOGC: '400',
}

/** `failures`: what failed, by name, for the end of the run, which is all that a log may keep. */
type Tally = { passed: number; failed: number; failures: string[] }
type Step = { name: string; command: string[]; tally?: () => Omit<Tally, 'failed'> }

/** The script of a package, run by this Node: names in `.bin` are not the same on Windows. */
const script = (path: string, ...args: string[]): string[] => [
  process.execPath,
  join(root, 'node_modules', path),
  ...args,
]

/** Whether five times as much fits in as `npm test` was seen to hold at once there (374 MB). */
function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize > 2e9
}

/** What a runner reports; null when it left nothing, and then it has failed whatever its exit code says. */
function reportIn<Report>(path: string): Report | null {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Report) : null
}

type VitestReport = {
  numPassedTests: number
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { fullName: string; status: string; failureMessages?: string[] }[]
  }[]
}

function vitestTally(path: string): Omit<Tally, 'failed'> {
  const report = reportIn<VitestReport>(path)
  const failures = (report?.testResults ?? []).flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name)
    const failed = assertionResults.filter((test) => test.status === 'failed')
    // A file that failed without a failed test of its own could not be loaded, or failed around its tests.
    if (failed.length === 0 && status === 'failed') return [`${file}: ${message}`]
    return failed.map(({ fullName, failureMessages }) => `${file} › ${fullName}: ${failureMessages?.[0] ?? ''}`)
  })
  return { passed: report?.numPassedTests ?? 0, failures }
}

type PlaywrightSuite = { title: string; suites?: PlaywrightSuite[]; specs: { title: string; ok: boolean }[] }
type PlaywrightReport = { stats: { expected: number; flaky: number }; suites: PlaywrightSuite[] }

function playwrightTally(): Omit<Tally, 'failed'> {
  const failedIn = ({ title, suites = [], specs }: PlaywrightSuite): string[] =>
    [...specs.filter((spec) => !spec.ok).map((spec) => spec.title), ...suites.flatMap(failedIn)].map(
      (name) => `${title} › ${name}`,
    )
  const report = reportIn<PlaywrightReport>(playwrightReport)
  if (report === null) return { passed: 0, failures: [] }
  return { passed: report.stats.expected + report.stats.flaky, failures: report.suites.flatMap(failedIn) }
}

const checks: Step[] = [
  { name: 'format', command: script('@biomejs/biome/bin/biome', 'format', '.') },
  // Two projects at a time, each by one checker: by more, 14 s of processor time instead of 9.
  { name: 'types', command: script('typescript7/bin/tsc', '-b', '--builders', '2', '--checkers', '1') },
  {
    name: 'borders',
    command: script(
      'dependency-cruiser/bin/dependency-cruise.mjs',
      '--config=.config/dependency-cruiser.mjs',
      '--output-type=err',
      ...['electron', 'renderer', 'shared', 'test/conformance'],
    ),
  },
  { name: 'lint', command: script('oxlint/bin/oxlint', 'electron', 'renderer', 'shared', 'test') },
]
/** Every system's package, with a stand-in for Electron: each is packed in seconds, and one does the demo. */
const packages: Step = {
  name: 'packages',
  command: [process.execPath, join(root, '.config/package.mjs'), '--check'],
}
/** The files of one of Vitest's projects (vitest.config.ts). */
function vitest(name: string, project: string): Step {
  const report = join(results, `vitest-${project}.json`)
  return {
    name,
    command: script(
      'vitest/vitest.mjs',
      'run',
      '--config=test/vitest.config.ts',
      `--project=${project}`,
      '--reporter=dot',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ),
    tally: () => vitestTally(report),
  }
}

const browserTests: Step = {
  name: 'window in a real browser',
  command: script('@playwright/test/cli.js', 'test', '--config=test/ui/playwright.config.ts'),
  tally: playwrightTally,
}
/** Both rows take as long: a test waits for a third of its time, so that they leave each other room. */
const tests: Step[][] = [
  [vitest('units, pipeline, service, faults', 'together')],
  [
    browserTests,
    vitest('client, transport, mailbox', 'wire'),
    vitest('conformance, desktop, and what needs a process of its own', 'apart'),
  ],
]

/** Resolves with the exit code; the output comes whole once it has ended, so that steps side by side stay readable. */
function run([program, ...args]: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(program!, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: environment })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })
}

const total: Tally = { passed: 0, failed: 0, failures: [] }

async function carryOut({ name, command, tally }: Step): Promise<void> {
  const begunAt = Date.now()
  const { code, output } = await run(command)
  const { passed, failures } = tally?.() ?? { passed: code === 0 ? 1 : 0, failures: [] }
  const failed = Math.max(failures.length, code !== 0 || passed === 0 ? 1 : 0)
  total.passed += passed
  total.failed += failed
  total.failures.push(...(failed > failures.length ? [`${name}: see its output`] : failures))
  const seconds = ((Date.now() - begunAt) / 1000).toFixed(1)
  process.stdout.write(`\n── ${name}: ${passed} passed, ${failed} failed, ${seconds} s\n${failed > 0 ? output : ''}`)
}

/** One after the other. */
async function inTurn(steps: Step[]): Promise<void> {
  for (const step of steps) await carryOut(step)
}

/**
 * What the tests use of Debian, where it can be had: Chromium, for which Playwright elsewhere finds, or is told to
 * fetch, a browser of its own, and for a night the program that reads spreadsheets back.
 */
function ensurePrograms(): void {
  if (process.platform !== 'linux' || spawnSync('which', ['apt-get']).status !== 0) return
  if (systemChromium() === null) install(chromiumPackage, 'fonts-dejavu-core', 'fonts-liberation')
  if (isAll && !existsSync(officeProgram)) install('libreoffice-calc')
}

function install(...packages: string[]): void {
  process.stdout.write(`Installing ${packages.join(', ')} for the tests…\n`)
  const elevated = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  for (const args of [
    ['apt-get', 'update', '-qq'],
    ['apt-get', 'install', '-y', '-qq', '--no-install-recommends', ...packages],
  ]) {
    const [program, ...rest] = [...elevated, ...args]
    spawnSync(program!, rest, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  }
}

const begunAt = Date.now()
rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })
ensurePrograms()
await carryOut({ name: 'build', command: [process.execPath, join(root, '.config/build.mjs'), '--test'] })
await Promise.all([inTurn(isAll ? [...checks, packages] : checks), ...tests.map(inTurn)])
for (const failure of total.failures) process.stdout.write(`\nFailed: ${failure}\n`)
process.stdout.write(`\n${((Date.now() - begunAt) / 60_000).toFixed(1)} min\n`)
process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`)
rmSync(temporary, { recursive: true, force: true, maxRetries: 10 })
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1
