import { AppError } from '../../../shared/domain/errors.ts'
import type { UpdateState } from '../../../shared/contract/updates.ts'
import type { Handlers, HandlerContext } from './types.ts'

type UpdateCalls = Extract<keyof Handlers, `updates.${string}`>

export function updateHandlers({
  desktop,
  queue,
}: Pick<HandlerContext, 'desktop' | 'queue'>): Pick<Handlers, UpdateCalls> {
  const state = (): { state: UpdateState | null } => ({ state: desktop?.updates?.state() ?? null })
  return {
    'updates.get': async () => state(),
    'updates.check': async () => {
      void desktop?.updates?.check()
      return state()
    },
    'updates.install': async () => {
      if (queue.busy) throw new AppError('batch_running')
      await desktop?.updates?.installNow()
      return {}
    },
  }
}
