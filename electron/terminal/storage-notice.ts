import { sentenceFor } from '../../shared/messages/sentences.ts'
import type { Core } from '../core/core.ts'

/** Says in a terminal, once each time, why nothing is sent where nothing can be stored. */
export function sayStorageTrouble(
  { queue, onEvent }: Pick<Core, 'queue' | 'onEvent'>,
  say: (sentence: string) => void,
): void {
  let said = queue.storageTrouble
  onEvent(() => {
    const trouble = queue.storageTrouble
    if (trouble === said) return
    said = trouble
    if (trouble !== null) say(sentenceFor(`storage_${trouble}`, {}, 'en'))
  })
}
