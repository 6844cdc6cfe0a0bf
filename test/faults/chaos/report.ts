import type { ChaosOutcome } from './chaos.ts'

/** What does not hold, in words; empty when everything does. */
export function findingsOf({ verdict, problems }: ChaosOutcome): string[] {
  return [
    ...problems,
    ...verdict.lost,
    ...verdict.duplicates,
    ...(verdict.integrity === 'ok' ? [] : [`integrity: ${verdict.integrity}`]),
  ]
}

/** The one line of figures. */
export function lineOf(
  outcome: ChaosOutcome,
  { documents, seed }: { documents: number; seed: number },
  seconds: number,
): string {
  const { verdict, billable, neverWorkedOn, restarts, rounds, peakRssMb, counts } = outcome
  return [
    `chaos: ${documents} documents, ${billable} billable = ${documents} files + ${verdict.approvedResends} approved resends - ${neverWorkedOn} of them of requests that were never worked on`,
    `${verdict.lost.length} lost, ${verdict.duplicates.length} unknown duplicates, integrity ${verdict.integrity}`,
    `${counts.errors} 5xx, ${counts.refusals} 429, ${counts.resets} resets, ${counts.hangs} hangs, ${counts.duplicates} duplicate, ${counts.early} early and ${counts.brokenWebhooks} broken webhooks`,
    `${restarts} restarts, ${rounds} rounds of approval, ${peakRssMb} MB, ${Math.round(seconds)} s, seed ${seed}`,
  ].join('; ')
}
