import type { Reach } from '../../../shared/contract/folders.ts'
import { patternsText } from '../../../shared/domain/file-patterns.ts'
import type { FilePatterns } from '../../../shared/domain/file-patterns.ts'
import type { Afterwards, ExtractionMode } from '../../../shared/domain/document-status.ts'
import type { CutChoice } from '../../../shared/domain/sorting.ts'
import type { MessageId, Translate } from '../../messages/language.tsx'

/** What people call the modes of extraction, and what each means. */
export const modeLabels: Record<ExtractionMode, { label: MessageId; detail: MessageId }> = {
  auto: { label: 'mode.auto', detail: 'mode.autoDetail' },
  sync: { label: 'mode.sync', detail: 'mode.syncDetail' },
  async: { label: 'mode.async', detail: 'mode.asyncDetail' },
}

/** What becomes of originals: as a choice, and in short for a folder that has it. */
export const afterwardsLabels: Record<Afterwards, { label: MessageId; detail: MessageId; short: MessageId }> = {
  stay: { label: 'afterwards.stay', detail: 'afterwards.stayDetail', short: 'afterwards.stay' },
  move: { label: 'afterwards.move', detail: 'afterwards.moveDetail', short: 'afterwards.moved' },
}

/** What becomes of files that hold several documents: as a choice, and in short for a folder that has it. */
export const cutLabels: Record<CutChoice, { label: MessageId; detail: MessageId; short: MessageId | null }> = {
  never: { label: 'cuts.never', detail: 'cuts.neverDetail', short: null },
  ask: { label: 'cuts.ask', detail: 'cuts.askDetail', short: 'cuts.asked' },
  sure: { label: 'cuts.sure', detail: 'cuts.sureDetail', short: 'cuts.cut' },
}

/** What sorting does in a folder, as lines: none where it does nothing. Pure. */
export function sortingFacts(otherSchemas: readonly string[], cuts: CutChoice, t: Translate): string[] {
  const { short } = cutLabels[cuts]
  return [
    ...(otherSchemas.length === 0 ? [] : [t('kinds.also', { schemas: otherSchemas.join(', ') })]),
    ...(short === null ? [] : [t(short)]),
  ]
}

/** Why a folder cannot be read and what to do; null where it can. */
export const reachMessages: Record<Reach, MessageId | null> = {
  there: null,
  missing: 'folders.reachMissing',
  refused: 'folders.reachRefused',
  silent: 'folders.reachSilent',
  failed: 'folders.reachFailed',
}

/** Which file names a folder takes, as text, a line for each list of patterns. Pure. */
export function patternLines({ include, exclude }: FilePatterns, t: Translate): string[] {
  if (include.length === 0 && exclude.length === 0) return [t('folders.everyName')]
  return [
    ...(include.length === 0 ? [] : [t('folders.namesOnly', { include: patternsText(include) })]),
    ...(exclude.length === 0 ? [] : [t('folders.namesWithout', { exclude: patternsText(exclude) })]),
  ]
}
