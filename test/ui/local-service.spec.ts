import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator } from '@playwright/test'
import { pdfBytes } from '../helpers/core.ts'
import { forNight } from '../helpers/scale.ts'
import { changeAnswers } from './answers.ts'
import { callCore, complaintsOf, expect, folderWith, openScreen, startHost, test } from './host.ts'
import { contextOf, expectAccessible, expectFitting, looks, picture } from './pictures.ts'

const offSentence = 'This computer’s service is off. Documents wait until you switch it on in the settings.'

test('this computer’s service is switched off and on in the settings, and what waits says why', async ({
  browser,
  host,
}) => {
  const page = await host.open(browser)
  const complaints = complaintsOf(page)
  const go = (hash: string): Promise<void> => openScreen(page, host, hash)
  await callCore(page, 'settings.update', { firstRunDone: true })
  const { id: schemaId } = await callCore(page, 'schemas.save', {
    id: null,
    name: 'Invoice',
    elements: [{ name: 'invoice_number', format: 'text', description: 'Number of the invoice' }],
  })
  const local = (await callCore(page, 'connections.list', {})).connections[0]!
  const path = folderWith(host, 'Invoices', ['INV-20418.pdf', 'RG-00731 Alpenküche.pdf'])
  // So that it is certain what is open when the switch is pressed.
  await callCore(page, 'queue.pause', {})
  await callCore(page, 'folders.add', { path, schemaId, connectionId: local.id })

  await go('#/settings')
  const panel = page.getByRole('region', { name: 'This computer’s service' })
  const power = panel.getByRole('switch', { name: 'Runs when it is needed' })
  await expect(power).toBeChecked()
  await expect.poll(async () => (await callCore(page, 'app.state', {})).counts.queued).toBe(2)
  await expect(async () => {
    await power.press('Space')
    await expect(page.getByRole('alertdialog')).toContainText('2 documents wait until it is on again.', {
      timeout: 1000,
    })
  }).toPass()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(power).toBeChecked()
  await power.press('Space')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Switch off' }).click()
  await expect(power).not.toBeChecked()
  await expect(panel).toContainText('2 documents wait until it is on again.')
  await expect(page.getByRole('list', { name: 'Connections' })).toContainText('Off')
  await page.getByRole('button', { name: 'Resume' }).click()

  const toSettings = page.getByRole('contentinfo').getByRole('link', { name: 'This computer’s service is off' })
  await go('#/documents')
  await expect(page.getByRole('grid').getByText(offSentence)).toHaveCount(2)
  await go('#/folders')
  const card = page.getByRole('listitem', { name: 'Invoices' })
  await expect(card).toContainText(offSentence)
  await page.locator('.page-head').getByRole('button', { name: 'Add folder' }).click()
  await expect(page.getByRole('dialog')).toContainText(offSentence)
  await page.keyboard.press('Escape')
  await toSettings.click()
  await expect(power).not.toBeChecked()

  await go('#/folders')
  await card.getByRole('button', { name: 'Switch on' }).click()
  await expect(card).not.toContainText(offSentence)
  await expect(toSettings).toHaveCount(0)
  await expect.poll(async () => (await callCore(page, 'app.state', {})).counts.done, { timeout: 60_000 }).toBe(2)
  expect(complaints).toEqual([])
  await page.close()
})

test(
  'the languages of pictures and scans are chosen by boxes, at least one, and stay over a restart',
  forNight,
  async ({ browser }) => {
    const first = await startHost()
    let page = await first.open(browser)
    await callCore(page, 'settings.update', { firstRunDone: true })
    const boxes = (): Locator =>
      page.getByRole('group', { name: 'Languages of pictures and scans' }).getByRole('checkbox')
    const of = (name: string): Locator => page.getByRole('checkbox', { name, exact: true })
    await page.goto(`${first.url}#/settings`)
    await expect(boxes()).toHaveCount(4)
    // One after another, without waiting for what core says of each.
    for (const name of ['German', 'French', 'Spanish']) {
      await expect(of(name)).toBeChecked()
      await of(name).press('Space')
    }
    await expect(of('English')).toBeChecked()
    await expect(of('English')).toBeDisabled()
    await expect.poll(async () => (await callCore(page, 'app.state', {})).settings.readingLanguages).toEqual(['eng'])
    await page.close()
    await first.stop({ keepHome: true })

    const again = await startHost(first.home)
    page = await again.open(browser)
    await page.goto(`${again.url}#/settings`)
    await expect(of('English')).toBeChecked()
    await expect(of('German')).not.toBeChecked()
    await of('German').press('Space')
    await expect(of('English')).toBeEnabled()
    await expect
      .poll(async () => (await callCore(page, 'app.state', {})).settings.readingLanguages)
      .toEqual(['deu', 'eng'])
    await page.close()
    await again.stop()
  },
)

test(
  'a language that was just taken away stays so when a state asked for before that arrives after it',
  forNight,
  async ({ browser }) => {
    const host = await startHost()
    const page = await host.open(browser)
    await callCore(page, 'settings.update', { firstRunDone: true })
    const asked = Promise.withResolvers<void>()
    const late = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<void>()
    let isNext = false
    await changeAnswers(page, () => ({
      'app.state': async (answer) => {
        if (!isNext) return answer
        isNext = false
        asked.resolve()
        await late.promise
        arrived.resolve()
        return answer
      },
    }))
    await page.reload()
    await openScreen(page, host, '#/settings')
    const of = (name: string): Locator => page.getByRole('checkbox', { name, exact: true })
    await expect(of('German')).toBeChecked()
    // An event makes the window ask for the state, and the answer takes its time.
    isNext = true
    await callCore(page, 'settings.update', { notifyWhenDone: true })
    await asked.promise
    await of('German').press('Space')
    const languages = async (): Promise<unknown> => (await callCore(page, 'app.state', {})).settings.readingLanguages
    await expect.poll(languages).toEqual(['fra', 'eng', 'spa'])
    late.resolve()
    await arrived.promise
    await of('French').press('Space')
    await expect.poll(languages).toEqual(['eng', 'spa'])
    await expect(of('German')).not.toBeChecked()
    await page.close()
    await host.stop()
  },
)

test(
  'the settings and the folders are usable while it is off, in light and dark',
  forNight,
  async ({ browser, host }) => {
    const page = await host.open(browser)
    await callCore(page, 'settings.update', { firstRunDone: true, localService: false, readingLanguages: ['eng'] })
    const { id: schemaId } = await callCore(page, 'schemas.save', {
      id: null,
      name: 'Invoice',
      elements: [{ name: 'invoice_number', format: 'text', description: 'Number of the invoice' }],
    })
    const path = folderWith(host, 'Invoices', ['INV-20418.pdf'])
    writeFileSync(join(path, 'Invoice 2.pdf'), pdfBytes('Invoice 2.pdf'))
    await callCore(page, 'folders.add', {
      path,
      schemaId,
      connectionId: (await callCore(page, 'connections.list', {})).connections[0]!.id,
    })
    await expect.poll(async () => (await callCore(page, 'app.state', {})).counts.queued).toBe(2)
    await page.close()
    for (const look of looks) {
      const looking = await host.open(browser, contextOf(look))
      const complaints = complaintsOf(looking)
      for (const [name, hash, shown] of [
        ['settings-service-off', '#/settings', '.switch'],
        ['folders-service-off', '#/folders', '.folder-card .callout'],
      ] as const) {
        await openScreen(looking, host, hash)
        await expect(looking.locator(shown).first()).toBeVisible()
        await picture(looking, name, look)
        await expectFitting(looking)
        await expectAccessible(looking)
      }
      expect(complaints).toEqual([])
      await looking.close()
    }
  },
)
