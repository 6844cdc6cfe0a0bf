import { AppError, toAppError } from '../../../shared/errors.ts'
import type { Handlers, HandlerContext } from './types.ts'

type ModelCalls = Extract<keyof Handlers, `models.${string}`>

/** The models of a connection, and the model server behind those of this computer. */
export function modelHandlers({ tables, connections, emit }: HandlerContext): Pick<Handlers, ModelCalls> {
  return {
    'models.list': async ({ connectionId }) => {
      try {
        if (tables.connections.get(connectionId)?.kind === 'local') return { models: await servedHere(connections), problem: null }
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

/** The service on this computer lists both aliases always; who chooses one wants those that answer. Throws `no_model_server` for none. */
async function servedHere(connections: HandlerContext['connections']): Promise<string[]> {
  const control = await connections.control()
  const { baseUrl, large, small } = await control('models.get', {})
  const served = [...(large === null ? [] : ['svc-large']), ...(small === null ? [] : ['svc-small'])]
  if (baseUrl === null || served.length === 0) throw new AppError('no_model_server')
  return served
}
