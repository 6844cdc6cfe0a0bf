import type { Browser, Page } from '@playwright/test'
import { forNight } from '../helpers/scale.ts'
import { callCore, complaintsOf, expect } from './host.ts'
import type { Host } from './host.ts'
import { focusedCell, itemRow, place, press, test } from './invoice.ts'
import type { Invoice } from './invoice.ts'
import { contextOf, expectAccessible, expectFitting, looks, picture } from './pictures.ts'

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())
const copied = (page: Page, text: string) => page.evaluate((given) => navigator.clipboard.writeText(given), text)

test('cells are gone through and typed over by keys, as in a spreadsheet', async ({ invoice }) => {
  const { page, grid, stored } = await invoice.open()
  const complaints = complaintsOf(page)
  await expect(grid).toHaveAttribute('aria-rowcount', '7')
  await expect(grid).toHaveAttribute('aria-colcount', '8')
  await page.locator(place(0, 'Article')).click()
  await focusedCell(page, 0, 'Article')
  await press(page, 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowDown')
  await focusedCell(page, 1, 'Quantity')
  await expect(page.locator(place(1, 'Quantity'))).toHaveAttribute('aria-colindex', '5')
  await page.keyboard.type('12')
  await press(page, 'Enter')
  await focusedCell(page, 2, 'Quantity')
  await expect.poll(async () => (await stored())[1]!['Quantity']).toBe(12)
  await press(page, 'Tab', 'Tab', 'Tab', 'Tab')
  await focusedCell(page, 3, 'Article')
  await press(page, 'Shift+Tab')
  await focusedCell(page, 2, 'Stock')
  await page.keyboard.type('n')
  await press(page, 'Enter')
  await focusedCell(page, 3, 'Stock')
  await expect.poll(async () => (await stored())[2]!['Stock']).toBe(false)
  await press(page, 'Home')
  await focusedCell(page, 3, 'Article')
  await press(page, 'Control+End')
  await focusedCell(page, 4, 'Stock')
  await press(page, 'Control+Home', 'F2')
  await page.keyboard.type('7')
  await press(page, 'Escape')
  await expect(page.locator(place(0, 'Article'))).toHaveText('A-1000')
  await focusedCell(page, 0, 'Article')
  await press(page, 'F2')
  await page.keyboard.type('7')
  await press(page, 'Tab')
  await focusedCell(page, 0, 'Description')
  await press(page, 'Delete')
  await expect.poll(async () => (await stored())[0]).toMatchObject({ Article: 'A-10007', Description: null })
  expect(complaints).toEqual([])
})

type Call = { id: number; name: string; input: { changes: { pointer: string; value: unknown }[] } }

/**
 * The invoice in a window whose corrections are held until they are let go or refused. Core gets calls with ids that
 * rise, as from any socket, and below those that the window gave them.
 */
async function openHeld(invoice: Invoice) {
  const { host, page, grid, stored } = await invoice.open()
  const sent: Record<string, unknown>[] = []
  const held: { pass: () => void; refuse: () => void }[] = []
  await page.routeWebSocket(/\/ws\?/, (socket) => {
    const server = socket.connectToServer()
    const passed: number[] = []
    const below = 1_000_000
    const pass = ({ id, ...call }: Call): void => server.send(JSON.stringify({ id: passed.push(id) - below, ...call }))
    server.onMessage((message) => {
      const heard = JSON.parse(String(message)) as { id?: number }
      socket.send(JSON.stringify(heard.id === undefined ? heard : { ...heard, id: passed[heard.id + below - 1] }))
    })
    socket.onMessage((message) => {
      const asked = JSON.parse(String(message)) as Call
      const { id, name, input } = asked
      if (name !== 'review.correct') return pass(asked)
      sent.push(
        Object.fromEntries(input.changes.map(({ pointer, value }) => [pointer.replace('/0/Line items/', ''), value])),
      )
      held.push({
        pass: () => pass(asked),
        refuse: () =>
          socket.send(
            JSON.stringify({ id, answer: { ok: false, error: { code: 'internal', details: { detail: 'refused' } } } }),
          ),
      })
    })
  })
  await page.reload()
  await expect(grid).toBeVisible()
  return {
    host,
    page,
    grid,
    stored,
    sent,
    letGo: () => held.splice(0).forEach(({ pass }) => pass()),
    refuse: () => held.splice(0).forEach(({ refuse }) => refuse()),
  }
}

/** Another window, the document that is in it, and how many of each article core has stored. */
async function otherWindow(host: Host, browser: Browser) {
  const other = await host.open(browser, { locale: 'en-US' })
  const { id } = (await callCore(other, 'documents.list', {})).rows[0]!
  const quantities = async (): Promise<unknown[]> =>
    ((await callCore(other, 'documents.get', { id })).records[0]!['Line items'] as Invoice['rows']).map(
      ({ Quantity }) => Quantity,
    )
  return { other, id, quantities }
}

test('what is typed while earlier values are on their way goes after them together', async ({ invoice }) => {
  const { page, stored, sent, letGo } = await openHeld(invoice)
  await page.locator(place(0, 'Quantity')).click()
  for (const quantity of ['20', '30', '40', '50']) {
    await page.keyboard.type(quantity)
    await press(page, 'Enter')
  }
  await expect(page.locator(place(3, 'Quantity'))).toHaveText('50')
  expect(sent).toEqual([{ '0/Quantity': 20 }])
  letGo()
  await expect
    .poll(() => sent)
    .toEqual([{ '0/Quantity': 20 }, { '1/Quantity': 30, '2/Quantity': 40, '3/Quantity': 50 }])
  letGo()
  await expect.poll(async () => (await stored()).map(({ Quantity }) => Quantity)).toEqual([20, 30, 40, 50, 5])
})

test('a value whose row another window took away says so, and those that were sent with it are stored', async ({
  browser,
  invoice,
}) => {
  const { host, page, grid, stored, sent, letGo } = await openHeld(invoice)
  await page.locator(place(2, 'Quantity')).click()
  for (const quantity of ['30', '40', '50']) {
    await page.keyboard.type(quantity)
    await press(page, 'Enter')
  }
  expect(sent).toEqual([{ '2/Quantity': 30 }])
  const { other, id } = await otherWindow(host, browser)
  await callCore(other, 'review.correct', {
    id,
    changes: [{ pointer: '/0/Line items', value: invoice.rows.slice(0, 4) }],
  })
  await expect(grid).toHaveAttribute('aria-rowcount', '6')
  // What core says knows nothing of it yet.
  await expect(page.locator(place(3, 'Quantity'))).toHaveText('40')
  letGo()
  await expect.poll(() => sent.at(-1)).toEqual({ '3/Quantity': 40, '4/Quantity': 50 })
  letGo()
  await expect.poll(() => sent.slice(2)).toEqual([{ '3/Quantity': 40 }, { '4/Quantity': 50 }])
  letGo()
  await expect(page.locator('.notice--problem')).toHaveCount(1)
  await expect(grid).toHaveAttribute('aria-rowcount', '6')
  expect((await stored()).map(({ Quantity }) => Quantity)).toEqual([1, 2, 30, 40])
})

test(
  'a value stays on the screen while core says something older, and leaves it when core does not take it',
  forNight,
  async ({ browser, invoice }) => {
    const { host, page, stored, sent, refuse } = await openHeld(invoice)
    await page.locator(place(0, 'Quantity')).click()
    await page.keyboard.type('20')
    await press(page, 'Enter')
    await expect.poll(() => sent).toHaveLength(1)
    const { other, id } = await otherWindow(host, browser)
    await callCore(other, 'review.correct', { id, changes: [{ pointer: '/0/Line items/4/Article', value: 'B-7' }] })
    await expect(page.locator(place(4, 'Article'))).toHaveText('B-7')
    await expect(page.locator(place(0, 'Quantity'))).toHaveText('20')
    refuse()
    await expect(page.locator('.notice--problem')).toHaveCount(1)
    await expect(page.locator(place(0, 'Quantity'))).toHaveText('1')
    expect((await stored())[0]!['Quantity']).toBe(1)
  },
)

test('what still waits to be sent goes when the window ends, and what its socket never brought goes before it', async ({
  browser,
  invoice,
}) => {
  const { host, page, sent } = await openHeld(invoice)
  await page.locator(place(0, 'Quantity')).click()
  for (const quantity of ['20', '30', '40']) {
    await page.keyboard.type(quantity)
    await press(page, 'Enter')
  }
  await expect.poll(() => sent).toEqual([{ '0/Quantity': 20 }])
  page.on('dialog', (dialog) => void dialog.accept())
  await page.goto('about:blank')
  const { quantities } = await otherWindow(host, browser)
  await expect.poll(quantities).toEqual([20, 30, 40, 4, 5])
})

test('a value that is too long to go when the window ends does not keep those before it', async ({
  browser,
  invoice,
}) => {
  const { host, page, sent } = await openHeld(invoice)
  await page.locator(place(0, 'Quantity')).click()
  await page.keyboard.type('20')
  await press(page, 'Enter')
  await expect.poll(() => sent).toHaveLength(1)
  await page.locator(place(1, 'Quantity')).click()
  await page.keyboard.type('30')
  await press(page, 'Enter')
  await page.locator(place(2, 'Article')).click()
  await press(page, 'F2')
  // Three bytes each: the limit is of bytes, and letters take time to draw.
  await page.keyboard.insertText('表'.repeat(22 * 1024))
  await press(page, 'Enter')
  await expect(page.locator(place(2, 'Article'))).toContainText('表'.repeat(100))
  page.on('dialog', (dialog) => void dialog.accept())
  await page.goto('about:blank')
  const { quantities } = await otherWindow(host, browser)
  await expect.poll(quantities).toEqual([20, 30, 3, 4, 5])
})

test('what is no number stays in hand with a sentence, and Escape takes it back', forNight, async ({ invoice }) => {
  const { page, stored } = await invoice.open()
  await page.locator(place(1, 'Amount')).click()
  await page.keyboard.type('lots')
  await press(page, 'Enter')
  await expect(page.getByRole('alert')).toHaveText(
    'Row 2, Amount: this is not a number. Type it as in 1,284.50. Nothing was changed.',
  )
  await expect(page.getByRole('textbox', { name: 'Amount' })).toBeFocused()
  await page.locator(place(3, 'Article')).click()
  await expect(page.getByRole('textbox', { name: 'Amount' })).toBeFocused()
  await press(page, 'Escape')
  await expect(page.getByRole('alert')).toHaveCount(0)
  await focusedCell(page, 1, 'Amount')
  expect(await stored()).toEqual(invoice.rows)
})

test('a block from Excel is pasted in the person’s language, makes the rows that are missing, and is taken back in one step', async ({
  invoice,
}) => {
  const { page, stored } = await invoice.open({ locale: 'de-DE' })
  await page.locator(place(4, 'Description')).click()
  await copied(page, '"Bohrer ""HSS""\r\n6 mm"\t03.03.2026\t1.200\r\nScheibe\t04.03.2026\t-3\r\nRest\r\n')
  await press(page, 'Control+v')
  await expect.poll(async () => (await stored()).length).toBe(7)
  expect((await stored()).slice(4)).toEqual([
    { ...invoice.rows[4], Description: 'Bohrer "HSS"\n6 mm', Delivered: '2026-03-03', Quantity: 1200 },
    {
      Article: null,
      Description: 'Scheibe',
      Delivered: '2026-03-04',
      Quantity: -3,
      'Unit price': null,
      Amount: null,
      Stock: null,
    },
    {
      Article: null,
      Description: 'Rest',
      Delivered: null,
      Quantity: null,
      'Unit price': null,
      Amount: null,
      Stock: null,
    },
  ])
  await press(page, 'Control+z')
  await expect.poll(stored).toEqual(invoice.rows)
  await press(page, 'Control+Shift+z')
  await expect.poll(async () => (await stored()).length).toBe(7)
})

test('a block with what is no number changes nothing and names its place', forNight, async ({ invoice }) => {
  const { page, stored } = await invoice.open()
  await page.locator(place(1, 'Quantity')).click()
  await copied(page, '5\t6.50\n7\tcheap')
  await press(page, 'Control+v')
  await expect(page.getByRole('alert')).toContainText('Row 3, Unit price: this is not a number.')
  expect(await stored()).toEqual(invoice.rows)
  await copied(page, '1\t2\t3\tyes\tmore')
  await press(page, 'Control+v')
  await expect(page.getByRole('alert')).toContainText('fewer columns')
})

test(
  'a range is chosen by keys and pointer, copied as Excel reads it, cut, and put elsewhere',
  forNight,
  async ({ invoice }) => {
    const { page, grid, stored } = await invoice.open({ locale: 'de-DE' })
    await page.locator(place(0, 'Delivered')).click()
    await press(page, 'Shift+ArrowDown', 'Shift+End', 'Control+c')
    await focusedCell(page, 0, 'Delivered')
    await expect
      .poll(() => clipboard(page))
      .toBe('01.02.2026\t1\t4,95\t4,95\tWAHR\r\n02.02.2026\t2\t5,95\t11,90\tFALSCH')
    await expect(grid.locator('[role="gridcell"][aria-selected="true"]')).toHaveCount(10)
    await page.locator(place(1, 'Quantity')).click()
    await page.locator(place(3, 'Unit price')).click({ modifiers: ['Shift'] })
    await expect(grid.locator('[role="gridcell"][aria-selected="true"]')).toHaveCount(6)
    const [from, to] = [
      await page.locator(place(2, 'Unit price')).boundingBox(),
      await page.locator(place(3, 'Amount')).boundingBox(),
    ]
    await page.mouse.move(from!.x + 10, from!.y + 10)
    await page.mouse.down()
    await page.mouse.move(to!.x + 10, to!.y + 10, { steps: 4 })
    await page.mouse.up()
    await expect(grid.locator('[role="gridcell"][aria-selected="true"]')).toHaveCount(4)
    await press(page, 'Control+x')
    await expect
      .poll(async () => (await stored()).slice(2, 4).map((each) => [each['Unit price'], each['Amount']]))
      .toEqual([
        [null, null],
        [null, null],
      ])
    await press(page, 'Control+Home', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'Control+v')
    await expect.poll(async () => (await stored())[1]).toMatchObject({ 'Unit price': 7.95, Amount: 31.8 })
    await press(page, 'Control+a')
    await expect(grid.locator('[role="gridcell"][aria-selected="true"]')).toHaveCount(35)
  },
)

test(
  'rows are added, moved and removed, by keys and by buttons, and the sums follow',
  forNight,
  async ({ invoice }) => {
    const { page, grid, stored } = await invoice.open()
    const articles = async () => (await stored()).map((each) => each['Article'])
    await page.locator(place(1, 'Article')).click()
    await press(page, 'Alt+Enter')
    await focusedCell(page, 2, 'Article')
    await page.keyboard.type('NEW')
    await press(page, 'Tab')
    await expect.poll(articles).toEqual(['A-1000', 'A-1001', 'NEW', 'A-1002', 'A-1003', 'A-1004'])
    await press(page, 'Alt+Shift+ArrowUp', 'Alt+Shift+ArrowUp')
    await focusedCell(page, 0, 'Description')
    await expect.poll(articles).toEqual(['NEW', 'A-1000', 'A-1001', 'A-1002', 'A-1003', 'A-1004'])
    await press(page, 'Shift+ArrowDown')
    await page.getByRole('button', { name: 'Remove rows' }).click()
    await expect.poll(articles).toEqual(['A-1001', 'A-1002', 'A-1003', 'A-1004'])
    await expect(grid.locator('.items-grid__foot')).toContainText('109.30')
    await press(page, 'Control+a', 'Alt+Delete')
    await expect.poll(articles).toEqual([])
    await page.getByRole('button', { name: 'Add a row below' }).click()
    await expect(page.locator(place(0, 'Article'))).toBeFocused()
    await page.getByRole('button', { name: 'Step back' }).click()
    await page.getByRole('button', { name: 'Step back' }).click()
    await expect.poll(articles).toEqual(['A-1001', 'A-1002', 'A-1003', 'A-1004'])
    await expect(page.getByText('Rows changed by')).toBeVisible()
  },
)

test(
  'a flag far below is reached by F8, confirmed by Enter, and a mark of the document puts its cell in hand',
  forNight,
  async ({ invoice }) => {
    invoice.rows = Array.from({ length: 3000 }, (_, index) => itemRow(index))
    invoice.rows[2500]!['Amount'] = 1
    invoice.rows[2900]!['Amount'] = 2
    const { page, grid } = await invoice.open()
    expect(await grid.locator('[role="gridcell"]').count()).toBeLessThan(600)
    await page.locator(place(0, 'Article')).click()
    await press(page, 'F8')
    await focusedCell(page, 2500, 'Amount')
    await expect(page.locator(place(2500, 'Amount'))).toHaveAttribute('data-flagged', 'true')
    await expect(page.locator(place(2500, 'Amount'))).toHaveAttribute('title', /not 1/)
    await press(page, 'Enter')
    await focusedCell(page, 2900, 'Amount')
    await press(page, 'Enter')
    await expect(page.getByRole('button', { name: 'Approve' })).toBeFocused()
    await expect(grid.locator('[data-flagged]')).toHaveCount(0)
    const mark = page.locator('[data-mark="/0/Line items/3/Article"]')
    await mark.click()
    await focusedCell(page, 3, 'Article')
    await expect(mark).toHaveAttribute('data-on', 'true')
    // Far from its cell, it still has the focus.
    await grid.evaluate((element) => element.scrollTo(0, 60_000))
    // Elements of rows that went are used again, but rows are told in their order.
    const told = (): Promise<number[]> =>
      grid.locator('[aria-owns]').evaluate((body) =>
        body
          .getAttribute('aria-owns')!
          .split(' ')
          .map((id) => Number(globalThis.document.getElementById(id)!.dataset['row'])),
      )
    await expect
      .poll(async () => {
        const rows = await told()
        return rows[0] === 3 && rows.at(-1)! > 2000 && rows.every((row, at) => at === 0 || row > rows[at - 1]!)
      })
      .toBe(true)
    await press(page, 'ArrowDown')
    await focusedCell(page, 4, 'Article')
    await expect(page.locator('[data-mark="/0/Line items/4/Article"]')).toHaveAttribute('data-on', 'true')
  },
)

test('columns are made narrower and wider by keys and pointer, and stay so', forNight, async ({ invoice }) => {
  const { page, grid } = await invoice.open()
  const width = async () => Math.round((await page.locator(place(0, 'Article')).boundingBox())!.width)
  await page.locator(place(0, 'Article')).click()
  const before = await width()
  await press(page, 'Alt+Shift+ArrowRight', 'Alt+Shift+ArrowRight')
  await expect.poll(width).toBe(before + 32)
  const edge = grid.locator('[role="columnheader"]', { hasText: 'Article' }).locator('.items-grid__edge')
  // Once it lies still: the document beside it may still be opening.
  await edge.hover({ position: { x: 4, y: 10 } })
  const { x, y } = (await edge.boundingBox())!
  await page.mouse.down()
  await page.mouse.move(x + 44, y + 10, { steps: 3 })
  await page.mouse.up()
  await expect.poll(width).toBe(before + 72)
  await page.reload()
  await expect(grid).toBeVisible()
  await expect.poll(width).toBe(before + 72)
})

test(
  'a cell is shown beside the column that stays, and what is typed into it over the rows below',
  forNight,
  async ({ invoice }) => {
    invoice.rows[1]!['Description'] =
      'Wartung vor Ort mit Anfahrt, Prüfprotokoll und allem, was zum Betrieb der Anlage nötig ist, nach Aufwand und Absprache mit dem Leiter der Werkstatt'
    const { page } = await invoice.open({ viewport: { width: 1024, height: 768 } })
    const cell = page.locator(place(1, 'Description'))
    const grid = page.getByRole('grid')
    await expect
      .poll(async () => (await cell.boundingBox())!.width)
      .toBeGreaterThan((await grid.boundingBox())!.width - 130)
    await page.locator(place(1, 'Article')).click()
    await press(page, 'End', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft')
    await expect(cell).toBeFocused()
    const fixed = (await page.locator(place(1, 'Article')).boundingBox())!
    expect((await cell.boundingBox())!.x).toBeGreaterThanOrEqual(fixed.x + fixed.width - 1)
    await press(page, 'F2')
    const editor = page.locator('.items-grid__editor')
    const { x, y, width, height } = (await editor.boundingBox())!
    expect(height).toBeGreaterThan(60)
    const isEditor = await page.evaluate(
      ([left, top]) => document.elementFromPoint(left!, top!)!.className,
      [x + width / 2, y + height - 8],
    )
    expect(isEditor).toBe('items-grid__editor')
  },
)

test('the grid looks at ease in each language and theme', forNight, async ({ browser, invoice }) => {
  invoice.rows = Array.from({ length: 60 }, (_, index) => itemRow(index))
  invoice.rows[1]!['Amount'] = 5
  invoice.rows[3]!['Amount'] = 6
  const { host, page: first } = await invoice.open()
  const address = first.url()
  await first.locator(place(4, 'Article')).click()
  await first.keyboard.type('A-2000')
  await press(first, 'Enter')
  await expect(first.locator(place(4, 'Article'))).toHaveAttribute('data-changed', 'true')
  await first.context().close()
  for (const look of looks) {
    const page = await host.open(browser, contextOf(look))
    await page.goto(address)
    await expect(page.locator('canvas[data-drawn="true"]').first()).toBeVisible()
    await page.locator(place(2, 'Description')).click()
    await press(page, 'Shift+ArrowDown', 'Shift+ArrowRight')
    await expect(page.locator('[aria-selected="true"]')).toHaveCount(4)
    await expectAccessible(page)
    await expectFitting(page)
    await picture(page, 'items-grid', look)
    await page.context().close()
  }
})
