import type { Locator, Page } from '@playwright/test'
import { wordBeside } from '../../renderer/screens/review/page-words.ts'
import type { Direction, PageWord } from '../../renderer/screens/review/page-words.ts'
import { forNight } from '../helpers/scale.ts'
import { startVendor } from '../helpers/vendor.ts'
import { callCore, connectTo, expect, folderWith, openScreen, preparedHome, test } from './host.ts'
import type { Host } from './host.ts'

/**
 * A whole invoice, of which a service found nothing, filled by nothing but pointing: a text page and a scan, by the
 * mouse and then by keys alone, in each language.
 */
const elements = [
  ...['invoice_number', 'invoice_date', 'seller'].map((name) => ({ name, format: 'text' as const, description: '' })),
  { name: 'total', format: 'number' as const, description: '' },
  {
    name: 'items',
    format: 'list' as const,
    description: '',
    items: [
      { name: 'article', format: 'text' as const, description: '' },
      { name: 'amount', format: 'number' as const, description: '' },
    ],
  },
]

type Invoice = {
  file: string
  /** By field, the words of the page. */
  words: Record<string, string>
  /** The first and the last word of the rows; where the columns stand in them, from the left and from the right. */
  rows: { first: string; last: string; article: number; amount: number }
  record: Record<string, unknown>
}

const invoices: Invoice[] = [
  {
    file: 'INV-20418.pdf',
    words: {
      invoice_number: 'INV-20418',
      invoice_date: '3 November 2026',
      seller: 'Pemberton Joinery Supplies',
      total: '£1,359.89',
    },
    rows: { first: 'OAK-2440', last: 'DEL-STD', article: 1, amount: -2 },
    record: {
      invoice_number: 'INV-20418',
      invoice_date: '2026-11-03',
      seller: 'Pemberton Joinery Supplies',
      total: 1359.89,
      items: [
        { article: 'Oak worktop 40 mm, 2440 x 620', amount: 643.5 },
        { article: 'Soft-close hinge 110°, pair', amount: 151.2 },
        { article: 'Grab rail 900 mm, mobility aid (supplied to disabled person, relief claimed)', amount: 92 },
        { article: 'Energy-saving cavity insulation boards', amount: 225 },
        { article: 'Carriage, 2-man delivery', amount: 65 },
      ],
    },
  },
  {
    file: 'scan_20261121_004.pdf',
    words: {
      invoice_number: 'R 26/208',
      invoice_date: '09.11.2026',
      seller: 'Malerbetrieb Klaus Wörner',
      total: '2.450,69',
    },
    rows: { first: 'Wände', last: 'Abdeckarbeiten,', article: 0, amount: -1 },
    record: {
      invoice_number: 'R 26/208',
      invoice_date: '2026-11-09',
      seller: 'Malerbetrieb Klaus Wörner',
      total: 2450.69,
      items: [
        { article: 'Wände und Decken grundieren und zweimal streichen, Farbton Altweiß', amount: 1450.4 },
        { article: 'Türzargen schleifen und lackieren', amount: 444 },
        { article: 'Abdeckarbeiten, Material pauschal', amount: 165 },
      ],
    },
  },
]

async function furnish(host: Host, page: Page): Promise<Map<string, number>> {
  const empty = { invoice_number: null, invoice_date: null, seller: null, total: null, items: [] }
  const vendor = await startVendor(() => ({
    body: JSON.stringify({ status: 'success', data: [empty], metadata: { tokens_consumed: 1 } }),
  }))
  await callCore(page, 'settings.update', { firstRunDone: true })
  const connectionId = await connectTo(page, vendor)
  const { id: schemaId } = await callCore(page, 'schemas.save', { id: null, name: 'Invoices', elements })
  const files = invoices.map(({ file }) => file)
  await callCore(page, 'folders.add', { path: folderWith(host, 'Invoices', files), schemaId, connectionId })
  await expect
    .poll(async () => (await callCore(page, 'app.state', {})).counts.done ?? 0, { timeout: 60_000 })
    .toBe(files.length)
  await vendor.close()
  return new Map((await callCore(page, 'documents.list', {})).rows.map(({ id, name }) => [name, id]))
}

const prepare = preparedHome(furnish)

/** Where words stand one after the other. */
function placeOf(words: readonly PageWord[], text: string): [first: number, last: number] {
  const parts = text.split(' ')
  const first = words.findIndex((_, at) => parts.every((part, index) => words[at + index]?.text === part))
  expect(first, text).toBeGreaterThanOrEqual(0)
  return [first, first + parts.length - 1]
}

const valueOf = (page: Page, field: string): Locator => page.locator(`[data-pointer="/0/${field}"]`)
const picker = (page: Page): Locator => page.locator('.table-picker__region')

async function layerAt(page: Page, selector: string, { x, y }: { x: number; y: number }) {
  const layer = (await page.locator(selector).first().boundingBox())!
  return { x: layer.x + x * layer.width, y: layer.y + y * layer.height }
}

const middleOf = ({ x, y, width, height }: PageWord) => ({ x: x + width / 2, y: y + height / 2 })

async function drag(page: Page, from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> {
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(to.x, to.y, { steps: 4 })
  await page.mouse.up()
}

async function fillByMouse(page: Page, words: readonly PageWord[], { words: values, rows }: Invoice): Promise<void> {
  for (const [field, text] of Object.entries(values)) {
    await valueOf(page, field).click()
    await page.locator('.pointing').first().waitFor()
    const [from, to] = await Promise.all(
      placeOf(words, text).map((index) => layerAt(page, '.pointing', middleOf(words[index]!))),
    )
    await page.mouse.move(from!.x, from!.y)
    await page.locator('.pointing__value').waitFor()
    await drag(page, from!, to!)
    await expect(valueOf(page, field)).not.toHaveValue('')
  }
  await page.locator('.document__bar button').last().click()
  await page.locator('.table-picker__bar').waitFor()
  const [first, last] = [rows.first, rows.last].map((text) => words[placeOf(words, text)[0]]!)
  const from = await layerAt(page, '.table-picker', { x: first!.x - 0.02, y: first!.y - 0.004 })
  await drag(page, from, await layerAt(page, '.table-picker', { x: 0.97, y: last!.y + last!.height + 0.004 }))
  // The part that was proposed gives way to the one that was drawn.
  await expect
    .poll(async () => Math.abs((await page.locator('.table-picker__box').boundingBox())!.y - from.y))
    .toBeLessThan(2)
  const fields = picker(page).getByRole('combobox')
  const count = await fields.count()
  for (let column = 0; column < count; column += 1) await fields.nth(column).selectOption('')
  await fields.nth(rows.article).selectOption('article')
  await fields.nth(count + rows.amount).selectOption('amount')
  await picker(page).locator('.button--primary').click()
}

/** The shortest way by arrows from the word in hand to another. */
function arrowsTo(words: readonly PageWord[], from: number, target: number): Direction[] {
  const directions: Direction[] = ['ArrowDown', 'ArrowRight', 'ArrowLeft', 'ArrowUp']
  const ways = new Map<number, Direction[]>([[from, []]])
  for (const [word, way] of ways)
    for (const direction of directions) {
      const next = wordBeside(words, word, direction)
      if (next !== -1 && !ways.has(next)) ways.set(next, [...way, direction])
    }
  return ways.get(target) ?? []
}

/** Moves an end of the rows to a height of the page, in large steps and then in small ones. */
async function moveEnd(page: Page, end: Locator, to: number, isThere: (at: number) => boolean): Promise<void> {
  await end.focus()
  const at = async (): Promise<number> => {
    const [layer, box] = await Promise.all([page.locator('.table-picker').first().boundingBox(), end.boundingBox()])
    return (box!.y + box!.height / 2 - layer!.y) / layer!.height
  }
  for (let presses = 0; presses < 60 && !isThere(await at()); presses += 1) {
    const off = to - (await at())
    await page.keyboard.press(`${Math.abs(off) > 0.04 ? 'Shift+' : ''}${off > 0 ? 'ArrowDown' : 'ArrowUp'}`)
  }
}

async function fillByKeys(page: Page, words: readonly PageWord[], { words: values, rows }: Invoice): Promise<void> {
  for (const [field, text] of Object.entries(values)) {
    const [first, last] = placeOf(words, text)
    await valueOf(page, field).focus()
    await page.keyboard.press('F4')
    await page.locator('.pointing__cursor').waitFor()
    for (const arrow of arrowsTo(words, 0, first)) await page.keyboard.press(arrow)
    for (let more = first; more < last; more += 1) await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('Enter')
    await expect(valueOf(page, field)).not.toHaveValue('')
  }
  await page.locator('.document__bar button').last().press('Enter')
  await page.locator('.table-picker__bar').waitFor()
  const [first, last] = [rows.first, rows.last].map((text) => words[placeOf(words, text)[0]]!)
  const ends = picker(page).locator('[role="separator"][aria-orientation="horizontal"]')
  const [top, bottom] = [first!.y, last!.y + last!.height]
  await moveEnd(page, ends.nth(0), top - 0.004, (at) => at < top && at > top - 0.012)
  await moveEnd(page, ends.nth(1), bottom + 0.004, (at) => at > bottom && at < bottom + 0.012)
  const fields = picker(page).getByRole('combobox')
  const count = await fields.count()
  for (let column = 0; column < count; column += 1) {
    await fields.nth(column).focus()
    await page.keyboard.press(column === count + rows.amount ? 'End' : 'Home')
    if (column === rows.article) await page.keyboard.press('ArrowDown')
  }
  await picker(page).locator('.button--primary').press('Enter')
}

for (const locale of ['en-US', 'de-DE', 'fr-FR'])
  for (const way of ['mouse', 'keys'] as const)
    for (const invoice of invoices)
      test(
        `${invoice.file} is filled by pointing only, by ${way}, table included (${locale})`,
        forNight,
        async ({ browser }) => {
          const { host, made } = await prepare(browser)
          const page = await host.open(browser, { viewport: { width: 1600, height: 1000 }, locale })
          const id = made.get(invoice.file)!
          const { words } = (await callCore(page, 'documents.preview', { id })).pages[0]!
          await openScreen(page, host, `#/documents/${id}`)
          const begun = Date.now()
          await (way === 'mouse' ? fillByMouse : fillByKeys)(page, words, invoice)
          await expect(picker(page)).toHaveCount(0)
          const recordOf = async () => (await callCore(page, 'documents.get', { id })).records[0]
          await expect.poll(recordOf).toEqual(invoice.record)
          test.info().annotations.push({ type: 'seconds', description: ((Date.now() - begun) / 1000).toFixed(1) })
          await host.closeWindows()
          await host.stop()
        },
      )
