import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import type { Page } from '@playwright/test'
import { PDFDocument, StandardFonts } from 'pdf-lib'
import { systemChromium } from '../helpers/chromium.ts'
import { startVendor, vendorCredentials } from '../helpers/vendor.ts'
import { callCore, startHost } from '../ui/host.ts'

const rows = 10_000
const columns = 15
const typedCells = 50
/** How many rows the document itself shows: enough for places on several pages. */
const shownRows = 500
const rowsOnPage = 50
const shownOnPage = rowsOnPage * columns
/** How many frames it takes to scroll from the top to the bottom. */
const scrollFrames = 1200
const maxFrameMs = 50

const names = Array.from({ length: columns }, (_, index) => (index < 5 ? `Text ${index + 1}` : `Number ${index - 4}`))
const elements = [
  { name: 'Number', format: 'text', description: '' },
  {
    name: 'Items',
    format: 'list',
    description: '',
    items: names.map((name) => ({ name, format: name.startsWith('Text') ? 'text' : 'number', description: '' })),
  },
]
const rules = [
  {
    kind: 'product',
    factors: [
      ['Items', 'Number 1'],
      ['Items', 'Number 2'],
    ],
    result: ['Items', 'Number 3'],
  },
]

function row(index: number): Record<string, unknown> {
  const [quantity, price] = [(index % 9) + 1, 4.95 + (index % 40)]
  const values = names.map((name, column): [string, unknown] => [
    name,
    name.startsWith('Text') ? `${names[column]![5]}-${index}` : index + column / 100,
  ])
  return {
    ...Object.fromEntries(values),
    'Number 1': quantity,
    'Number 2': price,
    'Number 3': Math.round(quantity * price * 100) / 100,
  }
}

async function document(): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  const font = await pdf.embedFont(StandardFonts.Helvetica)
  for (let at = 0; at < shownRows; at += rowsOnPage) {
    const page = pdf.addPage([842, 595])
    for (let line = 0; line < rowsOnPage; line += 1) {
      Object.values(row(at + line)).forEach((value, column) =>
        page.drawText(String(value), { x: 10 + column * 55, y: 580 - line * 11, size: 6, font }),
      )
    }
  }
  return pdf.save()
}

// What runs in the window is text, since the compiler adds to functions what is not there.
const watchFrames = `
  window.frameTimes = []
  window.watching = true
  let last = performance.now()
  const next = (now) => {
    window.frameTimes.push(now - last)
    last = now
    if (window.watching) requestAnimationFrame(next)
  }
  requestAnimationFrame(next)`
const watchedFrames = 'window.watching = false, window.frameTimes.slice(2)'
const idle = 'new Promise((resolve) => requestIdleCallback(resolve))'
const scrollThrough = `new Promise((resolve) => {
  const grid = document.querySelector('.items-grid')
  const step = (grid.scrollHeight - grid.clientHeight) / ${scrollFrames}
  let done = 0
  const next = () => {
    grid.scrollTop = step * ++done
    if (done < ${scrollFrames}) requestAnimationFrame(next)
    else resolve()
  }
  requestAnimationFrame(next)
})`

type Measured = { frames: number[]; trace: Buffer }
type TraceEvent = { name: string; tdur?: number; pid: number; tid: number; args: { name?: string } }

/** How long each frame of the window took, ms, while something is done, and what the browser did meanwhile. */
async function watched(page: Page, work: () => Promise<void>): Promise<Measured> {
  const browser = page.context().browser()!
  await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline', '__metadata'] })
  await page.evaluate(`(() => {${watchFrames}})()`)
  await work()
  const frames = (await page.evaluate(watchedFrames)) as number[]
  return { frames, trace: await browser.stopTracing() }
}

/** The processor time of the window's longest piece of work, ms, which other programs on the computer do not add to. */
function busiestTask(trace: Buffer): number {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] }
  const threads = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  )
  const tasks = traceEvents
    .filter(({ name, pid, tid }) => name === 'RunTask' && threads.has(`${pid} ${tid}`))
    .map(({ tdur }) => (tdur ?? 0) / 1000)
  return tasks.reduce((most, ms) => Math.max(most, ms), 0)
}

async function typeInto(page: Page, first: number): Promise<void> {
  for (let cell = 0; cell < typedCells; cell += 1) {
    await page.keyboard.type(String(first + cell))
    await page.keyboard.press('Enter')
  }
  // The last one is stored, and what follows from it is on the screen.
  await page.waitForFunction(
    (value) => {
      const row = Number(
        globalThis.document.querySelector('.items-grid__cell[data-active]')?.closest<HTMLElement>('[role="row"]')
          ?.dataset['row'],
      )
      return globalThis.document
        .querySelector(`[data-row="${row - 1}"] [data-column="6"]`)
        ?.textContent?.includes(value)
    },
    String(first + typedCells - 1).slice(-3),
  )
}

/** 10,000 rows of 15 columns in a real browser: no frame over 50 ms while they are scrolled through and typed into. */
export async function run(): Promise<void> {
  execFileSync(process.execPath, [fileURLToPath(new URL('../../.config/build.mjs', import.meta.url))], {
    stdio: 'inherit',
  })
  const vendor = await startVendor(({ filename }) => ({
    body: JSON.stringify({
      status: 'success',
      data: [{ Number: 'R-1', Items: Array.from({ length: rows }, (_, index) => row(index)) }],
      metadata: { filename },
    }),
  }))
  const host = await startHost()
  const browser = await chromium.launch({
    ...systemChromium(),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
  try {
    const page = await host.open(browser, { viewport: { width: 1920, height: 1080 }, locale: 'en-US' })
    await callCore(page, 'settings.update', { firstRunDone: true })
    const { id: connectionId } = await callCore(page, 'connections.save', {
      id: null,
      name: 'Bench',
      baseUrl: vendor.baseUrl,
      ...vendorCredentials,
    })
    const { id: schemaId } = await callCore(page, 'schemas.save', { id: null, name: 'Items', elements, rules } as never)
    const path = join(host.home, 'Items')
    mkdirSync(path)
    writeFileSync(join(path, 'items.pdf'), await document())
    await callCore(page, 'folders.add', { path, schemaId, connectionId })
    await page.goto(`${host.url}#/documents`)
    await page.locator('.grid__row', { hasText: /Ready|to check/ }).waitFor({ timeout: 60_000 })
    const id = (await callCore(page, 'documents.list', {})).rows[0]!.id
    // The places of the values are looked up before anything is measured.
    await callCore(page, 'documents.sources', { id })
    await page.goto(`${host.url}#/documents/${id}`)
    const grid = page.getByRole('grid')
    const isDrawn = async (): Promise<void> => {
      await grid.waitFor()
      await page.locator('canvas[data-drawn="true"]').first().waitFor()
      // With the letters and the marks of its first page.
      await page.waitForFunction(
        (count) =>
          ['.textLayer span', '.mark'].every(
            (what) => globalThis.document.querySelectorAll(`[data-page="1"] ${what}`).length >= count,
          ),
        shownOnPage,
      )
      await page.evaluate(idle)
    }
    await isDrawn()

    const measured: [string, Measured][] = []
    const scroll = (): Promise<void> => page.evaluate(scrollThrough)
    measured.push(['scrolling through all rows', await watched(page, scroll)])
    await grid.evaluate((element) => element.scrollTo(0, 0))
    await page.locator('[data-pointer="/0/Items/0/Number 2"]').click()
    measured.push([`typing into ${typedCells} cells`, await watched(page, () => typeInto(page, 500))])
    const changes = Array.from({ length: 10_000 }, (_, index) => ({
      pointer: `/0/Items/${index}/Text 1`,
      value: `corrected ${index}`,
    }))
    const answeredAt = performance.now()
    await callCore(page, 'review.correct', { id, changes })
    process.stdout.write(
      `line-items: 10,000 cells corrected at once in ${((performance.now() - answeredAt) / 1000).toFixed(2)} s\n`,
    )
    const again = performance.now()
    await callCore(page, 'review.correct', { id, changes: [{ pointer: '/0/Items/0/Text 2', value: 'one' }] })
    process.stdout.write(`line-items: one more in ${Math.round(performance.now() - again)} ms\n`)
    // What others changed has come to this window, and is drawn. Then it is opened anew: the answer to the last of the
    // two changes may still be on its way.
    await grid.evaluate((element) => element.scrollTo(0, 0))
    await page.locator('[data-pointer="/0/Items/0/Text 2"]', { hasText: 'one' }).waitFor()
    await page.reload()
    await isDrawn()
    await grid.evaluate((element) => element.scrollTo(0, 900))
    await page.evaluate(idle)
    await page.locator('[data-pointer="/0/Items/40/Number 2"]').click()
    measured.push([
      `typing into ${typedCells} cells beside 10,000 corrected ones`,
      await watched(page, () => typeInto(page, 600)),
    ])
    // Read at the end: it is the work of a processor that the next frames were to have.
    for (const [what, { frames, trace }] of measured) {
      const over = frames.filter((ms) => ms > maxFrameMs).length
      const verdict = over === 0 ? 'ok' : `${over} over the bar of ${maxFrameMs} ms`
      process.stdout.write(
        `line-items: ${rows} rows x ${columns} columns, ${what}: longest of ${frames.length} frames ${Math.round(Math.max(...frames))} ms, busiest task ${Math.round(busiestTask(trace))} ms of processor time: ${verdict}\n`,
      )
      if (over > 0) process.exitCode = 1
    }
  } finally {
    await browser.close()
    await host.stop()
    await vendor.close()
  }
}
