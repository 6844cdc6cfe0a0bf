import { forNight } from '../helpers/scale.ts'
import { expect } from './host.ts'
import { focusedCell, itemRow, place, press, test } from './invoice.ts'

test(
  'the border beside the document is moved by keys and pointer, stays so, and is set back by a double click',
  forNight,
  async ({ invoice }) => {
    const { page } = await invoice.open({ viewport: { width: 1280, height: 800 } })
    const border = page.getByRole('separator', { name: 'Border between document and values' })
    const width = async () => Math.round((await page.getByRole('region', { name: 'Values' }).boundingBox())!.width)
    const before = await width()
    await expect(border).toHaveAttribute('aria-valuenow', '56')
    await border.focus()
    await press(page, 'ArrowLeft', 'ArrowLeft', 'ArrowLeft')
    await expect(border).toHaveAttribute('aria-valuenow', '50')
    await expect.poll(width).toBeGreaterThan(before + 50)
    const box = (await border.boundingBox())!
    await page.mouse.move(box.x + 4, box.y + 300)
    await page.mouse.down()
    await page.mouse.move(box.x - 196, box.y + 300, { steps: 4 })
    await page.mouse.up()
    const dragged = await width()
    expect(dragged).toBeGreaterThan(before + 240)
    await page.reload()
    await expect.poll(width).toBe(dragged)
    await border.dblclick()
    await expect.poll(width).toBe(before)
  },
)

test('the text of a page can be selected where it is printed', async ({ invoice }) => {
  const { page } = await invoice.open()
  const word = page.locator('.textLayer span', { hasText: 'A-1000' }).first()
  const mark = page.locator('[data-mark="/0/Line items/0/Article"]')
  // As wide as printed, although the font behind it is another one; a mark reaches a little beyond the letters.
  const wider = async (): Promise<number> => (await word.boundingBox())!.width / (await mark.boundingBox())!.width
  await expect.poll(wider).toBeGreaterThan(0.8)
  await expect.poll(wider).toBeLessThan(1)
  await word.evaluate((element) => getSelection()!.selectAllChildren(element))
  await expect.poll(() => page.evaluate(() => getSelection()!.toString())).toContain('A-1000')
  // A transform for each word is what the browser would go through at every frame.
  await expect.poll(() => word.evaluate((element) => getComputedStyle(element).transform)).toBe('none')
})

test('the text of a page is copied line by line, however many parts it came in', forNight, async ({ invoice }) => {
  invoice.rows = Array.from({ length: 75 }, (_, index) => itemRow(index))
  const { page } = await invoice.open({ pages: 3 })
  const parts = page.locator('[data-page="1"] .textLayer')
  await expect.poll(() => parts.count()).toBeGreaterThan(1)
  await expect.poll(() => parts.last().textContent()).toContain('A-1024')
  await page
    .locator('[data-page="1"] .paper__letters')
    .evaluate((element) => getSelection()!.selectAllChildren(element))
  const lines = (await page.evaluate(() => getSelection()!.toString())).split('\n')
  expect(lines[0]).toBe('Rechnung R-77')
  expect(lines.slice(1).map((line) => line.split(' ')[0])).toEqual(
    Array.from({ length: 25 }, (_, index) => `A-${1000 + index}`),
  )
  expect(lines[1]).toBe('A-1000 Schleifscheibe 125 mm, K80 4,95')
})

test('what is chosen on a page stays chosen while others are looked at', forNight, async ({ invoice }) => {
  invoice.rows = Array.from({ length: 75 }, (_, index) => itemRow(index))
  const { page } = await invoice.open({ pages: 3 })
  const word = page.locator('.textLayer span', { hasText: 'A-1000' }).first()
  await word.evaluate((element) => getSelection()!.selectAllChildren(element))
  const document = page.getByRole('region', { name: 'Document', exact: true })
  await document.evaluate((element) => element.scrollTo(0, element.scrollHeight))
  await expect(page.locator('.textLayer span', { hasText: 'A-1074' })).toBeVisible()
  await expect(page.locator('[data-mark="/0/Line items/0/Article"]')).toHaveCount(0)
  await document.evaluate((element) => element.scrollTo(0, 0))
  await expect(page.locator('[data-mark="/0/Line items/0/Article"]')).toBeVisible()
  await expect.poll(() => page.evaluate(() => getSelection()!.toString())).toContain('A-1000')
})

test('a value is brought into view wherever it is on a large page', forNight, async ({ invoice }) => {
  invoice.rows = Array.from({ length: 75 }, (_, index) => itemRow(index))
  const { page } = await invoice.open({ pages: 3 })
  await page.locator(place(2, 'Amount')).click()
  await expect(page.locator('[data-mark="/0/Line items/2/Amount"]')).toBeInViewport()
  for (let step = 0; step < 6; step += 1) await page.getByRole('button', { name: 'Larger' }).click()
  await page.getByRole('region', { name: 'Document', exact: true }).evaluate((element) => element.scrollTo(0, 0))
  await expect(page.locator('[data-mark="/0/Line items/2/Amount"]')).not.toBeInViewport()
  await page.locator(place(2, 'Amount')).focus()
  await press(page, 'Control+ArrowDown')
  await focusedCell(page, 74, 'Amount')
  await expect(page.locator('[data-mark="/0/Line items/74/Amount"]')).toBeInViewport()
})

test('a page is turned with its marks, and zoomed by keys', forNight, async ({ invoice }) => {
  const { page } = await invoice.open()
  const paper = page.locator('[data-page="1"]')
  const mark = page.locator('[data-mark="/0/Line items/0/Article"]')
  await expect(mark).toBeVisible()
  const middle = async (): Promise<number[]> => {
    const [on, of] = [(await mark.boundingBox())!, (await paper.boundingBox())!]
    return [(on.x + on.width / 2 - of.x) / of.width, (on.y + on.height / 2 - of.y) / of.height]
  }
  const [x, y] = (await middle()) as [number, number]
  await page.getByRole('button', { name: 'Rotate' }).click()
  const isWide = async (): Promise<boolean> => {
    const { width, height } = (await paper.boundingBox())!
    return width > height
  }
  await expect.poll(isWide).toBe(true)
  const turned = (await middle()) as [number, number]
  expect(turned[0]).toBeCloseTo(1 - y, 1)
  expect(turned[1]).toBeCloseTo(x, 1)
  // The text of the page lies where its drawing does.
  const away = async (): Promise<number> => {
    const [word, on] = [
      (await page.locator('.textLayer span', { hasText: 'A-1000' }).first().boundingBox())!,
      (await mark.boundingBox())!,
    ]
    return Math.hypot(word.x + word.width / 2 - on.x - on.width / 2, word.y + word.height / 2 - on.y - on.height / 2)
  }
  await expect.poll(away).toBeLessThan(12)
  const percent = async () => Number((await page.locator('.document__zoom').textContent())!.replace('%', ''))
  await page.getByRole('region', { name: 'Document' }).focus()
  const fit = await percent()
  await press(page, 'Control++')
  await expect.poll(percent).toBeGreaterThan(fit)
  await press(page, 'Control+-', 'Control+-')
  await expect.poll(percent).toBeLessThan(fit)
  await press(page, 'Control+0')
  await expect.poll(percent).toBe(fit)
})
