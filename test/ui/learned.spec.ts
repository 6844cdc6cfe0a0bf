import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { forNight } from '../helpers/scale.ts'
import { invoiceElements, invoicesOf } from '../helpers/senders.ts'
import type { Invoice } from '../helpers/senders.ts'
import { callCore, complaintsOf, expect, test } from './host.ts'
import type { Host } from './host.ts'
import { contextOf, expectAccessible, expectFitting, longWords, looks, picture, titleOf } from './pictures.ts'

/** Three invoices of the sender whose name is only in its logo, and one of it with another account. */
async function invoices(): Promise<[Invoice, Invoice, Invoice, Invoice]> {
  const own = (await invoicesOf(3, 5)).filter(({ sender }) => sender === 2)
  const [other] = (await invoicesOf(1, 6, { iban: 'AT611904300234573201' })).filter(({ sender }) => sender === 2)
  return [...own, other] as [Invoice, Invoice, Invoice, Invoice]
}

/** A folder that is read on this computer, with these in it. */
async function folderWith(host: Host, page: Page, given: readonly Invoice[]): Promise<void> {
  await callCore(page, 'settings.update', { firstRunDone: true })
  const { id: schemaId } = await callCore(page, 'schemas.save', {
    id: null,
    name: 'Supplier invoices',
    elements: [...invoiceElements],
  })
  const { connections } = await callCore(page, 'app.state', {})
  const connectionId = connections.find(({ kind }) => kind === 'local')!.id
  mkdirSync(join(host.home, 'Invoices'))
  put(host, given)
  await callCore(page, 'folders.add', { path: join(host.home, 'Invoices'), schemaId, connectionId })
  await done(page, given)
}

function put(host: Host, given: readonly Invoice[]): void {
  for (const { name, content } of given) writeFileSync(join(host.home, 'Invoices', name), content)
}

/** Waits until they are read and compared with what was learned. Returns their ids. */
async function done(page: Page, given: readonly Invoice[]): Promise<number[]> {
  const ids = async (): Promise<number[]> => {
    const { rows } = await callCore(page, 'documents.list', {})
    const found = rows.filter(({ status, name }) => status === 'done' && given.some((each) => each.name === name))
    const details = await Promise.all(found.map(({ id }) => callCore(page, 'documents.get', { id })))
    const compared = details.filter(({ check }) => check.flags.every(({ code }) => code !== 'comparing'))
    return given.flatMap(({ name }) => compared.find((each) => each.name === name)?.id ?? [])
  }
  await expect.poll(async () => (await ids()).length, { timeout: 60_000 }).toBe(given.length)
  return ids()
}

async function teach(page: Page, id: number, { values }: Invoice): Promise<void> {
  const changes = Object.entries(values).map(([name, value]) => ({ pointer: `/0/${name}`, value }))
  await callCore(page, 'review.correct', { id, changes })
  await callCore(page, 'review.approve', { ids: [id] })
  await expect.poll(async () => (await callCore(page, 'lessons.list', {})).forms.length).toBe(1)
}

const sellerOf = async (page: Page, id: number) => (await callCore(page, 'documents.get', { id })).records[0]!['seller']

for (const look of looks)
  test(
    `what a corrected document teaches is shown, listed and forgotten: ${titleOf(look)}`,
    forNight,
    async ({ host, browser }) => {
      const page = await host.open(browser, contextOf(look))
      const complaints = complaintsOf(page)
      const [first, second, , other] = await invoices()
      await folderWith(host, page, [first])
      const [firstId] = await done(page, [first])
      await teach(page, firstId!, first)
      put(host, [second, other])
      const [secondId, otherId] = await done(page, [second, other])
      expect(await sellerOf(page, secondId!)).toBe(second.values.seller)

      await page.goto(`${host.url}#/documents/${secondId}`)
      const seller = page.locator('.field', { has: page.locator('[data-pointer="/0/seller"]') })
      await expect(seller.locator('.field__note')).toContainText(
        look.locale === 'de-DE' ? 'Gelernt aus 1 Dokument' : /Learned from 1 document|Appris de 1 document/,
      )
      await expect(page.locator('canvas[data-drawn="true"]').first()).toBeVisible()
      await expectAccessible(page)
      await picture(page, 'learned-value', look)

      await page.goto(`${host.url}#/documents/${otherId}`)
      const account = page.locator('[data-grave]')
      await expect(account).toContainText('AT61 1904 3002 3457 3201')
      await account.scrollIntoViewIfNeeded()
      await expect(page.locator('canvas[data-drawn="true"]').first()).toBeVisible()
      await expectAccessible(page)
      await picture(page, 'learned-account', look)

      await page.goto(`${host.url}#/settings`)
      const panel = page.locator('section.panel', { has: page.locator('ul.rows li', { hasText: 'Isarwerk' }) })
      await expect(panel).toContainText('Supplier invoices')
      await panel.scrollIntoViewIfNeeded()
      await expectAccessible(page)
      await expectFitting(page)
      await picture(page, 'learned-settings', look)
      await panel
        .locator('li')
        .getByRole('button', { name: /: Isarwerk/ })
        .click()
      await expect.poll(async () => (await callCore(page, 'lessons.list', {})).forms).toEqual([])
      await expect(page.locator('ul.rows li', { hasText: 'Isarwerk' })).toHaveCount(0)
      expect(complaints).toEqual([])
    },
  )

test(
  'one key changes the documents that wait by what was just learned, and an undo changes them back',
  forNight,
  async ({ host, browser }) => {
    const page = await host.open(browser, contextOf(longWords))
    const complaints = complaintsOf(page)
    const [first, second, third] = await invoices()
    await folderWith(host, page, [first, second, third])
    const ids = await done(page, [first, second, third])
    const customerOf = async (id: number) =>
      (await callCore(page, 'documents.get', { id })).records[0]!['customer_number']
    const before = await customerOf(ids[1]!)
    const learned = String(second.values['customer_number'])
    await teach(page, ids[0]!, first)
    await page.goto(`${host.url}#/review/${ids[1]}`)
    await expect(page.locator('.offers')).toContainText('2 weitere Dokumente')
    await expect(page.locator('canvas[data-drawn="true"]').first()).toBeVisible()
    await page.locator('.offers').getByRole('button', { name: 'Ansehen' }).click()
    await expect(page.getByRole('dialog')).toContainText(learned)
    await expectAccessible(page)
    await picture(page, 'learned-offers', longWords)
    await page.keyboard.press('Escape')
    await page.keyboard.press('F9')
    await expect(page.locator('.offers')).toHaveCount(0)
    await expect(page.locator('[data-pointer="/0/customer_number"]')).toHaveValue(learned)
    // Whom it is from was known by the account that was approved with it.
    expect(await sellerOf(page, ids[1]!)).toBe('Isarwerk Feinmechanik KG')
    await page.getByRole('button', { name: 'Rückgängig' }).click()
    await expect.poll(() => customerOf(ids[1]!)).toEqual(before)
    expect(complaints).toEqual([])
  },
)
