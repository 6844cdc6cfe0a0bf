import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { simpleSchema } from '../helpers/core.ts'
import { forNight } from '../helpers/scale.ts'
import { callCore, expect, test } from './host.ts'
import { contextOf, expectFitting, looks, picture } from './pictures.ts'

/**
 * As long as a file system takes, without a space to break at, from right to left, with letters of several code points,
 * and two at once.
 */
const names = [
  `${'Rechnung'.repeat(31)}.pdf`,
  'فاتورة رقم ١٢٣ من شركة الأمل للتجارة.pdf',
  'חשבונית 20418 (סופי).pdf',
  '🧾👩‍👩‍👧‍👦🏳️‍🌈 Quittung ✅.pdf',
  'e\u0301te\u0301 Zalgo Z\u0351\u036b\u0343a\u0329\u0321l\u0348\u0331g\u0353\u0331o\u0324.pdf',
]
const sample = readFileSync(fileURLToPath(new URL('../fixtures/samples/INV-20418.pdf', import.meta.url)))

test(
  'names of any length, direction and script keep to their line on every screen',
  forNight,
  async ({ host, browser }) => {
    const first = await host.open(browser)
    await callCore(first, 'settings.update', { firstRunDone: true })
    const { connections } = await callCore(first, 'connections.list', {})
    const path = join(host.home, 'مجلد الفواتير 📁 ' + 'Belege'.repeat(30))
    mkdirSync(path)
    // The same document is a copy: each has a comment of its own behind its end.
    names.forEach((name, index) =>
      writeFileSync(join(path, name), Buffer.concat([sample, Buffer.from(`\n% ${index}\n%%EOF\n`)])),
    )
    const { id: schemaId } = await callCore(first, 'schemas.save', {
      id: null,
      name: 'مخطط 🧾 ' + 'Eingangsrechnungen'.repeat(8),
      elements: simpleSchema,
      rules: [{ kind: 'pattern', field: [simpleSchema[0]!.name], pattern: '#' }],
    })
    await callCore(first, 'folders.add', {
      path,
      schemaId,
      connectionId: connections.find(({ kind }) => kind === 'local')!.id,
    })
    await expect
      .poll(async () => (await callCore(first, 'app.state', {})).counts.done, { timeout: 60_000 })
      .toBe(names.length)
    const { rows } = await callCore(first, 'documents.list', {})
    await first.close()
    for (const look of looks) {
      const page = await host.open(browser, contextOf(look))
      const fits = async (screen: string): Promise<void> => {
        await picture(page, `names-${screen}`, look)
        await expectFitting(page)
      }
      await page.goto(`${host.url}#/documents`)
      await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', String(names.length + 1))
      const heights = await page
        .getByRole('row')
        .evaluateAll((all) =>
          all.slice(1).map((row) => (row.scrollHeight > row.clientHeight + 1 ? row.textContent : null)),
        )
      expect(heights.filter((text) => text !== null)).toEqual([])
      // A name from right to left does not turn what stands beside it around.
      const cell = page.getByText(names[1]!, { exact: true })
      await expect(cell).toBeVisible()
      expect(await cell.evaluate((element) => element.closest('bdi') !== null)).toBe(true)
      await fits('documents')
      for (const screen of ['folders', 'schemas', 'exports', 'review'] as const) {
        await page.goto(`${host.url}#/${screen}`)
        await expect(page.locator('h1').first()).toBeVisible()
        await expect(page.locator(screen === 'review' ? 'h1 bdi' : '.main')).toContainText(
          screen === 'review' ? '.pdf' : 'مخطط',
        )
        if (screen === 'review') await expect(page.locator('canvas[data-drawn="true"]').first()).toBeVisible()
        await fits(screen)
      }
      for (const { id } of rows) {
        await page.goto(`${host.url}#/documents/${id}`)
        await expect(page.locator('canvas[data-drawn="true"]').first()).toBeVisible()
        await expectFitting(page)
      }
      await fits('document')
      await page.close()
    }
  },
)
