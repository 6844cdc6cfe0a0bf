import type { Handlers, HandlerContext } from './types.ts'

type CallbackCalls = Extract<keyof Handlers, `callbacks.${string}`>

export function callbackHandlers({ callbacks }: Pick<HandlerContext, 'callbacks'>): Pick<Handlers, CallbackCalls> {
  return {
    'callbacks.get': async () => callbacks.state(),
    'callbacks.save': async (input) => {
      await callbacks.save(input)
      return callbacks.state()
    },
    'callbacks.test': async () => {
      await callbacks.test()
      return callbacks.state()
    },
    'callbacks.pair': async ({ code }) => {
      await callbacks.pair(code)
      return callbacks.state()
    },
    'callbacks.unpair': async (how) => {
      await callbacks.unpair(how)
      return callbacks.state()
    },
  }
}
