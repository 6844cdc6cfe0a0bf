import type { UpdateState } from '../../shared/contract/updates.ts'
import { changeAnswers } from './answers.ts'
import { callCore, expect, test } from './host.ts'
import { contextOf, expectAccessible, expectFitting, picture, screenLooks, titleOf } from './pictures.ts'

for (const look of screenLooks) {
  test(`Updates (${titleOf(look)}) say how things stand, install nothing in a batch, and are not there without any`, async ({
    host,
    browser,
  }) => {
    const first = await host.open(browser, contextOf(look))
    await callCore(first, 'settings.update', { firstRunDone: true })
    const page = await first.context().newPage()
    let isBusy = true
    const current: { state: UpdateState | null } = { state: null }
    // The browser's host has no updates.
    await changeAnswers(page, () => ({
      'updates.get': () => current,
      'app.state': (state) => (isBusy ? { ...state, progress: { settled: 1, total: 2, msLeft: null } } : state),
    }))
    const panel = page
      .locator('section.panel')
      .filter({ has: page.locator('.switch') })
      .last()
    await page.goto(`${host.url}#/settings`)
    await expect(page.locator('section.panel').last()).toBeVisible()
    const panels = await page.locator('section.panel').count()

    const show = async (name: string, state: UpdateState): Promise<void> => {
      current.state = state
      await page.reload()
      await expect(page.locator('section.panel')).toHaveCount(panels + 1)
      await panel.scrollIntoViewIfNeeded()
      await picture(page, `updates-${name}`, look)
    }
    await show('ready', { kind: 'ready', version: '0.2.0' })
    await expect(panel.getByRole('button')).toBeDisabled()
    isBusy = false
    await show('refused', { kind: 'failed', code: 'signature' })
    await expect(panel.getByRole('button')).toBeEnabled()
    await expectFitting(page)
    await expectAccessible(page)
    await panel.locator('.switch').click()
    await expect.poll(async () => (await callCore(first, 'app.state', {})).settings.updates).toBe(false)
    await first.close()
    await page.close()
  })
}
