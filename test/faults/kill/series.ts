import { seedOf } from '../harness/seeded.ts'
import { killOnce } from './one-run.ts'
import type { KillRun } from './one-run.ts'
import type { Mode } from './points.ts'

export type Planned = { point: string; mode: Mode; seed: number }

/** What is wrong with a run, in words; empty when everything holds. */
export function findingsOf({ verdict, problems }: KillRun): string[] {
  return [
    ...problems,
    ...verdict.lost.map((what) => `lost: ${what}`),
    ...verdict.duplicates.map((what) => `paid twice: ${what}`),
    ...(verdict.integrity === 'ok' ? [] : [`integrity: ${verdict.integrity}`]),
  ]
}

/** So many runs of each point and mode, each with a seed of its own. */
export function planned(points: readonly string[], modes: readonly Mode[], times: number, series: number): Planned[] {
  return points.flatMap((point) =>
    modes.flatMap((mode) =>
      Array.from({ length: times }, (_, index) => ({ point, mode, seed: seedOf(series, point, mode, index) })),
    ),
  )
}

/** Carries runs out, some at once, and tells each as it ends. */
export async function carryOut(runs: readonly Planned[], atOnce: number, ended: (run: KillRun) => void): Promise<void> {
  const left = [...runs]
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift())
      ended(await killOnce(next.point, next.mode, next.seed))
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}
