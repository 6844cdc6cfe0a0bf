import { QueryObserver } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'
import { followEvents } from '../../../renderer/client/events.ts'
import { callKey, newQueryClient } from '../../../renderer/client/queries.ts'
import type { Bridge } from '../../../shared/contract/contract.ts'
import { until } from '../../helpers/core.ts'

/** A window whose settings were looked at while nothing was awaited; `tell` is an event of core. */
async function lookedAtBefore() {
  let tell: Parameters<Bridge['onEvent']>[0] = () => undefined
  const bridge: Pick<Bridge, 'onEvent'> = {
    onEvent(listener) {
      tell = listener
      return () => undefined
    },
  }
  const queryClient = newQueryClient()
  const stop = followEvents(bridge as Bridge, queryClient)
  const core = { awaited: 0, asked: 0 }
  const query = {
    queryKey: callKey('callbacks.get', {}),
    queryFn: async () => {
      core.asked += 1
      return { awaited: core.awaited }
    },
  }
  const shown = (): number | undefined => queryClient.getQueryData<{ awaited: number }>(query.queryKey)?.awaited
  const isStale = (): boolean => queryClient.getQueryState(query.queryKey)?.isInvalidated === true
  await queryClient.fetchQuery(query)
  return {
    core,
    shown,
    isStale,
    stop,
    tell: (...given: Parameters<typeof tell>) => tell(...given),
    open: () => new QueryObserver(queryClient, query).subscribe(() => undefined),
  }
}

describe('the warning before a pairing is ended', () => {
  it('counts documents that were accepted while the settings were open', async () => {
    const { core, shown, stop, tell, open } = await lookedAtBefore()
    const close = open()
    core.awaited = 3
    for (const id of [1, 2, 3]) tell('document.changed', { id, status: 'waiting' })
    await until(() => shown() === 3, 'the new number')
    expect(core.asked).toBe(2)
    close()
    stop()
  })

  it('counts documents that were accepted since the settings were left, and asks for nothing before they are opened', async () => {
    const { core, shown, isStale, stop, tell, open } = await lookedAtBefore()
    open()()
    core.awaited = 1
    tell('document.changed', { id: 1, status: 'waiting' })
    await until(isStale, 'the number to be out of date')
    expect(core.asked).toBe(1)
    const close = open()
    await until(() => shown() === 1, 'the new number')
    expect(core.asked).toBe(2)
    close()
    stop()
  })
})
