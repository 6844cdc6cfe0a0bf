import type { Page } from '@playwright/test'
import { forNight } from '../helpers/scale.ts'
import { callCore, complaintsOf, expect, folderWith, test } from './host.ts'
import type { Host } from './host.ts'
import { expectAccessible } from './pictures.ts'

/** Two documents that were read on this computer. */
async function furnish(host: Host, page: Page): Promise<void> {
  const { templates } = await callCore(page, 'schemas.templates', { locale: 'en' })
  const { id: schemaId } = await callCore(page, 'schemas.save', {
    id: null,
    name: 'Invoice',
    elements: templates.find(({ key }) => key === 'invoice')?.elements,
  })
  const connectionId = (await callCore(page, 'connections.list', {})).connections[0]!.id
  await callCore(page, 'settings.update', { firstRunDone: true })
  await callCore(page, 'folders.add', {
    path: folderWith(host, 'Invoices', ['INV-20418.pdf', 'Credit Note CN-1022.docx']),
    schemaId,
    connectionId,
  })
  await expect.poll(async () => (await callCore(page, 'app.state', {})).counts.done, { timeout: 60_000 }).toBe(2)
}

test('whoever comes to a screen by keys goes on with the keys there', forNight, async ({ host, browser }) => {
  const page = await host.open(browser)
  const complaints = complaintsOf(page)
  await furnish(host, page)
  const grid = page.getByRole('grid')
  await grid.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  // In the document: the status line counts what is read in the same words.
  await expect(page.getByRole('main').getByText('1 of 2', { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(grid).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(grid).toHaveAttribute('aria-activedescendant', 'document-row-1')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('Folders')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Folders' })).toBeVisible()
  await expect(page.locator('body')).not.toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('main').getByRole('button', { name: 'Add folder' })).toBeFocused()
  // What is pressed to look into a folder gives way to what stops it, and that to what looks again.
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Folder', { exact: true }).fill(folderWith(host, 'More', ['IMG_2231.JPG']))
  await dialog.getByRole('button', { name: 'Look first' }).press('Enter')
  await expect(dialog.getByRole('button', { name: 'Look again' })).toBeFocused()
  expect(complaints).toEqual([])
  await page.close()
})

test('the first Tab reaches «Skip to content», which is seen then and leads past the menu', async ({
  host,
  browser,
}) => {
  const page = await host.open(browser)
  await callCore(page, 'settings.update', { firstRunDone: true })
  await page.goto(`${host.url}#/usage`)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const skip = page.getByRole('button', { name: 'Skip to content' })
  await page.keyboard.press('Tab')
  await expect(skip).toBeFocused()
  expect((await skip.boundingBox())!.height).toBeGreaterThan(24)
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(page.locator('.main')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect.poll(() => page.evaluate(() => document.activeElement!.closest('.main') !== null)).toBe(true)
})

test('grey badges are seen in both themes, and their words are read', async ({ host, browser }) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await host.open(browser, { colorScheme })
    await callCore(page, 'settings.update', { firstRunDone: true })
    const colors = await page.evaluate(() => {
      const badge = Object.assign(document.createElement('span'), { className: 'badge badge--calm' })
      document.body.append(badge)
      const { color, backgroundColor } = getComputedStyle(badge)
      return [color, backgroundColor, getComputedStyle(document.body).backgroundColor].map((text) => {
        const [red, green, blue] = text.match(/\d+/g)!.map((part) => {
          const share = Number(part) / 255
          return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
        }) as [number, number, number]
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue
      })
    })
    const contrast = (one: number, other: number): number =>
      (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
    expect(contrast(colors[0]!, colors[1]!)).toBeGreaterThan(4.5)
    if (colorScheme === 'dark') expect(contrast(colors[1]!, colors[2]!)).toBeGreaterThan(1.3)
    await page.close()
  }
})

test(
  'a notice never lies over what is pressed next, and taking an approval back is said as well',
  forNight,
  async ({ host, browser }) => {
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 1024, height: 700 },
    ]) {
      const page = await host.open(browser, { viewport })
      if (viewport.width === 1280) await furnish(host, page)
      const { rows } = await callCore(page, 'documents.list', {})
      await page.goto(`${host.url}#/documents/${rows[0]!.id}`)
      const approve = page.getByRole('button', { name: /^Approve/ })
      const place = (await approve.boundingBox())!
      await approve.click()
      const notice = page.locator('.notice')
      await expect(notice).toContainText(/^(1 document approved|Approved with)/)
      const box = (await notice.boundingBox())!
      expect(box.x + box.width < place.x || box.y + box.height < place.y).toBe(true)
      await notice.getByRole('button', { name: 'Undo' }).click()
      await expect(page.getByText('The approval is taken back.')).toBeVisible()
      expect((await callCore(page, 'documents.get', { id: rows[0]!.id })).review).not.toBe('approved')
      await page.close()
    }
  },
)
