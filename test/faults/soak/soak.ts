import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import type { CDPSession, Page } from '@playwright/test'
import { systemChromium } from '../../helpers/chromium.ts'
import { pdfBytes, simpleSchema } from '../../helpers/core.ts'
import { vendorCredentials } from '../../helpers/vendor.ts'
import { callCore, complaintsOf, startHost } from '../../ui/host.ts'
import { goodAnswer, startScriptedVendor } from '../harness/scripted-vendor.ts'
import { grows, sampleProcesses, slopeOf } from './samples.ts'
import type { Sample, Slope } from './samples.ts'

export type SoakOutcome = {
  samples: Sample[]
  hostMemory: Slope
  serviceMemory: Slope
  pageMemory: Slope
  descriptors: Slope
  p99Ms: number
  maxMs: number
  documents: number
  problems: string[]
}

/** Growth per hour from which a program that is never closed gets into trouble within a working week. */
const maxHostMb = 10
const maxServiceMb = 10
const maxPageMb = 10
const maxDescriptors = 2
const maxLoopDelayMs = 100
/** In less time what a start fills cannot be told from growth: slopes are given, and not judged. */
const minHoursToJudge = 0.25

const sampleMs = 10_000
const vendorEveryMs = 2000
const localEveryMs = 20_000
const clickEveryMs = 60_000
const exportEveryMs = 300_000

/**
 * The program as a person leaves it running: documents come in, the window is open and looked at, exports are made.
 * Samples memory, descriptors and loop delay of its processes. Needs Linux (`/proc`), the built window and a browser.
 */
export async function runSoak(hours: number): Promise<SoakOutcome> {
  const notes = mkdtempSync(join(tmpdir(), 'sheaf-soak-'))
  const vendor = await startScriptedVendor({
    whole: async (order) => {
      await wait(200)
      return { bills: true, answer: goodAnswer(order) }
    },
  })
  process.env['NODE_OPTIONS'] = `--import ${new URL('sampler.mjs', import.meta.url).href}`
  process.env['SHEAF_SOAK_FOLDER'] = notes
  const host = await startHost()
  delete process.env['NODE_OPTIONS']
  const browser = await chromium.launch({
    ...systemChromium(),
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
    ],
  })
  try {
    const page = await host.open(browser, { viewport: { width: 1280, height: 800 }, locale: 'en-US' })
    const complaints = complaintsOf(page)
    const folders = await setUp(page, host.home, vendor.baseUrl)
    const samples = await work(page, folders, hours, notes)
    const outcome = judge(samples, hours >= minHoursToJudge)
    return { ...outcome, problems: [...outcome.problems, ...new Set(complaints)] }
  } finally {
    await browser.close()
    await host.stop()
    await vendor.close()
    rmSync(notes, { recursive: true, force: true })
  }
}

type Folders = { vendor: string; local: string; schemaId: number }

async function setUp(page: Page, home: string, baseUrl: string): Promise<Folders> {
  const paths = { vendor: join(home, 'elsewhere'), local: join(home, 'here') }
  for (const path of Object.values(paths)) mkdirSync(path)
  await callCore(page, 'settings.update', { firstRunDone: true })
  const { id: schemaId } = await callCore(page, 'schemas.save', { id: null, name: 'Invoice', elements: simpleSchema })
  const { id: connectionId } = await callCore(page, 'connections.save', {
    id: null,
    name: 'Vendor',
    baseUrl,
    ...vendorCredentials,
  })
  const { connections } = await callCore(page, 'connections.list', {})
  const localId = connections.find(({ kind }) => kind === 'local')!.id
  await callCore(page, 'folders.add', { path: paths.vendor, schemaId, connectionId })
  await callCore(page, 'folders.add', { path: paths.local, schemaId, connectionId: localId })
  return { ...paths, schemaId }
}

/** Calls `act` at each multiple of `everyMs` that has passed. */
function every(everyMs: number, act: (count: number) => Promise<void> | void): (elapsedMs: number) => Promise<void> {
  let count = 0
  return async (elapsedMs) => {
    if (elapsedMs < count * everyMs) return
    count += 1
    await act(count)
  }
}

async function work(page: Page, folders: Folders, hours: number, notes: string): Promise<Sample[]> {
  const samples: Sample[] = []
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Performance.enable')
  const sample = readFileSync(fileURLToPath(new URL('../../fixtures/samples/INV-20418.pdf', import.meta.url)))
  const begun = performance.now()
  const turns = [
    every(vendorEveryMs, (count) =>
      writeFileSync(
        join(folders.vendor, `invoice ${String(count).padStart(6, '0')}.pdf`),
        pdfBytes(`soak ${count}`, 2000 + (count % 50) * 100),
      ),
    ),
    // The same document is a copy, and not extracted: each has a comment of its own behind its end.
    every(localEveryMs, (count) =>
      writeFileSync(
        join(folders.local, `here ${String(count).padStart(6, '0')}.pdf`),
        Buffer.concat([sample, Buffer.from(`\n% ${count}\n%%EOF\n`)]),
      ),
    ),
    every(clickEveryMs, () => clickThrough(page)),
    every(exportEveryMs, async (count) => {
      if (count > 1 || hours < 0.1) await exportAll(page, folders.schemaId, count)
    }),
    every(sampleMs, async () => {
      const { host, service } = sampleProcesses(notes)
      // A process writes about itself from the moment it runs.
      if (host === null && samples.length === 0) return
      if (host === null) throw new Error('the program does not run any more')
      samples.push({
        seconds: (performance.now() - begun) / 1000,
        host,
        service,
        ...(await samplePage(devTools)),
        documents: await documentsOf(page),
      })
    }),
  ]
  for (let elapsedMs = 0; elapsedMs < hours * 3_600_000; elapsedMs = performance.now() - begun) {
    for (const turn of turns) await turn(elapsedMs)
    await wait(200)
  }
  return samples
}

async function clickThrough(page: Page): Promise<void> {
  const links = page.locator('nav.sidebar a')
  for (let index = 0; index < (await links.count()); index += 1) {
    await links.nth(index).click()
    await page.locator('h1').first().waitFor()
  }
  await links.first().click()
}

async function exportAll(page: Page, schemaId: number, count: number): Promise<void> {
  const { counts } = await callCore(page, 'app.state', {})
  if ((counts.done ?? 0) === 0) return
  await callCore(page, 'exports.run', { schemaId, format: count % 2 === 0 ? 'csv' : 'xlsx', locale: 'en' })
}

async function documentsOf(page: Page): Promise<number> {
  const { counts } = await callCore(page, 'app.state', {})
  return counts.done ?? 0
}

/** What is alive in the page: after a collection, so that garbage that waits is not taken for growth. */
async function samplePage(devTools: CDPSession): Promise<{ pageMb: number; pageNodes: number }> {
  await devTools.send('HeapProfiler.collectGarbage')
  const { metrics } = await devTools.send('Performance.getMetrics')
  const value = (name: string): number => metrics.find((metric) => metric.name === name)?.value ?? NaN
  return { pageMb: value('JSHeapUsedSize') / (1024 * 1024), pageNodes: value('Nodes') }
}

/** Slopes over the last three quarters: what a start fills is no growth. */
function judge(samples: Sample[], judgesGrowth: boolean): SoakOutcome {
  const later = samples.slice(Math.floor(samples.length / 4))
  const slope = (value: (sample: Sample) => number | null): Slope =>
    slopeOf(
      later.flatMap((sample) => (value(sample) === null ? [] : [{ seconds: sample.seconds, value: value(sample)! }])),
    )
  const hostMemory = slope(({ host }) => host.rssMb)
  const serviceMemory = slope(({ service }) => service?.rssMb ?? null)
  const pageMemory = slope(({ pageMb }) => pageMb)
  const descriptors = slope(({ host }) => host.descriptors)
  const last = samples.at(-1)
  const p99Ms = last?.host.p99Ms ?? Infinity
  const growth = [
    ...(grows(hostMemory, maxHostMb) ? [`the host's memory grows by ${hostMemory.perHour.toFixed(1)} MB/h`] : []),
    ...(grows(serviceMemory, maxServiceMb)
      ? [`the service's memory grows by ${serviceMemory.perHour.toFixed(1)} MB/h`]
      : []),
    ...(grows(pageMemory, maxPageMb) ? [`the window's memory grows by ${pageMemory.perHour.toFixed(1)} MB/h`] : []),
    ...(grows(descriptors, maxDescriptors)
      ? [`the host's descriptors grow by ${descriptors.perHour.toFixed(1)} an hour`]
      : []),
  ]
  const problems = [
    ...(judgesGrowth ? growth : []),
    ...(p99Ms > maxLoopDelayMs ? [`the host's loop is late by ${p99Ms.toFixed(0)} ms (p99)`] : []),
    ...(last === undefined || last.documents === 0 ? ['no document was extracted'] : []),
  ]
  return {
    samples,
    hostMemory,
    serviceMemory,
    pageMemory,
    descriptors,
    p99Ms,
    maxMs: last?.host.maxMs ?? Infinity,
    documents: last?.documents ?? 0,
    problems,
  }
}
