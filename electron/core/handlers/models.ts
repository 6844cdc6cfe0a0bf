import { toAppError } from '../../../shared/domain/errors.ts'
import type { Handlers, HandlerContext } from './types.ts'

type ModelCalls = Extract<keyof Handlers, `models.${string}`>

/** The models of a connection, and the model server behind those of this computer. */
export function modelHandlers({
  connections,
  emit,
}: Pick<HandlerContext, 'connections' | 'emit'>): Pick<Handlers, ModelCalls> {
  return {
    'models.list': async ({ connectionId }) => {
      try {
        const route = await connections.routeTo(connectionId)
        return { models: await route.models.list(), problem: null }
      } catch (error) {
        const { code, details } = toAppError(error)
        return { models: [], problem: { code, details } }
      }
    },
    'models.server': async () => {
      const control = await connections.control()
      return control('models.get', {})
    },
    'models.saveServer': async (server) => {
      const control = await connections.control()
      const saved = await control('models.save', server)
      // What this computer's models are is part of what the window knows of its connection.
      emit('connections.changed', {})
      return saved
    },
    'models.discover': async (server) => {
      const control = await connections.control()
      return control('models.discover', server)
    },
  }
}
