import { QueryObserver } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'
import { windowName } from '../../../renderer/client/client.ts'
import { followEvents } from '../../../renderer/client/events.ts'
import { callKey, newQueryClient } from '../../../renderer/client/queries.ts'
import type { Bridge } from '../../../shared/contract/contract.ts'
import { until } from '../../helpers/core.ts'

type Tell = Parameters<Bridge['onEvent']>[0]

/** A window that shows the document 1; `asked` are the calls about it, without the first of each. */
async function showingOne() {
  const heard: { tell: Tell } = { tell: () => undefined }
  const queryClient = newQueryClient()
  const stop = followEvents(
    { onEvent: (listener: Tell) => ((heard.tell = listener), () => undefined) } as unknown as Bridge,
    queryClient,
  )
  const asked: string[] = []
  for (const name of ['documents.get', 'documents.file', 'documents.sources'] as const) {
    const query = { queryKey: callKey(name, { id: 1 }), queryFn: async () => (asked.push(name), null) }
    await queryClient.fetchQuery(query)
    new QueryObserver(queryClient, query).subscribe(() => undefined)
  }
  asked.length = 0
  return { asked, stop, tell: (...given: Parameters<Tell>) => heard.tell(...given) }
}

describe('the document on the screen', () => {
  it('is asked for again when it changed, and not when others did', async () => {
    const { asked, stop, tell } = await showingOne()
    tell('document.changed', { id: 2, status: 'done' })
    tell('document.changed', { id: 1, status: 'done' })
    await until(() => asked.length === 3, 'the document', 5000)
    tell('document.changed', { id: 2, status: 'done' })
    tell('document.changed', { id: 3, status: 'done' })
    tell('document.changed', { id: 1, status: 'done' })
    await until(() => asked.length > 3, 'the document once more', 5000)
    expect(asked).toEqual([
      'documents.get',
      'documents.file',
      'documents.sources',
      'documents.get',
      'documents.file',
      'documents.sources',
    ])
    stop()
  })

  it('is not asked for again when this window itself corrected it, but when another one did', async () => {
    const { asked, stop, tell } = await showingOne()
    tell('document.changed', { id: 1, status: 'done', by: windowName })
    tell('folders.changed', {})
    await until(() => asked.length > 0, 'what the folder brought', 5000)
    expect(asked).toEqual(['documents.file', 'documents.sources'])
    tell('document.changed', { id: 1, status: 'done', by: 'another window' })
    await until(() => asked.includes('documents.get'), 'the document', 5000)
    stop()
  })

  it('has its file looked for when a folder is back, although others changed in the same moment', async () => {
    const { asked, stop, tell } = await showingOne()
    tell('document.changed', { id: 2, status: 'done' })
    tell('folders.changed', {})
    tell('document.changed', { id: 3, status: 'done' })
    await until(() => asked.length > 0, 'the file', 5000)
    expect(asked).toEqual(['documents.file', 'documents.sources'])
    stop()
  })
})
