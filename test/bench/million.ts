import { execFileSync } from 'node:child_process'
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import type { Browser, Page } from '@playwright/test'
import { startHost } from '../ui/host.ts'
import playwrightConfig from '../ui/playwright.config.ts'
import { makeMillion, millionPath, needle } from './million-data.ts'

const documents = 1_000_000

/** What a person may wait for at most, and what their browser may take. */
const limits = { firstTableMs: 1000, scrollMs: 100, searchMs: 200, pageMb: 250 }

/** Rare, broad and several words; values as they are shown and as they are kept. */
const searches = [
  needle.search,
  'hartmann',
  '2026',
  'brückner toner',
  '1.284,61',
  '17.09.2023',
  're',
  'lefevre 2024 frais',
  '20',
  'buchhaltung 2022 xlsx',
]

/**
 * `npm run bench -- million`: a million documents in the real program and a real Chromium, measured as a person sees
 * them. The database is made once and kept in the temporary folder. Prints a line for each limit; the exit code is 1
 * when one is missed. Reads the memory from /proc, so it needs Linux.
 */
export async function run(): Promise<void> {
  execFileSync(process.execPath, [fileURLToPath(new URL('../../.config/build.mjs', import.meta.url))], {
    stdio: 'inherit',
  })
  const kept = millionPath(documents)
  if (!existsSync(kept)) {
    const { rows, words } = makeMillion(kept, documents)
    say(
      `the database of ${documents} documents was made in ${rows.toFixed(0)} s, its index of words in ${words.toFixed(0)} s`,
    )
  }
  const home = mkdtempSync(join(tmpdir(), 'sheaf-million-'))
  mkdirSync(join(home, 'data'))
  copyFileSync(kept, join(home, 'data', 'sheaf.db'), constants.COPYFILE_FICLONE)
  // Nobody's database was copied a moment ago: the system is not to write two gigabytes beside what is measured.
  const copy = openSync(join(home, 'data', 'sheaf.db'), 'r+')
  fsyncSync(copy)
  closeSync(copy)
  const browser = await chromium.launch(playwrightConfig.use!.launchOptions)
  const host = await startHost(home)
  try {
    const readyMs = Date.now()
    const page = await host.open(browser, { viewport: { width: 1280, height: 800 } })
    await page.waitForSelector('.grid__row strong')
    const shownMs = Date.now() - readyMs
    // What runs in the page is given the names of its functions by the compiler, which the page does not know.
    await page.evaluate('globalThis.__name ??= (value) => value')
    judge('first table after core is ready', shownMs, limits.firstTableMs, 'ms')
    judgeAll('rows after the scroll bar was set to a place', await scrolled(page), limits.scrollMs)
    judgeAll('rows after a key', await byKeys(page), limits.scrollMs)
    judgeAll('rows of a search after the last key', await searched(page), limits.searchMs)
    judge('memory of the page', await memoryOf(browser), limits.pageMb, 'MB')
  } finally {
    await browser.close()
    await host.stop()
  }
}

/** Milliseconds until every row on the screen is there, at places all over the list. */
async function scrolled(page: Page): Promise<Timed[]> {
  const timed: Timed[] = []
  for (let step = 1; step <= 40; step += 1) {
    const share = (step * 0.618034) % 1
    const ms = await page.evaluate(shownAfter, { share, key: null })
    timed.push({ what: `${(share * 100).toFixed(1)} %`, ms })
  }
  return timed
}

async function byKeys(page: Page): Promise<Timed[]> {
  const timed: Timed[] = []
  await page.getByRole('grid').focus()
  for (const key of [
    'End',
    'PageUp',
    'PageUp',
    'Home',
    'PageDown',
    'PageDown',
    'PageDown',
    'ArrowDown',
    'End',
    'ArrowUp',
    'Home',
  ]) {
    timed.push({ what: key, ms: await page.evaluate(shownAfter, { share: null, key }) })
  }
  return timed
}

/** In the page: from moving the list until its rows are all there and drawn. */
async function shownAfter({ share, key }: { share: number | null; key: string | null }): Promise<number> {
  const grid = document.querySelector<HTMLElement>('.grid')!
  const rowsOnScreen = (): HTMLElement[] => {
    const { top, bottom } = grid.getBoundingClientRect()
    return [...grid.querySelectorAll<HTMLElement>('.grid__row')].filter(
      (row) => row.getBoundingClientRect().bottom > top + 34 && row.getBoundingClientRect().top < bottom,
    )
  }
  const before = `${rowsOnScreen()[0]?.getAttribute('aria-rowindex')} ${grid.getAttribute('aria-activedescendant')}`
  const began = performance.now()
  if (share !== null) grid.scrollTop = share * (grid.scrollHeight - grid.clientHeight)
  else grid.dispatchEvent(new KeyboardEvent('keydown', { key: key!, bubbles: true }))
  return new Promise((resolve) => {
    const look = (): void => {
      const rows = rowsOnScreen()
      const now = `${rows[0]?.getAttribute('aria-rowindex')} ${grid.getAttribute('aria-activedescendant')}`
      if (now !== before && rows.length > 5 && rows.every((row) => row.querySelector('strong') !== null))
        resolve(performance.now() - began)
      else if (performance.now() - began > 5000) resolve(Infinity)
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
}

/** Milliseconds from the last key until the rows of a search are there, each with its mark. */
async function searched(page: Page): Promise<Timed[]> {
  const timed: Timed[] = []
  const field = page.getByRole('searchbox')
  for (const search of searches) {
    await field.fill('')
    await page.waitForFunction(
      () => document.querySelector('.grid__row strong') !== null && document.querySelector('.grid mark') === null,
    )
    const shown = page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          document.addEventListener(
            'input',
            () => {
              const began = performance.now()
              const look = (): void => {
                const rows = [...document.querySelectorAll('.grid__row')].slice(0, 10)
                if (rows.length > 0 && rows.every((row) => row.querySelector('mark') !== null))
                  resolve(performance.now() - began)
                else if (performance.now() - began > 5000) resolve(Infinity)
                else requestAnimationFrame(look)
              }
              requestAnimationFrame(look)
            },
            { capture: true, once: true },
          )
        }),
    )
    await field.fill(search)
    timed.push({ what: `«${search}»`, ms: await shown })
  }
  return timed
}

/** Of the process that draws the page, its share of what it has in common with others included. */
async function memoryOf(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  const sizes = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => Number(/^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, 'utf8'))?.[1]) / 1024)
  return Math.max(...sizes)
}

type Timed = { what: string; ms: number }

/** The largest of twenty does not count: others use the computer as well. */
function judgeAll(what: string, timed: Timed[], limit: number): void {
  const sorted = timed.toSorted((a, b) => a.ms - b.ms)
  const worst = sorted.at(-1)!
  say(
    `(${what}: median ${sorted[sorted.length >> 1]!.ms.toFixed(0)} ms, longest ${worst.ms.toFixed(0)} ms at ${worst.what})`,
  )
  judge(`${what}, 95 of 100`, sorted[Math.ceil(sorted.length * 0.95) - 1]!.ms, limit, 'ms')
}

function judge(what: string, value: number, limit: number, unit: string): void {
  const isKept = value < limit
  say(`${isKept ? 'kept  ' : 'MISSED'} ${what}: ${value.toFixed(0)} ${unit} (limit ${limit} ${unit})`)
  if (!isKept) process.exitCode = 1
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
