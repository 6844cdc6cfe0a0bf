import type { AppState } from '../../shared/contract/contract.ts'

/** What Sheaf is doing, as far as it is shown outside of the window. */
export type Activity = {
  /** Of the batch that runs now; null when nothing does. */
  progress: { settled: number; total: number } | null
  isPaused: boolean
  /** Nothing is sent, since nothing can be stored. */
  isStorageTrouble: boolean
  /** Names of connections that stopped by themselves; null: the one to this computer. */
  stopped: (string | null)[]
  /** Documents that need a look. */
  attention: number
}

/** What outside of the window is shown of the state. Pure. */
export function activityOf({ progress, paused, storageTrouble, connections, counts }: AppState): Activity {
  return {
    progress: progress === null ? null : { settled: progress.settled, total: progress.total },
    isPaused: paused,
    isStorageTrouble: storageTrouble !== null,
    // What a person switched off has not stopped.
    stopped: connections
      .filter(({ pausedReason }) => pausedReason !== null && pausedReason.code !== 'service_off')
      .map(({ kind, name }) => (kind === 'local' ? null : name)),
    attention: (counts.failed ?? 0) + (counts.unknown ?? 0) + (counts.flagged ?? 0),
  }
}

/** Something that happened, worth a notification of the system. */
export type Notice =
  | { kind: 'done'; documents: number; attention: number }
  | { kind: 'stopped'; connection: string | null }
  | { kind: 'storage' }

/** What happened between two looks: the most important one, since only one is shown. Pure. */
export function noticeBetween(before: Activity, now: Activity): Notice | null {
  if (now.isStorageTrouble && !before.isStorageTrouble) return { kind: 'storage' }
  const connection = now.stopped.find((name) => !before.stopped.includes(name))
  if (connection !== undefined) return { kind: 'stopped', connection }
  if (before.progress !== null && now.progress === null)
    return { kind: 'done', documents: before.progress.total, attention: now.attention }
  return null
}

/** The share of the batch (0..1) and how it is going, for the taskbar and the dock; null: no batch. Pure. */
export function taskbarProgress(activity: Activity): { share: number; mode: 'normal' | 'paused' | 'error' } | null {
  const { progress, isPaused, isStorageTrouble, stopped } = activity
  if (progress === null) return null
  return {
    share: progress.settled / Math.max(progress.total, 1),
    mode: isStorageTrouble || stopped.length > 0 ? 'error' : isPaused ? 'paused' : 'normal',
  }
}
