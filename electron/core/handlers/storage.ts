import type { Handlers, HandlerContext } from './types.ts'

type StorageCalls = Extract<keyof Handlers, `storage.${string}`>

export function storageHandlers({
  storage,
  emit,
}: Pick<HandlerContext, 'storage' | 'emit'>): Pick<Handlers, StorageCalls> {
  return {
    'storage.get': async () => storage.state(),
    'storage.backUp': async () => {
      await storage.snapshot('manual')
      emit('storage.changed', {})
      return storage.state()
    },
    'storage.dismissRecovery': async () => {
      storage.dismissRecovery()
      emit('storage.changed', {})
      emit('app.changed', {})
      return {}
    },
  }
}
