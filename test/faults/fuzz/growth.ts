import { hold, Broken } from './kit.ts'
import type { OpenTarget, Random, Target, Tried } from './kit.ts'
import { subjects } from './growth-subjects.ts'

/** A text is `before`, many times `piece`, and `after`. */
type Growth = { subject: string; before: string; piece: string; after: string }

/** What regular expressions and scanners look for, and what they look past. */
const pieces = [
  ...['1', '123 ', '1,', '1.', '1/', '12-', '1 000.', "1'000", '12.10.', '2026-01-', '1e', '12:', '100%', '€1 '],
  ...['a', 'A', 'ab ', 'A1', 'a1 ', 'é', 'Total ', 'Invoice no. ', 'Rechnung: ', 'a@', 'a.', 'a-', 'x: ', '☐ ', '☒ x '],
  ...[' ', '\t', '\n', ' \n', '\r\n', '\u00a0', '  a', '\0', '\u202e', '\ud800', '😀', 'e\u0301'],
  ...[
    '(',
    ')',
    '()',
    '[',
    ']',
    '[]',
    '{',
    '}',
    '{"a":',
    '[1,',
    '"',
    "'",
    '\\',
    '\\"',
    '""',
    '`',
    '<',
    '>',
    '<a>',
    '&amp;',
  ],
  ...[
    '-',
    '_',
    '=',
    '.',
    ',',
    ';',
    ':',
    '/',
    '//',
    '|',
    '*',
    '**',
    '#',
    '+',
    '%',
    '%20',
    '~',
    '- ',
    '=1+',
    'data: x\n\n',
  ],
]
const edges = ['', '', '', '1', 'a', 'Total: ', '(', '"', '[', '!', '\u0001', ' 1', 'x1', ',50', '@', '\n']

const smallest = 1000
const largest = 1_024_000
/** Below this a time is noise; a size that takes as long as the second one is the last that is tried. */
const measurableMs = 2
const enoughMs = 150
const judgedMs = 20
/** Of the logarithm of time against that of length: 1 is linear; sorting comes to 1.1, two is a square. */
const maxSlope = 1.2
const attempts = 3

function textOf({ before, piece, after }: Growth, length: number): string {
  return before + piece.repeat(Math.ceil(length / piece.length)) + after
}

/** The processor's time of one run, since others use this computer too. What throws has read as far as it wanted to. */
async function timeOf(run: (text: string) => unknown, text: string, runs = 1): Promise<number> {
  const before = process.threadCpuUsage()
  for (let left = runs; left > 0; left -= 1) {
    try {
      await run(text)
    } catch {}
  }
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000 / runs
}

async function leastTimeOf(run: (text: string) => unknown, text: string, runs = 1): Promise<number> {
  const first = await timeOf(run, text, runs)
  return first > enoughMs ? first : Math.min(first, await timeOf(run, text, runs), await timeOf(run, text, runs))
}

/** Linux tells a thread's time in steps of this, so that a short run is measured by many. */
const clockStepMs = 4
const exactMs = 10 * clockStepMs

/** How time grows with length between the last size and a quarter of it; null when all of it took no time. */
async function slopeOf(growth: Growth): Promise<{ slope: number; shown: string } | null> {
  const run = subjects[growth.subject]!
  const times: { length: number; ms: number }[] = []
  for (let length = smallest; length <= largest; length *= 2) {
    const ms = await leastTimeOf(run, textOf(growth, length))
    times.push({ length, ms })
    if (ms > enoughMs) break
  }
  const last = times.at(-1)!
  if (last.ms < judgedMs) return null
  const earlier = times.at(-3) ?? times[0]!
  const slopeBetween = (): number =>
    Math.log(last.ms / Math.max(earlier.ms, measurableMs)) / Math.log(last.length / earlier.length)
  if (slopeBetween() > maxSlope) {
    for (const size of [earlier, last]) {
      const runs = Math.ceil(exactMs / Math.max(size.ms, measurableMs))
      size.ms = await leastTimeOf(run, textOf(growth, size.length), runs)
    }
  }
  const slope = slopeBetween()
  const shown = times.map(({ length, ms }) => `${Math.round(length / 1000)} kB ${ms.toFixed(1)} ms`).join(', ')
  return { slope, shown }
}

function make(random: Random): Growth {
  const piece = Array.from({ length: 1 + random.below(3) }, () => random.pick(pieces)).join('')
  return {
    subject: random.pick(Object.keys(subjects)),
    before: random.pick(edges),
    piece: random.oneIn(2) ? random.pick(pieces) : piece,
    after: random.pick(edges),
  }
}

/** Once slow may be a collection of garbage; slow each time is the code. */
async function tryOne(growth: Growth): Promise<void> {
  let least: { slope: number; shown: string } | null = null
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const found = await slopeOf(growth)
    if (found === null || found.slope <= maxSlope) return
    if (least === null || found.slope < least.slope) least = found
  }
  hold(least !== null, 'nothing was measured')
  throw new Broken(`${growth.subject} grows with the power ${least.slope.toFixed(2)} of the length: ${least.shown}`)
}

/** Time against length, for all that reads texts of others: each must take as long as its text is, not its square. */
export const growth: Target<Growth> = {
  name: 'growth',
  // documents of a megabyte of text, one after another, leave a heap of a gigabyte
  maxGrownMb: 2000,
  open: async (): Promise<OpenTarget<Growth>> => ({
    make,
    async tryAll(inputs: readonly Growth[], tried: Tried) {
      for (const input of inputs) {
        await tryOne(input)
        // how long the longest text took says nothing here
        tried.done(0)
      }
    },
  }),
}
