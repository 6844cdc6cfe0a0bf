import type { Page } from '@playwright/test'
import type { CallName, CallOutput } from '../../shared/contract/contract.ts'

export type Changes = { [N in CallName]?: (answer: CallOutput<N>) => CallOutput<N> | Promise<CallOutput<N>> }

type Wire = { id?: number; name?: CallName; answer?: { ok: boolean; value?: unknown } }

/**
 * From the next load on the window hears these calls answered in another way than core did, or later, for states that
 * cannot be brought about here.
 */
export async function changeAnswers(page: Page, changes: () => Changes): Promise<void> {
  await page.routeWebSocket(/\/ws\?/, (socket) => {
    const server = socket.connectToServer()
    const names = new Map<number, CallName>()
    socket.onMessage((message) => {
      const { id, name } = JSON.parse(String(message)) as Wire
      if (id !== undefined && name !== undefined) names.set(id, name)
      server.send(message)
    })
    server.onMessage(async (message) => {
      const heard = JSON.parse(String(message)) as Wire
      const name = heard.id === undefined ? undefined : names.get(heard.id)
      const change = name === undefined ? undefined : (changes()[name] as ((answer: unknown) => unknown) | undefined)
      if (change && heard.answer?.ok === true) heard.answer.value = await change(heard.answer.value)
      socket.send(JSON.stringify(heard))
    })
  })
}
