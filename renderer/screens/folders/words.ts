import type { Reach } from '../../../shared/contract-folders.ts'
import { patternsText } from '../../../shared/file-patterns.ts'
import type { FilePatterns } from '../../../shared/file-patterns.ts'
import type { Afterwards, ExtractionMode } from '../../../shared/job.ts'
import type { MessageId, Translate } from '../../messages/language.tsx'

export const modeWords: Record<ExtractionMode, { label: MessageId; detail: MessageId }> = {
  auto: { label: 'mode.auto', detail: 'mode.autoDetail' },
  sync: { label: 'mode.sync', detail: 'mode.syncDetail' },
  async: { label: 'mode.async', detail: 'mode.asyncDetail' },
}

export const afterwardsWords: Record<Afterwards, { label: MessageId; detail: MessageId; short: MessageId }> = {
  stay: { label: 'afterwards.stay', detail: 'afterwards.stayDetail', short: 'afterwards.stay' },
  move: { label: 'afterwards.move', detail: 'afterwards.moveDetail', short: 'afterwards.moved' },
}

/** Why a folder cannot be read and what to do; null where it can. */
export const reachWords: Record<Reach, MessageId | null> = {
  there: null,
  missing: 'folders.reachMissing',
  refused: 'folders.reachRefused',
  silent: 'folders.reachSilent',
  failed: 'folders.reachFailed',
}

/** Which names a folder takes, in words, a line for each list. Pure. */
export function namesLines({ include, exclude }: FilePatterns, t: Translate): string[] {
  if (include.length === 0 && exclude.length === 0) return [t('folders.everyName')]
  return [
    ...(include.length === 0 ? [] : [t('folders.namesOnly', { include: patternsText(include) })]),
    ...(exclude.length === 0 ? [] : [t('folders.namesWithout', { exclude: patternsText(exclude) })]),
  ]
}
