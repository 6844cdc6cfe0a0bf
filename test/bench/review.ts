import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, expect } from '@playwright/test'
import type { Browser, Page } from '@playwright/test'
import { wordBeside, wordsBetween } from '../../renderer/screens/review/page-words.ts'
import type { Direction, PageWord } from '../../renderer/screens/review/page-words.ts'
import { systemChromium } from '../helpers/chromium.ts'
import { startVendor } from '../helpers/vendor.ts'
import { callCore, connectTo, startHost } from '../ui/host.ts'
import type { Host } from '../ui/host.ts'
import { printed, right } from '../ui/review-office.ts'
import type { Invoice } from '../ui/review-office.ts'

/**
 * `npm run bench -- review`: twenty documents in which a service found 30 values not at all are checked by typing them,
 * by pointing with the mouse, and by pointing with keys. Prints how many keys and how many actions of the mouse that
 * takes for each document. The seconds are those of the program that drives the window, not those of a person.
 */
const documents = 20
const sellers = [
  'Hartmann GmbH',
  'Brightwater Facilities Management Ltd',
  'Menuiserie Delacroix et Fils',
  'Ferreteria Industrial del Norte',
]
const sellerOf = (index: number): string => sellers[index % sellers.length]!
const isWithoutSeller = (index: number): boolean => index % 2 === 0
const nameOf = (index: number): string => `invoice ${String(index + 1).padStart(2, '0')}.pdf`

type Way = 'typing' | 'mouse' | 'keys'
type Effort = { keys: number; pointer: number }

async function furnish(host: Host, page: Page): Promise<void> {
  const found = (index: number): Invoice => ({
    ...right(`R-${index + 1}`),
    Seller: isWithoutSeller(index) ? null : sellerOf(index),
    'Total amount': null,
  })
  const indexOf = (name: string): number => Number(/\d+/.exec(name)?.[0]) - 1
  const vendor = await startVendor(({ filename }) => ({
    body: JSON.stringify({ status: 'success', data: [found(indexOf(filename))], metadata: { filename } }),
  }))
  await callCore(page, 'settings.update', { firstRunDone: true })
  const connectionId = await connectTo(page, vendor)
  const elements = Object.keys(right('R-1')).map((name) => ({
    name,
    format: name === 'Line items' ? 'list' : /amount/.test(name) ? 'number' : 'text',
    description: '',
    ...(name === 'Line items' ? { items: [{ name: 'Amount', format: 'number', description: '' }] } : {}),
  }))
  const rules = ['Seller', 'Total amount'].map((field) => ({ kind: 'required' as const, field: [field] }))
  const { id: schemaId } = await callCore(page, 'schemas.save', { id: null, name: 'Invoices', elements, rules })
  const path = join(host.home, 'Invoices')
  mkdirSync(path)
  for (let index = 0; index < documents; index += 1)
    writeFileSync(
      join(path, nameOf(index)),
      await printed({ ...right(`R-${index + 1}`), Seller: sellerOf(index) }, nameOf(index)),
    )
  await callCore(page, 'folders.add', { path, schemaId, connectionId })
  await untilCount(page, 'flagged', documents)
  await vendor.close()
}

async function untilCount(page: Page, state: 'flagged' | 'approved', count: number): Promise<void> {
  await expect.poll(async () => (await callCore(page, 'app.state', {})).counts[state], { timeout: 120_000 }).toBe(count)
}

/** The shortest way by arrows from the first word of a page to another. */
function arrowsTo(words: readonly PageWord[], target: number): Direction[] {
  const directions: Direction[] = ['ArrowDown', 'ArrowRight', 'ArrowLeft', 'ArrowUp']
  const ways = new Map<number, Direction[]>([[0, []]])
  for (const [word, way] of ways)
    for (const direction of directions) {
      const next = wordBeside(words, word, direction)
      if (next !== -1 && !ways.has(next)) ways.set(next, [...way, direction])
    }
  return ways.get(target) ?? []
}

/** Puts the words of one value into the field in hand. */
async function give(page: Page, way: Way, text: string, effort: Effort): Promise<void> {
  const press = async (key: string): Promise<void> => {
    effort.keys += 1
    await page.keyboard.press(key)
  }
  if (way === 'typing') {
    effort.keys += text.length
    await page.keyboard.type(text)
    return
  }
  const id = Number(/\d+$/.exec(page.url())?.[0])
  const { words } = (await callCore(page, 'documents.preview', { id })).pages[0]!
  const parts = text.split(' ')
  const first = words.findIndex((_, at) => parts.every((part, index) => words[at + index]?.text === part))
  const indices = wordsBetween(first, first + parts.length - 1)
  if (way === 'keys') {
    await press('F4')
    await page.locator('.pointing__cursor').waitFor()
    for (const arrow of arrowsTo(words, first)) await press(arrow)
    for (let more = 1; more < parts.length; more += 1) await press('Shift+ArrowRight')
    return press('Enter')
  }
  const layer = (await page.locator('.pointing').first().boundingBox())!
  const [from, to] = [indices[0]!, indices.at(-1)!].map((index) => ({
    x: layer.x + (words[index]!.x + words[index]!.width / 2) * layer.width,
    y: layer.y + (words[index]!.y + words[index]!.height / 2) * layer.height,
  }))
  await page.mouse.move(from!.x, from!.y)
  await page.locator('.pointing__value').waitFor()
  await page.mouse.down()
  if (indices.length > 1) await page.mouse.move(to!.x, to!.y, { steps: 3 })
  await page.mouse.up()
  effort.pointer += 1
}

async function check(page: Page, host: Host, way: Way): Promise<Effort & { seconds: number }> {
  const effort: Effort = { keys: 0, pointer: 0 }
  await page.goto(`${host.url}#/review`)
  const begun = performance.now()
  for (let index = 0; index < documents; index += 1) {
    await page.getByRole('heading', { level: 1, name: nameOf(index) }).waitFor()
    const wanted = { ...(isWithoutSeller(index) ? { Seller: sellerOf(index) } : {}), 'Total amount': '1.284,61' }
    for (const [field, text] of Object.entries(wanted)) {
      await page.locator(`[data-pointer="/0/${field}"]:focus`).waitFor()
      await give(page, way, text, effort)
      await page.locator(`[data-pointer="/0/${field}"]:focus`).waitFor()
      effort.keys += 1
      await page.keyboard.press('Enter')
    }
    await page.waitForFunction(() => document.querySelector('.field__flag') === null)
    effort.keys += 1
    await page.keyboard.press('Control+Enter')
  }
  await untilCount(page, 'approved', documents)
  const { rows } = await callCore(page, 'documents.list', {})
  for (const { id, name } of rows) {
    const { records } = await callCore(page, 'documents.get', { id })
    const index = Number(/\d+/.exec(name)?.[0]) - 1
    if (records[0]!['Seller'] !== sellerOf(index) || records[0]!['Total amount'] !== 1284.61)
      throw new Error(`${name} holds ${JSON.stringify(records[0])}`)
  }
  return { ...effort, seconds: (performance.now() - begun) / 1000 }
}

async function measure(browser: Browser, way: Way): Promise<void> {
  const host = await startHost()
  const page = await host.open(browser, { viewport: { width: 1600, height: 1000 }, locale: 'de-DE' })
  await furnish(host, page)
  const { keys, pointer, seconds } = await check(page, host, way)
  const each = (sum: number): string => (sum / documents).toFixed(1)
  process.stdout.write(
    `${way}: ${each(keys)} keys and ${each(pointer)} actions of the mouse for each document, driven in ${each(seconds)} s\n`,
  )
  await host.stop()
}

export async function run(): Promise<void> {
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const browser = await chromium.launch({ ...systemChromium(), args: [...sandbox, '--disable-gpu'] })
  process.stdout.write(`${documents} documents, 30 values that were not found\n`)
  for (const way of ['typing', 'mouse', 'keys'] as const) await measure(browser, way)
  await browser.close()
}
