import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { totalOf } from '../../../shared/domain/document-status.ts'
import type { Timings } from '../../../electron/core/timings.ts'
import { pdfBytes } from '../../helpers/core.ts'
import { judge } from '../harness/judge.ts'
import type { Verdict } from '../harness/judge.ts'
import { Program } from '../harness/program.ts'
import { quickTimings } from '../harness/protocol.ts'
import { seeded } from '../harness/seeded.ts'
import { setUp } from '../harness/set-up.ts'
import { startChaosVendor } from './script.ts'
import type { ChaosVendor } from './script.ts'
import { quickFolder } from '../../helpers/temporary.ts'

export type ChaosOutcome = {
  verdict: Verdict
  problems: string[]
  billable: number
  /** Approved resends of requests that the service had not worked on. */
  neverWorkedOn: number
  restarts: number
  rounds: number
  peakRssMb: number
  counts: ChaosVendor['counts']
}

const concurrency = 32
/** A part goes asynchronously. */
const asyncShare = 0.3
/** The documents come in so many waves, with a restart in each. */
const wavesFor = (documents: number): number => Math.min(6, Math.ceil(documents / 60))
/** Ten thousand documents and their answers are on the disk; the process that handles them stays below this. */
const maxRssMb = 400
const timings: Partial<Timings> = { ...quickTimings, syncAnswerMs: 1500, asyncAnswerMs: 1500 }

/**
 * Lets documents go through a service that fails in every way, with restarts in between, until all of them are in a
 * final state; what is unknown is approved in rounds, as a person would. Needs Linux for the memory (`/proc`).
 */
export async function runChaos(documents: number, seed: number): Promise<ChaosOutcome> {
  const random = seeded(seed)
  const root = mkdtempSync(join(quickFolder, 'sheaf-chaos-'))
  const dataDir = join(root, 'data')
  const over = new AbortController()
  const vendor = await startChaosVendor(seed, over.signal)
  const folders = { sync: join(root, 'in-sync'), async: join(root, 'in-async') }
  try {
    for (const path of Object.values(folders)) mkdirSync(path)
    await setUp(dataDir, { baseUrl: vendor.baseUrl, folders, afterwards: 'stay' })
    const names = Array.from({ length: documents }, (_, index) => `Beleg ${String(index).padStart(6, '0')}.pdf`)
    const paths = names.map((name) => join(random.chance(asyncShare) ? folders.async : folders.sync, name))
    const put = (from: number, to: number): void => {
      for (const path of paths.slice(from, to)) writeFileSync(path, pdfBytes(path, random.between(300, 3000)))
    }
    const crowd = new Crowd(dataDir)
    const waves = wavesFor(documents)
    for (let wave = 0; wave < waves; wave += 1) {
      put(Math.floor((documents * wave) / waves), Math.floor((documents * (wave + 1)) / waves))
      if (wave === 0) await crowd.start()
      await crowd.until((open, all) => all - open >= (documents * (wave + 0.5)) / waves, 'half of a wave')
      await crowd.restart(random.chance(0.5))
    }
    const rounds = await approveUntilDone(crowd, vendor, documents)
    await crowd.stop()
    const verdict = judge(dataDir, names, vendor.billed)
    const billable = [...vendor.billed.values()].reduce((sum, times) => sum + times, 0)
    const neverWorkedOn = documents + verdict.approvedResends - billable
    const problems = [
      ...(verdict.statuses.done === documents ? [] : [`not all are done: ${JSON.stringify(verdict.statuses)}`]),
      ...(neverWorkedOn >= 0 ? [] : [`${-neverWorkedOn} requests were billed that nobody approved`]),
      ...(neverWorkedOn <= vendor.cutShort() + crowd.restarts * concurrency
        ? []
        : [
            `${neverWorkedOn} approved resends repeated a request that was never worked on, and only ${vendor.cutShort()} were cut short`,
          ]),
      ...(crowd.peakRssMb <= maxRssMb ? [] : [`it took ${crowd.peakRssMb} MB of memory, more than ${maxRssMb}`]),
    ]
    return {
      verdict,
      problems,
      billable,
      neverWorkedOn,
      restarts: crowd.restarts,
      rounds,
      peakRssMb: crowd.peakRssMb,
      counts: vendor.counts,
    }
  } finally {
    over.abort()
    await vendor.close()
    rmSync(root, { recursive: true, force: true })
  }
}

/** What is unknown goes again, as often as it takes: the vendor loses some of those as well. */
async function approveUntilDone(crowd: Crowd, vendor: ChaosVendor, documents: number): Promise<number> {
  for (let rounds = 0; ; rounds += 1) {
    await crowd.until(
      (open, all) => all >= documents && open === 0 && vendor.deliveries() === 0,
      'all documents to have an outcome',
    )
    const { unknown } = (await crowd.program.call('app.state', {})).counts
    if (unknown === 0) return rounds
    await crowd.program.call('documents.resend', { ids: null })
  }
}

/** The program, one after the other on the same data folder. */
class Crowd {
  readonly #dataDir: string
  #program: Program | null = null
  restarts = 0
  peakRssMb = 0

  constructor(dataDir: string) {
    this.#dataDir = dataDir
  }

  get program(): Program {
    return this.#program!
  }

  async start(): Promise<void> {
    this.#program = new Program({ dataDir: this.#dataDir, concurrency, timings, trap: null })
    await this.#program.ready
    await this.#program.run()
  }

  async restart(killed: boolean): Promise<void> {
    if (killed) await this.program.kill()
    else await this.program.stop()
    this.restarts += 1
    await this.start()
  }

  async stop(): Promise<void> {
    await this.program.stop()
  }

  /**
   * Asks how many documents are open, and how many there are, until the condition holds; gives up when nothing changes
   * for a minute.
   */
  async until(holds: (open: number, all: number) => boolean, what: string): Promise<void> {
    let last = ''
    let since = performance.now()
    for (;;) {
      const { counts } = await this.program.call('app.state', {})
      this.#measure()
      const open = (counts.queued ?? 0) + (counts.submitting ?? 0) + (counts.waiting ?? 0)
      const all = totalOf(counts)
      if (holds(open, all)) return
      const now = JSON.stringify(counts)
      if (now !== last) since = performance.now()
      last = now
      if (performance.now() - since > 60_000) throw new Error(`waited in vain for ${what}: ${now}`)
      await wait(50)
    }
  }

  #measure(): void {
    const rssMb = Math.round(
      Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${this.program.pid}/status`, 'utf8'))?.[1]) / 1024,
    )
    this.peakRssMb = Math.max(this.peakRssMb, rssMb)
  }
}
