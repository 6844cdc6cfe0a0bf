import { forNight } from '../helpers/scale.ts'
import { callCore, complaintsOf, expect } from './host.ts'
import { contextOf, expectAccessible, expectFitting, looks, picture } from './pictures.ts'
import { test } from './review-office.ts'

test('ten documents with seven flags are checked by keyboard alone: three corrected, the rest confirmed, all approved', async ({
  host,
  schemaId,
  browser,
}) => {
  const page = await host.open(browser, { viewport: { width: 1280, height: 800 }, locale: 'de-DE' })
  const complaints = complaintsOf(page)
  let presses = 0
  const press = async (key: string): Promise<void> => {
    presses += 1
    await page.keyboard.press(key)
  }
  const inHand = (name: string) => expect(page.locator('.field[data-on] .value:focus')).toHaveAccessibleName(name)
  const document = (name: string) => expect(page.getByRole('heading', { level: 1 })).toHaveText(name)

  // To Review, from the top of the window.
  await page.getByRole('link', { name: 'Prüfen' }).focus()
  await press('Enter')
  await document('b total.pdf')
  await inHand('Total amount')
  await expect(page.locator('.field__flag')).toHaveText(
    'Net amount 1.079,50 + Tax amount 205,11 ist 1.284,61, nicht 1.248,61.',
  )
  await page.keyboard.type('1284,61')
  await press('Enter')
  await expect(page.locator('.field__flag')).toHaveCount(0)
  await press('Control+Enter')

  await document('d iban.pdf')
  await inHand('IBAN')
  await page.keyboard.type('DE89 3704 0044 0532 0130 00')
  await press('Control+Enter')

  await document('e seen.pdf')
  await inHand('Invoice number')
  await expect(page.locator('.field__flag')).toContainText('R-1 gab es schon am')
  await press('Enter')
  await press('Control+Enter')

  await document('g two.pdf')
  await inHand('Invoice date')
  await press('Enter')
  await inHand('IBAN')
  await press('Enter')
  await press('Control+Enter')

  await document('h row.pdf')
  await expect(page.locator('[role="gridcell"]:focus')).toHaveAttribute('data-pointer', '/0/Line items/1/Amount')
  await expect(page.locator('.field__flag')).toHaveText(
    'Zeile 2: Quantity 4 × Unit price 148,00 ist 592,00, nicht 529,00.',
  )
  await page.keyboard.type('592')
  await press('Enter')
  await press('Control+Enter')

  await document('j future.pdf')
  await press('F8')
  await press('Control+Enter')

  await expect(page.getByRole('heading', { name: 'Nichts zu prüfen' })).toBeVisible()
  await page.getByRole('button', { name: 'Alle ohne Hinweis freigeben (4)' }).focus()
  await press('Enter')
  await expect
    .poll(async () => (await callCore(page, 'app.state', {})).counts)
    .toMatchObject({ flagged: 0, ready: 0, approved: 10 })
  expect(presses).toBeLessThan(60)

  const { rows } = await callCore(page, 'documents.list', { search: 'b total' })
  const { records, check } = await callCore(page, 'documents.get', { id: rows[0]!.id })
  expect(records[0]!['Total amount']).toBe(1284.61)
  expect(check.corrections).toMatchObject([{ pointer: '/0/Total amount', extracted: 1248.61 }])
  const { tables } = await callCore(page, 'exports.preview', { schemaId, format: 'xlsx', locale: 'de' })
  const cells = tables.flatMap(({ rows }) => rows.flat())
  expect(cells).toEqual(expect.arrayContaining(['1.284,61', '592,00']))
  expect(cells.filter((cell) => cell === '1.248,61' || cell === '529,00')).toEqual([])
  expect(complaints).toEqual([])
})

test('Escape takes back what was typed, and what is no number stays in hand', forNight, async ({ host, browser }) => {
  const page = await host.open(browser, { locale: 'en-US' })
  await page.goto(`${host.url}#/review`)
  const total = page.getByRole('textbox', { name: 'Total amount' })
  await expect(total).toBeFocused()
  await page.keyboard.type('lots')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('This is not a number. Type it as in 1,284.50.')
  await expect(total).toBeFocused()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('b total.pdf')
  // What stood there before is as right as it was.
  await total.fill('1248.61')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('alert')).toHaveCount(0)
  await total.fill('lots')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('This is not a number. Type it as in 1,284.50.')
  await page.keyboard.press('Escape')
  await expect(total).toHaveValue('1248.61')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('heading', { level: 1, name: 'Documents' })).toBeVisible()
})

test(
  'a document stays in hand when nothing in it needs a look any more, until it is approved',
  forNight,
  async ({ host, browser }) => {
    const page = await host.open(browser, { locale: 'en-US' })
    await page.goto(`${host.url}#/review`)
    await expect(page.getByRole('textbox', { name: 'Total amount' })).toBeFocused()
    await page.keyboard.type('1284.61')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('link', { name: /Review/ })).toContainText('5')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('b total.pdf')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('d iban.pdf')
  },
)

test(
  'what needs no look any more is left for the document before or behind it, one after the other',
  forNight,
  async ({ host, browser }) => {
    const page = await host.open(browser, { locale: 'en-US' })
    const { rows } = await callCore(page, 'documents.list', { search: 'seen' })
    await page.goto(`${host.url}#/review/${rows[0]!.id}`)
    const shown = async (name: string, field: string, position: string): Promise<void> => {
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
      await expect(page.getByRole('textbox', { name: field })).toBeFocused()
      await expect(page.getByText(position, { exact: true })).toBeVisible()
    }
    const settle = async (value: string): Promise<void> => {
      await page.keyboard.type(value)
      await page.keyboard.press('Enter')
      await expect(page.getByText(/^\d of \d$/)).toHaveCount(0)
    }
    await shown('e seen.pdf', 'Invoice number', '3 of 6')
    await settle('')
    await page.keyboard.press('Alt+ArrowUp')
    await shown('d iban.pdf', 'IBAN', '2 of 5')
    await settle('DE89 3704 0044 0532 0130 00')
    await page.keyboard.press('Alt+ArrowUp')
    await shown('b total.pdf', 'Total amount', '1 of 4')
    await settle('1284.61')
    await expect(page.getByRole('button', { name: 'Previous document' })).toBeDisabled()
    await page.keyboard.press('Alt+ArrowDown')
    await shown('g two.pdf', 'Invoice date', '1 of 3')
  },
)

test('an approval with open flags is one key, and says so before and after', async ({ host, browser }) => {
  const page = await host.open(browser, { locale: 'en-US' })
  const { rows } = await callCore(page, 'documents.list', { search: 'g two' })
  await page.goto(`${host.url}#/documents/${rows[0]!.id}`)
  await expect(page.getByRole('button', { name: 'Approve with 2 flags' })).toBeVisible()
  await page.keyboard.press('Control+Enter')
  const notice = page.locator('.notice')
  await expect(notice).toContainText('Approved with 2 flags open')
  await notice.getByRole('button', { name: 'Undo' }).click()
  await expect
    .poll(async () => (await callCore(page, 'app.state', {})).counts)
    .toMatchObject({ flagged: 6, approved: 0 })
  await callCore(page, 'review.approve', { ids: [rows[0]!.id] })
  await page.goto(`${host.url}#/documents`)
  await expect(page.locator('.grid__row', { hasText: 'g two.pdf' })).toContainText('Approved, 2 flags')
  const [fine] = (await callCore(page, 'documents.list', { search: 'f clean' })).rows
  await page.goto(`${host.url}#/documents/${fine!.id}`)
  await expect(page.getByRole('button', { name: 'Approve', exact: true })).toBeVisible()
})

test('an export says how many of its documents need a look, and lists them', forNight, async ({ host, browser }) => {
  const page = await host.open(browser, { locale: 'en-US' })
  await page.goto(`${host.url}#/exports`)
  const preview = page.getByRole('region', { name: 'Preview', exact: true })
  await expect(preview).toContainText('4 documents')
  await expect(preview).toContainText('6 to check are left out')
  await page.getByRole('button', { name: 'Which of them' }).click()
  await page.getByRole('option', { name: 'All with a result' }).click()
  await expect(preview).toContainText('10 documents')
  await preview.getByRole('link', { name: '6 need a look' }).click()
  await expect(page.getByRole('tab', { name: /To check/ })).toHaveAttribute('aria-selected', 'true')
  await expect(page.locator('.grid__row')).toHaveCount(6)
  await page.locator('.grid__row', { hasText: 'b total.pdf' }).click()
  await expect(page.getByRole('textbox', { name: 'Total amount' })).toBeVisible()
  await page.getByRole('textbox', { name: 'Total amount' }).fill('1284.61')
  await page.keyboard.press('Control+Enter')
  await expect
    .poll(async () => (await callCore(page, 'app.state', {})).counts)
    .toMatchObject({ flagged: 5, approved: 1 })
  await page.getByRole('link', { name: 'Export', exact: true }).click()
  await expect(preview.getByRole('link', { name: '5 need a look' })).toBeVisible()
  await page.getByRole('button', { name: 'Which of them' }).click()
  await page.getByRole('option', { name: 'Approved only' }).click()
  await expect(preview).toContainText('1 document')
  await expect(preview.getByRole('link')).toHaveCount(0)
})

test(
  'how long a document was in hand, and how many keys it took, is shown in Usage',
  forNight,
  async ({ host, browser }) => {
    const page = await host.open(browser, { locale: 'en-US' })
    await page.getByRole('link', { name: 'Review' }).click()
    await expect(page.locator('.field[data-on] .value:focus')).toBeVisible()
    await page.keyboard.type('1284.61')
    await page.keyboard.press('Enter')
    await expect(page.locator('.field__flag')).toHaveCount(0)
    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('d iban.pdf')
    await page.getByRole('link', { name: 'Usage' }).click()
    // Seven letters and two keys.
    await expect(page.getByText(/^\d+(\.\d)? sec.* and 9 keys for each of 1 document/)).toBeVisible()
  },
)

test('an approval can be undone, and a correction taken back', async ({ host, browser }) => {
  const page = await host.open(browser, { locale: 'en-US' })
  await page.goto(`${host.url}#/review`)
  await expect(page.getByRole('textbox', { name: 'Total amount' })).toBeFocused()
  await page.keyboard.type('5')
  await page.keyboard.press('Enter')
  await expect(page.getByText('The service said “1,248.61”.')).toBeVisible()
  await page.getByRole('button', { name: 'Take the service’s value' }).click()
  await expect(page.getByText('The service said')).toHaveCount(0)
  await page.getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('d iban.pdf')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect
    .poll(async () => (await callCore(page, 'app.state', {})).counts)
    .toMatchObject({ flagged: 6, approved: 0 })
})

test('fields are undone and redone step by step, and what is being typed by the browser', async ({ host, browser }) => {
  const page = await host.open(browser, { locale: 'en-US' })
  await page.goto(`${host.url}#/review`)
  const total = page.getByRole('textbox', { name: 'Total amount' })
  const seller = page.getByRole('textbox', { name: 'Seller', exact: true })
  await expect(total).toBeFocused()
  const { rows } = await callCore(page, 'documents.list', { search: 'b total' })
  const stored = async (): Promise<unknown> => {
    const { records } = await callCore(page, 'documents.get', { id: rows[0]!.id })
    return [records[0]!['Total amount'], records[0]!['Seller']]
  }
  const before = await seller.inputValue()
  await page.keyboard.type('5')
  await page.keyboard.press('Enter')
  await seller.fill('Ridley')
  await page.keyboard.press('Enter')
  await expect.poll(stored).toEqual([5, 'Ridley'])
  await seller.focus()
  await page.keyboard.type('typed')
  await page.keyboard.press('Control+z')
  await expect(seller).not.toHaveValue('typed')
  await page.keyboard.press('Escape')
  // Neither does a cell that is being typed into undo a field, nor a dialog one behind it.
  await page.locator('[role="gridcell"][data-pointer]').first().dblclick()
  await page.keyboard.type('typed')
  await page.keyboard.press('Control+z')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Change schema…' }).click()
  await page.getByRole('dialog').press('Control+z')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect.poll(stored).toEqual([5, 'Ridley'])
  await seller.focus()
  await page.keyboard.press('Control+z')
  await expect(seller).toBeFocused()
  await expect.poll(stored).toEqual([5, before])
  await page.keyboard.press('Control+z')
  await expect(total).toBeFocused()
  await expect(total).toHaveValue('1248.61')
  await expect(page.getByText('The service said')).toHaveCount(0)
  await page.keyboard.press('Control+Shift+z')
  await page.keyboard.press('Control+y')
  await expect.poll(stored).toEqual([5, 'Ridley'])
  await expect(seller).toBeFocused()

  // What Enter confirmed has its flag again.
  const flagged = page.locator('.field__flag').filter({ hasText: 'not 5.00' })
  await expect(flagged).toBeVisible()
  await total.focus()
  await page.keyboard.press('Enter')
  await expect(flagged).toHaveCount(0)
  await page.keyboard.press('Control+z')
  await expect(total).toBeFocused()
  await expect(flagged).toBeVisible()
  await page.keyboard.press('Control+y')
  await expect(flagged).toHaveCount(0)
})

test('a correction of what is approved says that the approval is taken back', async ({ host, browser }) => {
  const page = await host.open(browser, { locale: 'en-US' })
  const { rows } = await callCore(page, 'documents.list', { search: 'b total' })
  await callCore(page, 'review.approve', { ids: [rows[0]!.id] })
  await page.goto(`${host.url}#/documents/${rows[0]!.id}`)
  await expect(page.getByRole('button', { name: 'Take back' })).toBeVisible()
  await page.getByRole('textbox', { name: 'Total amount' }).fill('1284.61')
  await page.keyboard.press('Enter')
  await expect(page.locator('.notice')).toContainText('the approval is taken back')
  await expect(page.getByRole('button', { name: 'Take back' })).toHaveCount(0)
})

test(
  'the amounts of a short list are seen beside the document: texts give way while that is enough',
  forNight,
  async ({ host, browser }) => {
    const page = await host.open(browser, { locale: 'en-US', viewport: { width: 1280, height: 800 } })
    await page.goto(`${host.url}#/review`)
    const grid = page.getByRole('grid')
    const hidden = () => grid.evaluate((element) => Math.max(0, element.scrollWidth - element.clientWidth))
    const description = page.getByRole('gridcell', { name: /^Schleifscheibe/ })
    await expect.poll(hidden).toBe(0)
    await expect(page.getByRole('columnheader', { name: 'Amount' })).toBeInViewport({ ratio: 0.95 })
    await expect(description).toHaveAttribute('title', 'Schleifscheibe 125 mm, K80')
    await page.setViewportSize({ width: 1920, height: 1080 })
    await expect(description).not.toHaveAttribute('title')
    await expect.poll(hidden).toBe(0)
    // Too narrow for all: the grid scrolls, beside a first column that leaves half of it to the others.
    await page.setViewportSize({ width: 1024, height: 700 })
    await expect.poll(hidden).toBeGreaterThan(0)
    const share = async (): Promise<number> =>
      (await description.boundingBox())!.width / (await grid.boundingBox())!.width
    await expect.poll(share).toBeCloseTo(0.5, 1)
  },
)

test(
  'a flagged cell is shown with the sentence that says why, also below what fits into the window',
  forNight,
  async ({ host, browser }) => {
    const page = await host.open(browser, { locale: 'en-US', viewport: { width: 1280, height: 560 } })
    const [flagged] = (await callCore(page, 'documents.list', { search: 'h row' })).rows
    await page.goto(`${host.url}#/documents/${flagged!.id}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('h row.pdf')
    await expect(page.getByRole('grid')).toBeVisible()
    await page.keyboard.press('F8')
    await expect(page.getByRole('gridcell', { name: '529.00' })).toBeFocused()
    await expect(page.getByRole('gridcell', { name: '529.00' })).toBeInViewport({ ratio: 0.95 })
    await expect(page.getByText('Row 2: Quantity 4 × Unit price 148.00 is 592.00, not 529.00.')).toBeInViewport({
      ratio: 0.95,
    })
  },
)

test('a dialog leaves each name beside its value, also where that is empty', forNight, async ({ host, browser }) => {
  const page = await host.open(browser, { locale: 'en-US' })
  const [empty] = (await callCore(page, 'documents.list', { search: 'd iban' })).rows
  await page.goto(`${host.url}#/documents/${empty!.id}`)
  const field = page.locator('.field', { has: page.locator('[data-pointer="/0/IBAN"]') })
  // Both in one moment: the list may scroll between two.
  const apart = (): Promise<number> =>
    field.evaluate((row) => {
      const top = (name: string): number => row.querySelector(name)!.getBoundingClientRect().top
      return top('dt') - top('dd')
    })
  await expect(field.getByRole('textbox')).toHaveValue('')
  const before = await apart()
  await page.locator('.approve-bar button').focus()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toBeVisible()
  expect(await apart()).toBe(before)
})

test('the check looks at ease in each language and theme', forNight, async ({ host, browser }) => {
  for (const look of looks) {
    const page = await host.open(browser, contextOf(look))
    await page.goto(`${host.url}#/review`)
    await expect(page.locator('canvas[data-drawn="true"]').first()).toBeVisible()
    // All of it is seen (WCAG 2.2, 2.4.11).
    await expect(page.locator('.value:focus')).toBeInViewport({ ratio: 0.95 })
    await expectAccessible(page)
    await expectFitting(page)
    await picture(page, 'review', look)
    await page.locator('.approve-bar button').focus()
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectAccessible(page)
    await picture(page, 'review-keys', look)
    await page.close()
  }
})
