import type { Page } from '@playwright/test'
import { forNight } from '../helpers/scale.ts'
import { callCore, complaintsOf, expect, folderWith, test } from './host.ts'
import { settled } from './office.ts'
import { contextOf, expectAccessible, expectFitting, looks, picture } from './pictures.ts'

const files = ['INV-20418.pdf', 'Rechnung 2026-0917 Hartmann.pdf', 'Credit Note CN-1022.docx']

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k')
  await expect(page.getByRole('dialog')).toBeVisible()
}
const item = (page: Page, name: string | RegExp): ReturnType<Page['getByRole']> => page.getByRole('menuitem', { name })
const focused = (page: Page): ReturnType<Page['locator']> => page.locator('.palette__item[data-focused]')

test(
  'the palette reaches screens, documents, folders, schemas and whatever the screen offers, by keyboard alone',
  forNight,
  async ({ host, browser }) => {
    const page = await host.open(browser)
    const complaints = complaintsOf(page)
    const { templates } = await callCore(page, 'schemas.templates', { locale: 'en' })
    const { id: schemaId } = await callCore(page, 'schemas.save', {
      id: null,
      name: 'Invoice',
      elements: templates.find(({ key }) => key === 'invoice')?.elements,
    })
    const connectionId = (await callCore(page, 'connections.list', {})).connections[0]?.id ?? 0
    await callCore(page, 'folders.add', { path: folderWith(host, 'Supplier invoices', files), schemaId, connectionId })
    await callCore(page, 'settings.update', { firstRunDone: true })
    await settled(page, files.length)
    await page.goto(`${host.url}#/documents`)
    await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', String(files.length + 1))

    await test.step('it opens with the focus in its field and gives it back', async () => {
      await page.getByRole('grid').focus()
      await openPalette(page)
      await expect(page.getByRole('searchbox').last()).toBeFocused()
      await expect(item(page, 'Settings')).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await expect(page.getByRole('grid')).toBeFocused()
    })

    await test.step('a screen', async () => {
      await openPalette(page)
      await page.keyboard.type('sett')
      await expect(focused(page)).toHaveText('Settings')
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/#\/settings$/)
      await expect(page.getByRole('dialog')).toHaveCount(0)
    })

    await test.step('a screen by what it is for', async () => {
      await openPalette(page)
      await page.keyboard.type('datev')
      await expect(focused(page)).toContainText('Export')
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/#\/exports$/)
      await expect(page.getByRole('dialog')).toHaveCount(0)
    })

    await test.step('something that is everywhere', async () => {
      await openPalette(page)
      await page.keyboard.type('pause')
      await expect(focused(page)).toContainText('Pause')
      await page.keyboard.press('Enter')
      await expect.poll(async () => (await callCore(page, 'app.state', {})).paused).toBe(true)
      // The window hears a moment later that it is paused; only then is there something to resume.
      await expect(page.getByRole('button', { name: 'Resume' }).first()).toBeVisible()
      await openPalette(page)
      await page.keyboard.type('resume')
      await expect(focused(page)).toContainText('Resume')
      await page.keyboard.press('Enter')
      await expect.poll(async () => (await callCore(page, 'app.state', {})).paused).toBe(false)
    })

    await test.step('a document by a word that is only in its text, and a schema', async () => {
      await openPalette(page)
      await page.keyboard.type('hartmann')
      await expect(item(page, /Rechnung 2026-0917/)).toBeVisible()
      await item(page, /Rechnung 2026-0917/).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Rechnung 2026-0917/)
      await openPalette(page)
      await page.keyboard.type('invoice')
      await item(page, /^Invoice$/).click()
      await expect(page).toHaveURL(/#\/schemas\/\d+$/)
    })

    await test.step('what the screen offers, under the name that it has there', async () => {
      await openPalette(page)
      await page.keyboard.type('add field')
      const before = await page.locator('.field-list li, .field-row').count()
      await expect(focused(page)).toContainText('Add field')
      await page.keyboard.press('Enter')
      await expect.poll(() => page.locator('.field-list li, .field-row').count()).toBeGreaterThan(before)
      await page.goto(`${host.url}#/documents`)
      await page.getByRole('grid').focus()
      await page.keyboard.press('Control+a')
      await expect(page.getByRole('row', { selected: true }).first()).toBeVisible()
      await openPalette(page)
      await page.keyboard.type('export…')
      await expect(focused(page)).toContainText('Export')
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/#\/exports$/)
    })

    await test.step('nothing', async () => {
      await openPalette(page)
      await page.keyboard.type('qwertz uiop')
      await expect(page.getByText('Nothing by this name')).toBeVisible()
      await page.keyboard.press('Enter')
      await expect(page.getByRole('dialog')).toBeVisible()
      await page.keyboard.press('Escape')
    })

    expect(complaints).toEqual([])
  },
)

test('what belongs to one of several folders names its folder', async ({ host, browser }) => {
  const page = await host.open(browser)
  const { id: schemaId } = await callCore(page, 'schemas.save', {
    id: null,
    name: 'Invoice',
    elements: [{ name: 'Number', format: 'text', description: '' }],
  })
  const connectionId = (await callCore(page, 'connections.list', {})).connections[0]?.id ?? 0
  for (const name of ['Scans', 'Deliveries'])
    await callCore(page, 'folders.add', { path: folderWith(host, name, []), schemaId, connectionId })
  await callCore(page, 'settings.update', { firstRunDone: true })
  await page.goto(`${host.url}#/folders`)
  await expect(page.getByRole('listitem', { name: 'Deliveries' })).toBeVisible()
  await openPalette(page)
  await page.keyboard.type('pause')
  const pauses = page.locator('.palette__item').filter({ hasText: /^Pause/ })
  await expect(pauses).toHaveCount(3)
  await expect(pauses.filter({ hasText: 'Scans' })).toHaveCount(1)
  await page.keyboard.type(' deliv')
  await expect(pauses).toHaveText('PauseDeliveries')
  await page.keyboard.press('Enter')
  await expect
    .poll(async () =>
      (await callCore(page, 'folders.list', {})).folders.filter(({ paused }) => paused).map(({ name }) => name),
    )
    .toEqual(['Deliveries'])
})

test('the palette fits and is accessible in every language', forNight, async ({ host, browser }) => {
  const first = await host.open(browser)
  const { templates } = await callCore(first, 'schemas.templates', { locale: 'en' })
  const { id: schemaId } = await callCore(first, 'schemas.save', {
    id: null,
    name: 'Invoice',
    elements: templates[0]?.elements,
  })
  const connectionId = (await callCore(first, 'connections.list', {})).connections[0]?.id ?? 0
  await callCore(first, 'folders.add', {
    path: folderWith(host, 'A folder whose name is much longer than anybody would think of'.repeat(3), files),
    schemaId,
    connectionId,
  })
  await callCore(first, 'settings.update', { firstRunDone: true })
  await settled(first, files.length)
  await first.close()
  for (const look of looks) {
    const page = await host.open(browser, contextOf(look))
    await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', String(files.length + 1))
    await openPalette(page)
    await expect(page.getByRole('menuitem').first()).toBeVisible()
    await picture(page, 'palette', look)
    await expectAccessible(page)
    await expectFitting(page)
    await page.keyboard.type('fo')
    await picture(page, 'palette-found', look)
    await expectAccessible(page)
    await page.close()
  }
})
