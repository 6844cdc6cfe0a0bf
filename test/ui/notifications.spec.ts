import type { Page } from '@playwright/test'
import { forNight } from '../helpers/scale.ts'
import { callCore, complaintsOf, expect, folderWith, test } from './host.ts'

/** What was shown by the system, instead of showing it; and whether the window is in sight. */
async function listen(page: Page, permission: 'granted' | 'denied'): Promise<void> {
  await page.addInitScript((answer) => {
    const shown: string[] = []
    class Recorder {
      static permission = answer
      static requestPermission = (): Promise<string> => Promise.resolve(answer)
      onclick: (() => void) | null = null
      constructor(title: string, { body }: { body: string }) {
        shown.push(`${title}: ${body}`)
      }
      close(): void {}
    }
    Object.assign(window, { Notification: Recorder, shown, inSight: true })
    Object.defineProperty(document, 'hidden', { get: () => !(window as unknown as { inSight: boolean }).inSight })
  }, permission)
}

const shown = (page: Page): Promise<string[]> => page.evaluate(() => (window as unknown as { shown: string[] }).shown)
const setInSight = (page: Page, inSight: boolean): Promise<unknown> =>
  page.evaluate((value) => Object.assign(window, { inSight: value }), inSight)

/** Resolves when progress was shown and is no longer; it may be a moment only. */
const progressEnded = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        let wasShown = false
        new MutationObserver((_changes, observer) => {
          const isShown = document.querySelector('[role="progressbar"]') !== null
          if (wasShown && !isShown) {
            observer.disconnect()
            resolve()
          }
          wasShown ||= isShown
        }).observe(document.body, { childList: true, subtree: true, attributes: true })
      }),
  )

test(
  'the system says that a batch is done when that is wished and the window is not in sight',
  forNight,
  async ({ host, browser }) => {
    const first = await host.open(browser)
    const { templates } = await callCore(first, 'schemas.templates', { locale: 'en' })
    const { id: schemaId } = await callCore(first, 'schemas.save', {
      id: null,
      name: 'Invoice',
      elements: templates.find(({ key }) => key === 'invoice')?.elements,
    })
    await callCore(first, 'settings.update', { firstRunDone: true })
    const connectionId = (await callCore(first, 'connections.list', {})).connections[0]!.id
    const page = await first.context().newPage()
    const complaints = complaintsOf(page)
    await listen(page, 'granted')
    await page.goto(`${host.url}#/settings`)
    const wish = page.getByRole('checkbox', { name: 'Tell me when a batch is done' })
    await page.getByText('Tell me when a batch is done').click()
    await expect(wish).toBeChecked()
    expect((await callCore(first, 'app.state', {})).settings.notifyWhenDone).toBe(true)
    const batch = async (name: string, files: string[], inSight: boolean): Promise<void> => {
      await setInSight(page, inSight)
      const ended = progressEnded(page)
      await callCore(first, 'folders.add', { path: folderWith(host, name, files), schemaId, connectionId })
      await ended
    }
    await batch('Looked at', ['Credit Note CN-1022.docx'], true)
    expect(await shown(page)).toEqual([])
    await batch('Left alone', ['INV-20418.pdf', 'R2609-118.PDF'], false)
    await expect.poll(() => shown(page)).toEqual([expect.stringMatching(/^Sheaf is done: 2 documents are read\./)])
    expect(complaints).toEqual([])
    await first.close()
  },
)

test('a browser that does not allow it is not taken for one that does', async ({ host, browser }) => {
  const first = await host.open(browser)
  await callCore(first, 'settings.update', { firstRunDone: true })
  const page = await first.context().newPage()
  await listen(page, 'denied')
  await page.goto(`${host.url}#/settings`)
  await page.getByText('Tell me when a batch is done').click()
  await expect(page.getByText('Your browser does not allow it.')).toBeVisible()
  await expect(page.getByRole('checkbox', { name: 'Tell me when a batch is done' })).not.toBeChecked()
  expect((await callCore(first, 'app.state', {})).settings.notifyWhenDone).toBe(false)
  await first.close()
})
