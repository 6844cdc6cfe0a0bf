import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { buildService, startOwnService } from '../conformance/own-service.ts'
import type { OwnService } from '../conformance/own-service.ts'
import type { ModelScript } from '../helpers/model-server.ts'
import { anyCall, chat, publicDocumentalist } from './load-calls.ts'
import type { Member, World } from './load-calls.ts'
import { checkCalls, checkGenerations, checkDocuments, checkMemory, checkRate, figuresOf } from './load-figures.ts'
import type { Sample } from './load-figures.ts'

/** spec, Limits, «Proxy»: 100 requests in 60 s, and 4 generations at once, in each organization. */
const requestsPerWindow = 100
const windowMs = 60_000
const generations = 4

/** The same load before anything is measured: until then a process takes memory that it keeps. */
const warmUpMs = 60_000

/** A little longer than the window, so that it is seen to open again. */
const lengthMs = 66_000
const mixedOrganizations = 10
const clientsOfMixed = 15
const burstOrganizations = 2
const bursts = 4
/** All bursts together are exactly the requests of one window. */
const clientsOfBurst = requestsPerWindow / bursts
const clients = mixedOrganizations * clientsOfMixed + burstOrganizations * clientsOfBurst

/** What the scripted model sees and does, by organization: how many generations run, and what it holds them for. */
type Generating = { running: number; most: number; held: Promise<unknown> | null }

/**
 * `npm run bench -- load`: the service, as its own process, under 200 clients at once. Prints figures and a verdict;
 * the exit code is 1 when a limit was not kept to the request, a webhook was lost or doubled, the service failed by
 * itself, or its memory grew. Reads the memory from /proc, so it needs Linux.
 */
export async function run(): Promise<void> {
  buildService()
  const service = await startOwnService()
  try {
    await measure(service)
  } finally {
    await service.close()
  }
}

async function measure({ target, hooks, pid, dataDir }: OwnService): Promise<void> {
  const generating = new Map<string, Generating>()
  target.own!.model.answer(modelScript(generating))
  const world: World = {
    baseUrl: target.baseUrl,
    documentalist: await publicDocumentalist(target, dataDir),
    hooks,
    calls: [],
    documents: [],
  }
  const join = async (): Promise<Member> => {
    const organization = await target.own!.organization()
    generating.set(organization.id, { running: 0, most: 0, held: null })
    return { organization, token: await organization.token() }
  }
  const mixed = await Promise.all(Array.from({ length: mixedOrganizations }, join))
  const bursting = await Promise.all(Array.from({ length: burstOrganizations }, join))

  const client = async (who: Member, untilMs: number): Promise<void> => {
    while (performance.now() < untilMs) {
      await anyCall(world, who)
      await wait(Math.random() * 100)
    }
  }
  const warmedUpMs = performance.now() + warmUpMs
  const others = await Promise.all(Array.from({ length: mixedOrganizations }, join))
  await Promise.all(Array.from({ length: clients }, (_, index) => client(others[index % others.length]!, warmedUpMs)))
  await allWebhooks(world)
  const problems = [...checkCalls(world.calls), ...checkDocuments(world.documents)]
  world.calls.length = 0
  world.documents.length = 0

  const samples: Sample[] = []
  const beganMs = performance.now()
  const endsMs = beganMs + lengthMs
  const servicePid = childOf(pid)
  const sampler = setInterval(
    () => samples.push({ seconds: (performance.now() - beganMs) / 1000, rssMb: rssMb(servicePid) }),
    1000,
  )
  await Promise.all([
    ...mixed.flatMap((who) => Array.from({ length: clientsOfMixed }, () => client(who, endsMs))),
    ...bursting.map(async (who) => {
      for (let round = 0; round < bursts; round++)
        problems.push(...(await burst(world, who, generating.get(who.organization.id)!)))
      await Promise.all(Array.from({ length: clientsOfBurst }, () => client(who, endsMs)))
    }),
  ])
  const seconds = (performance.now() - beganMs) / 1000
  clearInterval(sampler)
  const late = world.documents.filter(({ calls }) => calls.length === 0).length
  await allWebhooks(world)

  const checked = [...mixed, ...bursting].map(({ organization: { id } }) => ({
    most: generating.get(id)!.most,
    rate: checkRate(
      world.calls.filter(({ organization }) => organization === id),
      requestsPerWindow,
      windowMs,
    ),
    refusals: checkGenerations(
      world.calls.filter(({ organization }) => organization === id),
      generations,
    ),
  }))
  const memory = checkMemory(samples)
  problems.push(...checkCalls(world.calls), ...checkDocuments(world.documents), ...memory.problems)
  for (const { most, rate, refusals } of checked) {
    problems.push(...rate.problems, ...refusals)
    if (most > generations)
      problems.push(`the model saw ${most} generations of an organization at once, not ${generations}`)
  }
  process.stdout.write(
    [
      ...figuresOf(world.calls, clients, seconds),
      `proxy requests let through in the first ${windowMs / 1000} s, by organization: ${checked.map(({ rate }) => rate.first).join(' ')}`,
      `and after it: ${checked.map(({ rate }) => rate.later).join(' ')}`,
      `generations at once at most, by organization: ${checked.map(({ most }) => most).join(' ')}`,
      `bursts of ${clientsOfBurst} at once: ${bursts * burstOrganizations}, each with exactly ${generations} generations unless a problem says otherwise`,
      `asynchronous documents: ${world.documents.length}, ${late} of them not yet delivered when the load ended`,
      memory.text,
      ...[...new Set(problems)].map((problem) => `- ${problem}`),
      problems.length === 0 ? 'verdict: passed' : `verdict: failed (${problems.length} problems)`,
      '',
    ].join('\n'),
  )
  if (problems.length > 0) process.exitCode = 1
}

/** A model that takes a moment for each answer, or as long as a burst holds it. */
function modelScript(generating: Map<string, Generating>): ModelScript {
  return async ({ body }) => {
    const messages = body['messages'] as { content: string }[]
    const state = generating.get(/^organization (\S+)/.exec(messages.at(-1)!.content)?.[1] ?? '')
    if (state === undefined) return undefined
    state.running++
    state.most = Math.max(state.most, state.running)
    await (state.held ?? wait(20 + Math.random() * 100))
    state.running--
    return undefined
  }
}

/** All clients of an organization ask at once; the model holds what reaches it until the others have been refused. */
async function burst(world: World, who: Member, state: Generating): Promise<string[]> {
  let refused = 0
  const untilRefused = async (): Promise<void> => {
    const deadlineMs = performance.now() + 30_000
    while ((refused < clientsOfBurst - generations || state.running < generations) && performance.now() < deadlineMs)
      await wait(5)
  }
  state.held = untilRefused()
  const answers = await Promise.all(
    Array.from({ length: clientsOfBurst }, async (_, index) => {
      const { status } = await chat(world, who, index % 2 === 0)
      if (status === 429) refused++
      return status
    }),
  )
  state.held = null
  const accepted = answers.filter((status) => status === 200).length
  if (accepted === generations && state.most === generations) return []
  return [
    `of ${clientsOfBurst} generations at once ${accepted} were let through and the model saw ${state.most} together, not ${generations}`,
  ]
}

async function allWebhooks({ documents }: World): Promise<void> {
  const deadlineMs = performance.now() + 240_000
  while (documents.some(({ calls }) => calls.length === 0) && performance.now() < deadlineMs) await wait(100)
  // Time for a second call that should not come.
  await wait(3000)
}

/** The launcher waits for the service, which is its only child. */
function childOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0])
}

function rssMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}
