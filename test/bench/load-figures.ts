import { proxyCalls } from './load-calls.ts'
import type { Call, StoredDocument } from './load-calls.ts'

export type Sample = { seconds: number; rssMb: number }

/** A rise over the last two thirds of the load that counts as growth, in parts of what was there. */
const allowedRise = 0.1

/** Counts by status and times, by kind of call. */
export function figuresOf(calls: readonly Call[], clients: number, seconds: number): string[] {
  const kinds = [...new Set(calls.map(({ name }) => name))].sort()
  const rows = kinds.map((kind) => {
    const those = calls.filter(({ name }) => name === kind)
    const times = those.map(({ sentMs, endedMs }) => endedMs - sentMs).sort((a, b) => a - b)
    const at = (share: number): string =>
      `${Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))]!)} ms`
    return `${kind.padEnd(16)} ${countsOf(those).padEnd(70)} median ${at(0.5)}, 95 % ${at(0.95)}, longest ${at(1)}`
  })
  return [
    `${clients} clients at once for ${seconds.toFixed(0)} s: ${calls.length} calls, ${Math.round(calls.length / seconds)} a second`,
    ...rows,
    `all: ${countsOf(calls)}`,
  ]
}

function countsOf(calls: readonly Call[]): string {
  const counts = new Map<string, number>()
  for (const { status, code } of calls) {
    const key = status === 429 ? `429 ${code}` : String(status)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return [...counts]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([key, count]) => `${key}: ${count}`)
    .join(', ')
}

/** Answers that are not what the call had to get; every 5xx and every lost connection is one of them. */
export function checkCalls(calls: readonly Call[]): string[] {
  return calls.filter(({ wrong }) => wrong !== '').map(({ name, wrong }) => `${name}: ${wrong}`)
}

/** Every accepted document has one webhook, with its own identifier and the number of its own document. */
export function checkDocuments(documents: readonly StoredDocument[]): string[] {
  return documents.flatMap(({ extractId, number, calls }) => {
    if (calls.length !== 1) return [`a document had ${calls.length} webhooks`]
    const { body } = calls[0]!
    const data = body['data'] as Record<string, unknown> | undefined
    return body['extract_id'] === extractId && data?.['Invoice number'] === number
      ? []
      : [`a webhook was not that of its document: ${JSON.stringify(body).slice(0, 200)}`]
  })
}

/**
 * The rate of one organization, to the request: a request was counted at some moment between its sending and its
 * answer, so what is told as wrong cannot have been right at any of these moments.
 */
export function checkRate(
  calls: readonly Call[],
  limit: number,
  windowMs: number,
): { first: number; later: number; problems: string[] } {
  const asked = calls.filter(({ name, status }) => proxyCalls.has(name) && status > 0)
  const refused = asked.filter(({ code }) => code === 'rate_limit_exceeded')
  const accepted = asked.filter(({ code }) => code !== 'rate_limit_exceeded').sort((a, b) => a.endedMs - b.endedMs)
  const problems: string[] = []
  for (let index = 0; index + limit < accepted.length; index++) {
    const group = accepted.slice(index, index + limit + 1)
    if (group.at(-1)!.endedMs - Math.min(...group.map(({ sentMs }) => sentMs)) < windowMs)
      problems.push(`more than ${limit} requests were let through in ${windowMs / 1000} s`)
  }
  for (const { sentMs, endedMs } of refused) {
    const before = accepted.filter((call) => call.endedMs > sentMs - windowMs && call.sentMs < endedMs).length
    if (before < limit) problems.push(`a request was refused after ${before} in ${windowMs / 1000} s`)
  }
  const began = Math.min(...asked.map(({ sentMs }) => sentMs))
  const first = accepted.filter(({ endedMs }) => endedMs < began + windowMs).length
  const firstRefusals = refused.filter(({ endedMs }) => endedMs < began + windowMs)
  if (firstRefusals.length > 0 && first !== limit)
    problems.push(`${first} requests were let through in the first ${windowMs / 1000} s, not ${limit}`)
  if (refused.length === 0) problems.push('an organization never reached its limit, so nothing was shown')
  return { first, later: accepted.length - first, problems }
}

/** A generation may be refused only while `limit` others of its organization are under way, seen from the clients. */
export function checkGenerations(calls: readonly Call[], limit: number): string[] {
  const chats = calls.filter(({ name }) => name.startsWith('chat'))
  const running = chats.filter(({ status }) => status === 200)
  return chats
    .filter(({ code }) => code === 'concurrent_limit_exceeded')
    .map((refused) => running.filter((call) => call.sentMs < refused.endedMs && call.endedMs > refused.sentMs).length)
    .filter((count) => count < limit)
    .map((count) => `a generation was refused beside ${count} others`)
}

/** Memory of the service while it was under load: the line through the last two thirds, and the most. */
export function checkMemory(samples: readonly Sample[]): { text: string; problems: string[] } {
  const seconds = samples.at(-1)!.seconds
  const last = samples.filter((sample) => sample.seconds > seconds / 3)
  const meanX = mean(last.map((sample) => sample.seconds))
  const meanY = mean(last.map((sample) => sample.rssMb))
  const slope =
    sum(last.map((sample) => (sample.seconds - meanX) * (sample.rssMb - meanY))) /
    sum(last.map((sample) => (sample.seconds - meanX) ** 2))
  const riseMb = slope * ((seconds * 2) / 3)
  const mb = (value: number): string => `${value.toFixed(1)} MB`
  const every = samples.filter((_, index) => index % 10 === 0).map((sample) => Math.round(sample.rssMb))
  const text = `memory of the service: ${mb(Math.max(...samples.map(({ rssMb }) => rssMb)))} at most, ${mb(meanY)} on average in the last two thirds of ${samples.length} samples, ${slope.toFixed(2)} MB a second there (${mb(riseMb)} in all); every 10 s: ${every.join(' ')}`
  return {
    text,
    problems: riseMb <= allowedRise * meanY ? [] : [`memory grew by ${mb(riseMb)} in the last two thirds of the load`],
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const mean = (values: readonly number[]): number => sum(values) / values.length
