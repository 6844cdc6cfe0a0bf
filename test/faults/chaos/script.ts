import { setTimeout as wait } from 'node:timers/promises'
import { goodAnswer, startScriptedVendor, webhookBody } from '../harness/scripted-vendor.ts'
import type { Order, Reply, ScriptedVendor } from '../harness/scripted-vendor.ts'
import { seeded, seedOf } from '../harness/seeded.ts'
import type { Seeded } from '../harness/seeded.ts'

/** Shares of all requests; what is left is answered as the interface says. */
const shares = { error: 0.1, refusal: 0.1, reset: 0.05, hang: 0.02, duplicate: 0.05, early: 0.02, brokenWebhook: 0.05 }

export type ChaosVendor = ScriptedVendor & {
  /** Webhooks that are under way. */
  deliveries: () => number
  counts: Record<'errors' | 'refusals' | 'resets' | 'hangs' | 'duplicates' | 'early' | 'brokenWebhooks', number>
}

/** A vendor that fails in these shares. What it does with the n-th request follows from the seed. */
export async function startChaosVendor(seed: number, over: AbortSignal): Promise<ChaosVendor> {
  const counts: ChaosVendor['counts'] = {
    errors: 0,
    refusals: 0,
    resets: 0,
    hangs: 0,
    duplicates: 0,
    early: 0,
    brokenWebhooks: 0,
  }
  let deliveries = 0

  const callBack = async (order: Order, random: Seeded): Promise<void> => {
    deliveries += 1
    const body = webhookBody(order)
    if (random.chance(shares.brokenWebhook)) {
      counts.brokenWebhooks += 1
      await vendor.breakOff(order, body)
    }
    await vendor.deliver(order, body, 50, over)
    if (random.chance(shares.duplicate)) {
      counts.duplicates += 1
      for (let more = random.between(1, 3); more > 0; more -= 1) await vendor.deliver(order, body, 50, over)
    }
    deliveries -= 1
  }

  const whole = async (order: Order): Promise<Reply> => {
    const random = seeded(seedOf(seed, 'whole', order.number))
    const lot = random.share()
    const { error, refusal, reset, hang } = shares
    // Who lost the connection to a document, or answered nonsense, may have worked on it and call back all the same.
    const lost = (answer: Reply['answer']): Reply => {
      if (order.callback !== null && random.chance(0.5))
        void wait(random.between(0, 50)).then(() => callBack(order, random))
      return { bills: true, answer }
    }
    if (lot < error) {
      counts.errors += 1
      const status = random.pick([500, 502, 503, 504])
      const answer = { status, body: '{"status":"error","error":"Something went wrong"}' }
      return status === 503 ? { bills: false, answer } : lost(answer)
    }
    if (lot < error + refusal) {
      counts.refusals += 1
      const retryAfter = random.pick([
        null,
        null,
        null,
        null,
        null,
        null,
        '0',
        '0',
        '1',
        new Date(Date.now() + 1000).toUTCString(),
      ])
      return {
        bills: false,
        answer: {
          status: 429,
          body: '{"status":"error","error":"Too Many Requests"}',
          ...(retryAfter === null ? {} : { headers: { 'retry-after': retryAfter } }),
        },
      }
    }
    // A third of the resets; the others break the body.
    if (lot < error + refusal + reset / 3) {
      counts.resets += 1
      return lost('break')
    }
    if (lot < error + refusal + reset / 3 + hang) {
      counts.hangs += 1
      return lost('silence')
    }
    if (order.callback !== null) {
      if (random.chance(shares.early)) {
        counts.early += 1
        await callBack(order, random)
      } else void wait(random.between(0, 50)).then(() => callBack(order, random))
    }
    return { bills: true, answer: goodAnswer(order) }
  }

  const begin = ({ number, sizeBytes }: { number: number; sizeBytes: number }): number | null => {
    const random = seeded(seedOf(seed, 'begin', number))
    if (!random.chance((shares.reset * 2) / 3)) return null
    counts.resets += 1
    return random.chance(0.5) ? 0 : random.between(1, Math.max(1, sizeBytes - 1))
  }

  const vendor = await startScriptedVendor({ begin, whole })
  return { ...vendor, counts, deliveries: () => deliveries }
}
