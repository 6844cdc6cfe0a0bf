import { setTimeout as wait } from 'node:timers/promises'
import type { Core } from '../../../electron/core/core.ts'
import type { Migrations } from '../../../electron/core/db/open.ts'
import { until } from '../../helpers/core.ts'
import { harnessCore } from '../harness/harness-core.ts'
import { judge } from '../harness/judge.ts'
import type { Verdict } from '../harness/judge.ts'
import { Program } from '../harness/program.ts'
import { quickTimings } from '../harness/protocol.ts'
import { goodAnswer, startScriptedVendor, webhookBody } from '../harness/scripted-vendor.ts'
import type { Order, Reply, ScriptedVendor } from '../harness/scripted-vendor.ts'
import { seeded } from '../harness/seeded.ts'
import type { Seeded } from '../harness/seeded.ts'
import { laterMigrations } from '../later-migration.ts'
import { afterwardsOf, checkFiles } from './afterwards.ts'
import type { OldDocument } from './old-folder.ts'
import { points } from './points.ts'
import type { Found, Mode, Point, Trap } from './points.ts'
import { makeStage, prepare, writeFiles } from './stage.ts'
import type { Stage } from './stage.ts'
import { documentFilter } from '../../../shared/contract/documents.ts'
import { totalOf } from '../../../shared/domain/document-status.ts'

export type KillRun = { point: string; mode: Mode; seed: number; verdict: Verdict; problems: string[] }

// Limits for what hangs: with 15 and 30 s, a machine with thirty others at work failed where nothing was wrong.
const reachMs = 60_000
const restMs = 60_000

/** What one run is: all of it follows from its seed. */
type Run = {
  point: Point
  mode: Mode
  variant: number
  random: Seeded
  stage: Stage
  concurrency: number
  /** Other migrations than the product's own. */
  migrations: Migrations | undefined
  problems: string[]
}

/**
 * One program, killed at one point, started again and driven to rest. Throws nothing that is a finding: what does not
 * hold is in `problems` and in the verdict.
 */
export async function killOnce(pointId: string, mode: Mode, seed: number): Promise<KillRun> {
  const point = points.find(({ id }) => id === pointId)!
  const random = seeded(seed)
  const variant = random.between(0, point.variants - 1)
  const stage = makeStage(point, mode, random)
  const migrations = point.id === 'K21' ? laterMigrations : undefined
  const run: Run = { point, mode, variant, random, stage, concurrency: random.between(1, 8), migrations, problems: [] }
  const over = new AbortController()
  const killed = Promise.withResolvers<void>()
  const service = await startService(run, killed.promise, over.signal)
  try {
    const verdict = await play(run, service, killed.resolve)
    return { point: pointId, mode, seed, verdict, problems: run.problems }
  } catch (error) {
    const failed: Verdict = { integrity: 'not asked', lost: [], duplicates: [], statuses: {}, approvedResends: 0 }
    return {
      point: pointId,
      mode,
      seed,
      verdict: failed,
      problems: [...run.problems, error instanceof Error ? error.message : String(error)],
    }
  } finally {
    over.abort()
    await service.vendor.close()
    stage.remove()
  }
}

async function play(run: Run, service: Service, killed: () => void): Promise<Verdict> {
  const { stage, point } = run
  // A service on this computer needs no mailbox: the other name of the same address makes it one elsewhere.
  const baseUrl = point.id === 'K22' ? service.vendor.baseUrl.replace('127.0.0.1', '0.0.0.0') : service.vendor.baseUrl
  const { mailbox, old } = await prepare(stage, point.id, baseUrl)
  try {
    for (const { file, was } of old) if (was !== 'queued') service.vendor.billed.set(file.name, 1)
    return await playPrepared(run, service, old, killed)
  } finally {
    await mailbox?.close()
  }
}

async function playPrepared(run: Run, service: Service, old: OldDocument[], killed: () => void): Promise<Verdict> {
  const { stage, point, random } = run
  const settle = await afterwardsOf(point.id, stage, random)
  await runUntilKilled(run, service)
  killed()
  if (random.chance(0.25)) await killTheStart(run)

  const core = await harnessCore(stage.dataDir, {
    concurrency: run.concurrency,
    migrations: run.migrations,
    timings: quickTimings,
  })
  try {
    expectFound(run, core, stage.hit.name, point.found(stage.hit.mode, run.variant))
    for (const { file, found, token } of old) {
      expectFound(run, core, file.name, [found])
      if (token !== null)
        service.callBackOld(
          file.name,
          `http://127.0.0.1:${core.context.tables.settings.callbackPort()}/callback/${token}`,
        )
    }
    await core.run()
    await rest(run, core, service)
    if (random.chance(0.7)) {
      await core.handlers['documents.resend']({ ids: null })
      await rest(run, core, service)
    }
    run.problems.push(...(await settle(core)))
  } finally {
    await core.stop({ atOnce: true })
  }
  run.problems.push(...checkFiles(stage))
  return judge(
    stage.dataDir,
    stage.files.map(({ name }) => name),
    service.vendor.billed,
  )
}

/** Starts the program with its trap and lets it work until it is dead. */
async function runUntilKilled(run: Run, service: Service): Promise<void> {
  const { point, stage, random } = run
  const trap: Trap = { point: point.id, path: stage.hit.path, variant: run.variant }
  const isThereBefore = random.chance(0.5)
  if (isThereBefore && point.id !== 'K21') writeFiles(stage)
  const program = new Program({
    dataDir: stage.dataDir,
    concurrency: run.concurrency,
    migrations: run.migrations,
    timings: quickTimings,
    trap,
  })
  service.victim.resolve(program)
  const watchdog = setTimeout(() => {
    run.problems.push(`the point was not reached within ${reachMs / 1000} s`)
    void program.kill()
  }, reachMs)
  // What was asked of a program that dies is never answered.
  void drive(run, program, isThereBefore).catch(() => undefined)
  const { killed, said } = await program.ended
  clearTimeout(watchdog)
  if (!killed) throw new Error(`the program ended by itself: ${said}`)
}

async function drive({ point, stage, random }: Run, program: Program, isThereBefore: boolean): Promise<void> {
  await program.ready
  await program.run()
  if (!isThereBefore && point.id !== 'K21') writeFiles(stage)
  if (point.afterwards !== true) return
  for (let done = 0; done < stage.files.length; await wait(10))
    done = (await program.call('app.state', {})).counts.done ?? 0
  // A copy can be made between two looks of the trap: then the next one is its own.
  if (point.id === 'K20') for (;;) await program.call('storage.backUp', {})
  else if (point.id === 'K19') {
    await program.storm()
    await wait(random.between(0, 60))
    await program.kill()
  } else {
    const { schemas } = await program.call('schemas.list', {})
    await program.call('exports.run', {
      schemaId: schemas[0]!.id,
      format: random.pick(['csv', 'xlsx', 'json'] as const),
      locale: 'en',
    })
  }
}

/** The first start after the kill is killed as well, at one of its first writes. */
async function killTheStart({ stage, concurrency, random }: Run): Promise<void> {
  const trap: Trap = { point: 'start', path: '', variant: random.between(0, 12) }
  const program = new Program({ dataDir: stage.dataDir, concurrency, timings: quickTimings, trap })
  await program.ready.catch(() => undefined)
  await program.kill()
}

/** Before anything runs: the document is in the state that the catalogue names. */
function expectFound({ variant, problems }: Run, core: Core, name: string, expected: Found[]): void {
  const { tables } = core.context
  const statuses = tables.folders
    .list()
    .flatMap(({ id }) => tables.documents.inFolder(id))
    .filter((document) => document.name === name)
    .map(({ status }) => status)
  const found = statuses.length === 0 ? 'absent' : statuses.join(' and ')
  if (!expected.some((one) => one === found))
    problems.push(`after the restart ${name} is ${found}, not ${expected.join(' or ')} (variant ${variant})`)
}

/** Until every document has its outcome and no webhook is under way. */
async function rest({ stage, problems }: Run, core: Core, service: Service): Promise<void> {
  const { documents } = core.context.tables
  const isSettled = (): boolean => {
    const counts = core.context.tables.documentList.counts(documentFilter.parse({})).counts
    const open = (counts.queued ?? 0) + (counts.submitting ?? 0) + (counts.waiting ?? 0)
    const all = totalOf(counts)
    return (
      all >= stage.files.length &&
      open === 0 &&
      documents.openCount() === 0 &&
      core.queue.idle &&
      service.deliveries() === 0
    )
  }
  await until(isSettled, 'all documents to have an outcome', restMs).catch((error: unknown) => {
    const webhooks = [...service.vendor.undelivered].map(([name, came]) => `${name}: ${came}`)
    problems.push(`${String(error)}; webhooks under way: ${webhooks.join(', ') || 'none'}`)
  })
}

type Service = {
  vendor: ScriptedVendor
  victim: PromiseWithResolvers<Program>
  deliveries: () => number
  callBackOld: (filename: string, callback: string) => void
}

/** The vendor of one run: what it does with the document in question, and when its webhooks go out. */
async function startService(run: Run, killed: Promise<void>, over: AbortSignal): Promise<Service> {
  const { point, stage, random } = run
  const victim = Promise.withResolvers<Program>()
  let deliveries = 0
  let isHitLeft = true
  // A service that lost the connection may call back all the same.
  const callsBackAfterLoss = random.chance(0.5)

  const callBack = async (order: Order, isHit: boolean): Promise<void> => {
    deliveries += 1
    const delayMs = random.between(0, 30)
    // What comes before the kill is another point.
    if (isHit && !['K12', 'K13', 'K15', 'K22'].includes(point.id) && point.afterwards !== true && point.id !== 'K18')
      await killed
    await wait(delayMs)
    await vendor.deliver(order, webhookBody(order), 30, over)
    deliveries -= 1
  }
  const whole = async (order: Order): Promise<Reply> => {
    const isHit = isHitLeft && order.filename === stage.hit.name
    if (isHit) isHitLeft = false
    const isLost = isHit && ['K8', 'K9', 'K10'].includes(point.id)
    if (order.callback !== null && (!isLost || run.variant === 1 || callsBackAfterLoss)) void callBack(order, isHit)
    await wait(random.between(0, 15))
    if (isHit && point.id === 'K8') {
      await (await victim.promise).kill()
      return { bills: true, answer: 'break' }
    }
    const answer = goodAnswer(order)
    if (!isHit || point.id !== 'K9') return { bills: true, answer }
    const cutAfterBytes = random.between(1, answer.body.length - 1)
    void wait(random.between(5, 30)).then(async () => (await victim.promise).kill())
    return { bills: true, answer: { ...answer, cutAfterBytes } }
  }
  const vendor = await startScriptedVendor({ whole })
  const callBackOld = (filename: string, callback: string): void => {
    const order: Order = {
      number: 0,
      ofFile: 0,
      filename,
      sha256: '',
      callback,
      extractId: `old-${stage.files.findIndex(({ name }) => name === filename) + 1}`,
    }
    void callBack(order, false)
  }
  return { vendor, victim, deliveries: () => deliveries, callBackOld }
}
