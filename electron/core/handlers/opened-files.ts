import { requireKnown } from './lookups.ts'
import type { Handlers, HandlerContext } from './types.ts'

type OpenedFileCalls = Extract<keyof Handlers, `openedFiles.${string}`>

export function openedFileHandlers(
  context: Pick<HandlerContext, 'tables' | 'openedFiles'>,
): Pick<Handlers, OpenedFileCalls> {
  const { openedFiles } = context
  return {
    'openedFiles.list': async () => ({ files: await openedFiles.list() }),
    'openedFiles.take': async (target) => {
      requireKnown(context, target)
      return openedFiles.take(target)
    },
    'openedFiles.dismiss': async () => {
      openedFiles.dismiss()
      return {}
    },
  }
}
