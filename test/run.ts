import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * `npm test`: everything that must hold, in the order in which a failure is cheapest. Goes on after a failure, so that
 * one run shows all of them, and closes with `N passed, N failed`.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const results = join(root, 'test-results')
const bin = (name: string): string => join(root, 'node_modules', '.bin', process.platform === 'win32' ? `${name}.cmd` : name)

/** `failures`: what failed, by name, for the end of the run, which is all that a log may keep. */
type Tally = { passed: number; failed: number; failures: string[] }
type Step = { name: string; command: string[]; tally: (code: number) => Tally }

const vitestReport = join(results, 'vitest.json')
const playwrightReport = join(results, 'playwright.json')

const one = (code: number): Tally => (code === 0 ? { passed: 1, failed: 0, failures: [] } : { passed: 0, failed: 1, failures: [] })

/** A runner that left no report, or reports nothing run, has failed whatever its exit code says. */
function fromReport<Report>(path: string, count: (report: Report) => { passed: number; failures: string[] }): (code: number) => Tally {
  return (code) => {
    if (!existsSync(path)) return one(1)
    const { passed, failures } = count(JSON.parse(readFileSync(path, 'utf8')) as Report)
    return { passed, failures, failed: Math.max(failures.length, code !== 0 || passed === 0 ? 1 : 0) }
  }
}

type VitestReport = { numPassedTests: number; testResults: { name: string; status: string; message: string; assertionResults: { fullName: string; status: string; failureMessages?: string[] }[] }[] }

/** A file that failed without a failed test of its own could not be loaded, or failed around its tests. */
function countVitest({ numPassedTests, testResults }: VitestReport): { passed: number; failures: string[] } {
  const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name)
    const failed = assertionResults.filter((test) => test.status === 'failed')
    if (failed.length === 0 && status === 'failed') return [`${file}: ${message}`]
    return failed.map(({ fullName, failureMessages }) => `${file} › ${fullName}: ${failureMessages?.[0] ?? ''}`)
  })
  return { passed: numPassedTests, failures }
}

type PlaywrightSuite = { title: string; suites?: PlaywrightSuite[]; specs: { title: string; ok: boolean }[] }

function countPlaywright({ stats, suites }: { stats: { expected: number; flaky: number }; suites: PlaywrightSuite[] }): { passed: number; failures: string[] } {
  const failedIn = ({ title, suites: inner = [], specs }: PlaywrightSuite): string[] =>
    [...specs.filter((spec) => !spec.ok).map((spec) => spec.title), ...inner.flatMap(failedIn)].map((name) => `${title} › ${name}`)
  return { passed: stats.expected + stats.flaky, failures: suites.flatMap(failedIn) }
}

const steps: Step[] = [
  { name: 'types', command: [bin('tsc'), '-p', '.'], tally: one },
  { name: 'lint', command: [bin('eslint'), '-c', '.config/eslint.config.mjs', 'electron', 'renderer', 'shared', 'test'], tally: one },
  {
    name: 'units, boundaries, pipeline, service, client, conformance, transport, desktop, mailbox, faults',
    command: [bin('vitest'), 'run', '--config', 'test/vitest.config.ts', '--reporter=dot', '--reporter=json', `--outputFile.json=${vitestReport}`],
    tally: fromReport(vitestReport, countVitest),
  },
  { name: 'window: build', command: [process.execPath, '.config/build.mjs'], tally: one },
  {
    name: 'window: in a real browser',
    command: [bin('playwright'), 'test', '--config', 'test/ui/playwright.config.ts'],
    tally: fromReport(playwrightReport, countPlaywright),
  },
]

function run(command: string[]): Promise<number> {
  return new Promise((resolve) => {
    const [program, ...args] = command
    const child = spawn(program!, args, {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: playwrightReport },
      shell: process.platform === 'win32',
    })
    child.on('exit', (code) => resolve(code ?? 1))
  })
}

/** Debian's Chromium where it can be had; elsewhere Playwright finds, or is told to fetch, a browser of its own. */
function ensureBrowser(): void {
  if (process.platform !== 'linux' || existsSync('/usr/bin/chromium') || spawnSync('which', ['apt-get']).status !== 0) return
  process.stdout.write('Installing Chromium for the window’s tests…\n')
  const elevated = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  for (const args of [['apt-get', 'update', '-qq'], ['apt-get', 'install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-dejavu-core', 'fonts-liberation']]) {
    const [program, ...rest] = [...elevated, ...args]
    spawnSync(program!, rest, { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
  }
}

rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })
ensureBrowser()
const total: Tally = { passed: 0, failed: 0, failures: [] }
for (const step of steps) {
  const begun = Date.now()
  process.stdout.write(`\n── ${step.name}\n`)
  const code = await run(step.command)
  const { passed, failed, failures } = step.tally(code)
  total.passed += passed
  total.failed += failed
  total.failures.push(...(failed > failures.length ? [`${step.name}: see above`] : []), ...failures)
  process.stdout.write(`── ${step.name}: ${passed} passed, ${failed} failed, ${((Date.now() - begun) / 1000).toFixed(1)} s\n`)
}
for (const failure of total.failures) process.stdout.write(`\nFailed: ${failure}\n`)
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`)
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1
