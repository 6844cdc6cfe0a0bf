import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { isErrorCode } from '../../../shared/domain/errors.ts'

/** Whole numbers from one seed, the same in every run. */
export type Random = {
  /** 0 ≤ n < limit. */
  below(limit: number): number
  pick<T>(values: readonly T[]): T
  /** True once in so many times. */
  oneIn(times: number): boolean
  /** A value of fast-check's; half of them small and near the edges, half anything. */
  value<T>(arbitrary: fc.Arbitrary<T>): T
}

/** What a property says that did not hold; anything else that is thrown is a crash. Both are failures. */
export class Broken extends Error {}

export type OpenTarget<I> = {
  /** Depends on the random numbers alone, so that one input can be made again. */
  make(random: Random): I
  /** Tries a few inputs one after another; tells how long each took, and throws for the one at `tried.at`. */
  tryAll(inputs: readonly I[], tried: Tried): Promise<void>
  /** What must hold after all of them. */
  check?(): Promise<void> | void
  close?(): Promise<void> | void
  /** How many are handed over at once; 1 unless trying them together is quicker. */
  batch?: number
}

export type Target<I = unknown> = {
  name: string
  open(): Promise<OpenTarget<I>>
  /** Where more is no leak, since inputs are large. */
  maxGrownMb?: number
}

/** Where the trial is: read by the watch that ends a hang. */
export type Tried = { at: number; done(ms: number): void }

export type Figures = {
  name: string
  inputs: number
  crashes: number
  hangs: number
  slowestMs: number
  grownMb: number
  seed: number
  failures: string[]
}

export const hangMs = 1000
/** So often the loop has a turn in between. */
const turnMs = 100
/** More than this at the end than at the beginning is a leak, whatever the inputs were. */
export const maxGrownMb = 700

const keptIn = fileURLToPath(new URL('../../../test-results/fuzz/', import.meta.url))
const maxFailures = 20

/** The random numbers of input number `index` of a run. */
export function randomFor(seed: number, index: number): Random {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35)
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const below = (limit: number): number => next() % limit
  return {
    below,
    pick: (values) => values[below(values.length)]!,
    oneIn: (times) => below(times) === 0,
    value: (arbitrary) => fc.sample(arbitrary, { seed: next() | 0, numRuns: 1, unbiased: below(2) === 0 })[0]!,
  }
}

/** Tries `inputs` inputs from number `from` on. Failing ones are kept with how to try them again. */
export async function fuzz(
  target: Target,
  options: { seed: number; inputs: number; from?: number; onInput?: (index: number) => void },
): Promise<Figures> {
  const { seed, inputs, from = 0 } = options
  const figures: Figures = {
    name: target.name,
    inputs: 0,
    crashes: 0,
    hangs: 0,
    slowestMs: 0,
    grownMb: 0,
    seed,
    failures: [],
  }
  const opened = await target.open()
  const batch = opened.batch ?? 1
  let before: number | null = null
  let turnedAt = performance.now()
  // A parser that only promises never lets timers in: whoever watches for a hang would take that for one.
  const letTimersIn = async (): Promise<void> => {
    if (performance.now() - turnedAt <= turnMs) return
    await setImmediate()
    turnedAt = performance.now()
  }
  const fail = (index: number, input: unknown, error: unknown): void => {
    figures.crashes += 1
    if (figures.failures.length < maxFailures) figures.failures.push(keep(target.name, seed, index, input, error))
  }
  const hang = (index: number, input: unknown, ms: number): void => {
    figures.hangs += 1
    figures.failures.push(keep(target.name, seed, index, input, new Broken(`took ${Math.round(ms)} ms`)))
  }
  try {
    for (let index = from; index < from + inputs; ) {
      const made = Array.from({ length: Math.min(batch, from + inputs - index) }, (_, offset) =>
        opened.make(randomFor(seed, index + offset)),
      )
      const start = index
      const tried: Tried = {
        at: 0,
        done: (ms) => {
          figures.slowestMs = Math.max(figures.slowestMs, ms)
          if (ms > hangMs) hang(start + tried.at, made[tried.at], ms)
          tried.at += 1
          options.onInput?.(start + tried.at)
        },
      }
      options.onInput?.(start)
      await letTimersIn()
      try {
        await opened.tryAll(made, tried)
        index += made.length
      } catch (error) {
        fail(start + tried.at, made[tried.at], error)
        index += tried.at + 1
      }
      figures.inputs = index - from
      // The first inputs warm things up, which is no leak.
      if (before === null && figures.inputs >= Math.min(2000, inputs / 2)) before = residentMb()
    }
    figures.grownMb = Math.round(residentMb() - (before ?? residentMb()))
    if (isLeak(target, figures.grownMb)) figures.failures.push(`${target.name}: memory grew by ${figures.grownMb} MB`)
    await opened.check?.()
  } catch (error) {
    figures.crashes += 1
    figures.failures.push(
      `${target.name}, after all inputs: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    )
  } finally {
    await opened.close?.()
  }
  return figures
}

function isLeak(target: Target, grownMb: number): boolean {
  return grownMb > (target.maxGrownMb ?? maxGrownMb)
}

/** A target's `tryAll` from what tries one input. What took long is tried once more: others use this computer too. */
export function oneByOne<I>(tryOne: (input: I) => Promise<void> | void): OpenTarget<I>['tryAll'] {
  return async (inputs, tried) => {
    for (const input of inputs) {
      const ms = await timed(() => tryOne(input))
      tried.done(ms > hangMs ? Math.min(ms, await timed(() => tryOne(input))) : ms)
    }
  }
}

async function timed(work: () => Promise<void> | void): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

export function lineOf({ name, inputs, crashes, hangs, slowestMs, grownMb, seed }: Figures): string {
  return `fuzz ${name}: ${inputs} inputs, ${crashes} crashes, ${hangs} hangs, slowest ${Math.round(slowestMs)} ms, memory ${grownMb >= 0 ? '+' : ''}${grownMb} MB, seed ${seed}`
}

/** Writes a failing input down; returns what to say about it. */
export function keep(name: string, seed: number, index: number, input: unknown, error: unknown): string {
  mkdirSync(keptIn, { recursive: true })
  const path = join(keptIn, `${name}-${seed}-${index}`)
  const why = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const again = `npm run fuzz -- --only ${name} --seed ${seed} --from ${index} --inputs 1`
  writeFileSync(`${path}.txt`, `${again}\n\n${why}\n\n${shown(input)}\n`)
  const bytes = bytesIn(input)
  if (bytes !== null) writeFileSync(`${path}.bin`, bytes)
  return `${name} input ${index}: ${why.split('\n').slice(0, 4).join(' | ')}\n  again: ${again}`
}

function shown(input: unknown): string {
  return (
    JSON.stringify(
      input,
      (_, value: unknown) => (bytesIn(value) === null ? value : '(bytes, in the .bin beside)'),
      1,
    ) ?? String(input)
  )
}

function bytesIn(input: unknown): Uint8Array | null {
  if (input instanceof Uint8Array) return input
  if (typeof input !== 'object' || input === null) return null
  return Object.values(input).find((value): value is Uint8Array => value instanceof Uint8Array) ?? null
}

function residentMb(): number {
  globalThis.gc?.()
  return process.memoryUsage().rss / 1024 / 1024
}

/**
 * Seeds changed at a few places: bits, bytes, numbers at their limits, pieces cut out, doubled, moved, or of another
 * seed.
 */
export function mutated(random: Random, seeds: readonly Uint8Array[]): Buffer {
  let bytes: Buffer = Buffer.from(random.pick(seeds))
  for (let change = 1 + random.below(6); change > 0; change -= 1) bytes = changed(random, bytes, seeds)
  return bytes
}

const limits = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0xffffffff]

function changed(random: Random, bytes: Buffer, seeds: readonly Uint8Array[]): Buffer {
  if (bytes.length === 0) return Buffer.from([random.below(256)])
  const at = random.below(bytes.length)
  const end = Math.min(bytes.length, at + 1 + random.below(random.oneIn(4) ? bytes.length : 16))
  const copy = Buffer.from(bytes)
  switch (random.below(9)) {
    case 0:
      copy[at]! ^= 1 << random.below(8)
      return copy
    case 1:
      copy[at] = random.below(256)
      return copy
    case 2:
      for (let index = at, number = random.pick(limits); index < Math.min(end, at + 4); index += 1, number >>>= 8)
        copy[index] = number & 0xff
      return copy
    case 3:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(end)])
    case 4:
      return Buffer.concat([bytes.subarray(0, end), bytes.subarray(at, end), bytes.subarray(end)])
    case 5:
      return bytes.subarray(0, at)
    case 6: {
      const other = random.pick(seeds)
      const start = random.below(other.length + 1)
      return Buffer.concat([
        bytes.subarray(0, at),
        other.subarray(start, start + random.below(64)),
        bytes.subarray(end),
      ])
    }
    case 7:
      // A number written in digits, as PDF and XML have them.
      return Buffer.from(
        bytes
          .toString('latin1')
          .replace(/\d+/g, (digits, offset: number) =>
            Math.abs(offset - at) < 40 && random.oneIn(3)
              ? random.pick(['0', '-1', '65536', '2147483648', '9'.repeat(20), '1e308', ''])
              : digits,
          ),
        'latin1',
      )
    default:
      return Buffer.concat([
        bytes.subarray(0, at),
        Buffer.from(random.pick(['\0', '"', '<', '>>', '&', '\\', '%', ']', '{', '\u202e', '\ud800', '\n'.repeat(50)])),
        bytes.subarray(at),
      ])
  }
}

/** Throws unless it is one of the codes that a person has a sentence for, and an expected one. */
export function expectKnownCode(code: unknown, allowed?: readonly string[]): void {
  if (typeof code !== 'string' || !isErrorCode(code) || code === 'internal')
    throw new Broken(`the error code is ${String(code)}`)
  if (allowed !== undefined && !allowed.includes(code))
    throw new Broken(`the error code ${code} is not one of ${allowed.join(', ')}`)
}

export function hold(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Broken(what)
}
