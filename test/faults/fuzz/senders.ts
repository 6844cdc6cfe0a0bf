import { join } from 'node:path'
import { tmpdir } from 'node:os'
import fc from 'fast-check'
import { callChannel, serveIpc } from '../../../electron/desktop/ipc.ts'
import { isAppPage } from '../../../electron/desktop/app-address.ts'
import { calls } from '../../../shared/contract/contract.ts'
import type { CallHandlers, CallName } from '../../../shared/contract/contract.ts'
import type { Answer } from '../../../shared/contract/dispatch.ts'
import { maxCallBytes } from '../../../shared/domain/limits.ts'
import { hostileTexts, inputFor } from './calls-input.ts'
import { hold, oneByOne } from './kit.ts'
import type { OpenTarget, Random, Target } from './kit.ts'

type Frame = { url: string }
type Listener = Parameters<Parameters<typeof serveIpc>[0]['handle']>[1]
/** `at`: what the window's own frame shows meanwhile. */
type Trial = { event: Parameters<Listener>[0]; at: string; name: unknown; input: unknown; isForeign: boolean }

const secret = 'canary-of-core-5b1f'
const dataDir = join(tmpdir(), 'canary-data-folder')
const names = Object.keys(calls) as CallName[]
const own = 'sheaf://app/'

/** Pages that are not the app's, among them those that look like it. */
const pages = [
  'https://evil.test/',
  'http://127.0.0.1:80/',
  'file:///etc/passwd',
  'data:text/html,<script>1</script>',
  'about:blank',
  'blob:sheaf://app/1',
  'sheaf://other/',
  'sheaf://app.evil.test/',
  'sheaf://app:80/',
  'sheaf://app@evil.test/',
  `sheaf://user:${secret}@app/`,
  'sheaf://evil.test/?sheaf://app/',
  'sheaf:app',
  'sheaf:///app/',
  'sheaf:\\\\app\\',
  'SHEAF://APP/',
  'sheaf://app%00/',
  'sheaf://app/files/1',
  'sheaf://app/exports/1/0',
  'sheafs://app/',
  'javascript:sheaf://app/',
  ' https://evil.test/#sheaf://app/',
  '',
] as const

/** Names that no call has. */
const noNames = [
  '',
  '__proto__',
  'constructor',
  'toString',
  'app.state ',
  'App.State',
  'app.state\0',
  'no.such',
] as const

/** What a structured clone carries and no call takes, or more of it than one may. */
const odd: readonly (() => unknown)[] = [
  () => new Map([['id', 1]]),
  () => new Set([1]),
  () => new Date(0),
  () => new Uint8Array(8),
  () => new Error('x'),
  () => 1n,
  () => ({ name: 1n }),
  () => {
    const loop: Record<string, unknown> = {}
    loop['again'] = loop
    return loop
  },
  () => Array.from({ length: 2000 }).reduce<unknown>((inner) => [inner], 1),
]
/** Rarely: each takes milliseconds to make. */
const huge: readonly (() => unknown)[] = [
  () => 'x'.repeat(maxCallBytes),
  () => ({ elements: Array.from({ length: maxCallBytes / 8 }, () => 0) }),
  () => ({ ['k'.repeat(maxCallBytes)]: 1 }),
]

async function open(): Promise<OpenTarget<Trial>> {
  const frame: Frame = { url: own }
  const contents = { mainFrame: frame, isDestroyed: () => false, send: () => undefined }
  let reached = ''
  // Whatever is called answers with all that it should keep.
  const handlers = new Proxy({} as CallHandlers, {
    get: (_handlers, name) => async () => {
      reached = String(name)
      return { secret, dataDir }
    },
  })
  const holder: { listener: Listener | null } = { listener: null }
  serveIpc(
    { handle: (channel, listener) => void (channel === callChannel && (holder.listener = listener)) },
    handlers,
    () => () => undefined,
    { webContents: contents },
    isAppPage,
  )
  const texts = [secret, join(dataDir, 'sheaf.db')]

  const anyCall = (random: Random): { name: CallName; input: unknown } => {
    const name = random.pick(names)
    return { name, input: inputFor(random, calls[name].input, texts) }
  }

  function foreign(random: Random): Trial {
    const page = random.oneIn(4) ? random.value(fc.webUrl()) : random.pick(pages)
    const [event, at] = random.pick([
      // Another window, a frame within the page, a frame that is gone, and the page's own frame elsewhere.
      () => [{ sender: { ...contents }, senderFrame: frame }, own],
      () => [{ sender: random.value(fc.anything()), senderFrame: frame }, own],
      () => [{ sender: contents, senderFrame: { url: own } }, own],
      () => [{ sender: contents, senderFrame: { url: page } }, own],
      () => [{ sender: contents, senderFrame: null }, own],
      () => [{ sender: contents, senderFrame: frame }, page],
    ] as readonly (() => [Trial['event'], string])[])()
    return { event, at, ...anyCall(random), isForeign: true }
  }

  function wrong(random: Random): Trial {
    const trusted = { event: { sender: contents, senderFrame: frame }, at: own, isForeign: false }
    if (random.oneIn(8)) return { ...trusted, name: random.pick(noNames), input: anyCall(random).input }
    if (random.oneIn(8)) return { ...trusted, name: random.value(fc.anything()), input: anyCall(random).input }
    if (random.oneIn(4))
      return { ...trusted, name: random.pick(names), input: random.pick(random.oneIn(500) ? huge : odd)() }
    for (;;) {
      const { name, input } = anyCall(random)
      const bent = bend(random, input)
      if (!calls[name].input.safeParse(bent ?? {}).success) return { ...trusted, name, input: bent }
    }
  }

  async function tryOne({ event, at, name, input, isForeign }: Trial): Promise<void> {
    frame.url = at
    reached = ''
    // What crosses the processes is cloned.
    const answer = (await holder.listener!(event, clone(name), clone(input))) as Answer
    const said = JSON.stringify(answer)
    hold(reached === '', `${reached} was carried out`)
    hold(!answer.ok && answer.error.code === 'invalid_input', `not refused: ${said.slice(0, 300)}`)
    hold(Object.keys(answer.error.details).join() === 'problem', `says more than the problem: ${said.slice(0, 300)}`)
    const sent = isForeign ? '' : JSON.stringify(plain(input))
    for (const kept of [secret, dataDir])
      hold(!said.includes(kept) || sent.includes(kept), `answers with a secret or a path: ${said.slice(0, 300)}`)
    if (isForeign) hold(said === foreignAnswer, `tells a stranger more than that: ${said.slice(0, 300)}`)
  }
  return { make: (random) => (random.oneIn(2) ? foreign(random) : wrong(random)), tryAll: oneByOne(tryOne) }
}

const foreignAnswer = JSON.stringify({
  ok: false,
  error: { code: 'invalid_input', details: { problem: 'the sender is not the window' } },
})

/** One part of an input, at any depth, is something else. */
function bend(random: Random, input: unknown): unknown {
  if (typeof input !== 'object' || input === null || random.oneIn(4))
    return random.pick([random.pick(hostileTexts), random.below(1000) - 500, null, [], {}, true, NaN] as const)
  const keys = Object.keys(input)
  if (keys.length === 0) return 'not an object'
  const key = random.pick(keys)
  const copy: Record<string, unknown> = Array.isArray(input) ? ([...input] as never) : { ...input }
  if (random.oneIn(6)) delete copy[key]
  else copy[key] = bend(random, copy[key])
  return copy
}

/** Some that fast-check makes cannot be cloned; they would not come so far. */
function clone(value: unknown): unknown {
  try {
    return structuredClone(value)
  } catch {
    return undefined
  }
}

/** What of an input can be looked at as a text. */
function plain(input: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(input) ?? 'null') as unknown
  } catch {
    return null
  }
}

/**
 * Calls of pages that are not the window, and calls of the window that the contract does not know: none is carried out.
 */
export const senders: Target<Trial> = { name: 'senders', open, maxGrownMb: 1500 }
