import { readFileSync } from 'node:fs'
import { forNight, scaled } from '../helpers/scale.ts'
import { csvRows } from './csv-rows.ts'
import { callCore, complaintsOf, expect, test } from './host.ts'
import { expectAccessible, expectFitting } from './pictures.ts'

// A new user has the program itself.
test.use({ program: 'sheaf' })

/** What one language's new user sees and gets. */
type Words = {
  locale: string
  start: string
  title: string
  /** Whatever its check says, it has its values. */
  done: RegExp
  open: string
  invoiceNumber: string
  netAmount: string
  allTab: RegExp
  exportLink: string
  exportButton: string
  written: RegExp
  which: RegExp
  all: string
  delimiter: string
  /** The net amount and the date of the sample, as Excel of this language reads them. */
  number: RegExp
  date: string
}

const languages: Words[] = [
  {
    locale: 'en-US',
    start: 'Start',
    title: 'Welcome to Sheaf',
    done: /Ready|\d to check/,
    open: 'Documents',
    invoiceNumber: 'Invoice number',
    netAmount: 'Net amount',
    allTab: /^All/,
    exportLink: 'Export',
    exportButton: 'Export',
    written: /^Done: /,
    which: /^Without those to check/,
    all: 'All with a result',
    delimiter: ',',
    number: scaled(/^-375\.50?$/, /^1176\.70?$/),
    date: scaled('2026-11-10', '2026-11-03'),
  },
  {
    locale: 'de-DE',
    start: 'Starten',
    title: 'Willkommen bei Sheaf',
    done: /Bereit|\d zu prüfen/,
    open: 'Dokumente',
    invoiceNumber: 'Rechnungsnummer',
    netAmount: 'Nettobetrag',
    allTab: /^Alle/,
    exportLink: 'Export',
    exportButton: 'Exportieren',
    written: /^Fertig: /,
    which: /^Ohne die zu prüfenden/,
    all: 'Alle mit Ergebnis',
    delimiter: ';',
    number: /^1176,70?$/,
    date: '03.11.2026',
  },
]

/**
 * What is opened and looked up in the CSV: of the examples the second, before any picture; at night one behind
 * pictures.
 */
const sample = scaled(
  { name: 'Credit Note CN-1022.docx', number: 'CN-1022', drawn: '.paper svg text' },
  { name: 'INV-20418.pdf', number: 'INV-20418', drawn: 'canvas[data-drawn="true"]' },
)
/** So many of the eleven examples are waited for: to read the pictures among them takes longer than all else. */
const waitedFor = scaled(2, 11)
/**
 * A limit for what hangs: the eleven examples take 20 s of processor time, and 90 s were not enough beside two other
 * runs.
 */
const readMs = 300_000

for (const words of scaled(languages.slice(0, 1), languages)) {
  test(`a new user gets from the first start to an opened CSV (${words.locale})`, async ({ host, browser }) => {
    test.setTimeout(2 * readMs)
    const page = await host.open(browser, { locale: words.locale })
    const complaints = complaintsOf(page)

    await expect(page.getByRole('heading', { name: words.title })).toBeVisible()
    await page.getByRole('button', { name: words.start, exact: true }).click()

    await expect(page.getByRole('heading', { name: words.open, exact: true })).toBeVisible()
    const grid = page.getByRole('grid')
    await expect(grid).toHaveAttribute('aria-rowcount', '12')
    const row = grid.getByRole('row').filter({ hasText: sample.name })
    await expect(row).toContainText(words.done, { timeout: readMs })
    await expect
      .poll(() => grid.getByRole('row').filter({ hasText: words.done }).count(), { timeout: readMs })
      .toBeGreaterThanOrEqual(waitedFor)

    await row.click()
    await expect(page.getByRole('textbox', { name: words.invoiceNumber })).toHaveValue(sample.number)
    await expect(page.locator(sample.drawn).first()).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(grid).toBeVisible()

    await page.getByRole('link', { name: words.exportLink, exact: true }).click()
    await page.getByText('CSV', { exact: true }).click()
    // Nobody checked anything yet, and some need no look.
    await page.getByRole('button', { name: words.which }).click()
    await page.getByRole('option', { name: words.all, exact: true }).click()
    await expect(page.getByRole('cell', { name: sample.name }).first()).toBeVisible()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: words.exportButton, exact: true }).click(),
    ])
    await expect(page.getByText(words.written)).toBeVisible()

    const bytes = readFileSync(await download.path())
    expect(download.suggestedFilename()).toMatch(/\.csv$/)
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    const text = bytes.toString('utf8')
    expect(text).toMatch(/\r\n$/)
    expect(text).not.toMatch(/^\uFEFF?sep=/)
    const [header = [], ...rows] = csvRows(text, words.delimiter)
    const number = header.indexOf(words.invoiceNumber)
    const net = header.indexOf(words.netAmount)
    expect(number).toBeGreaterThan(0)
    expect(net).toBeGreaterThan(number)
    for (const cells of rows) expect(cells).toHaveLength(header.length)
    expect(new Set(rows.map((cells) => cells[1])).size).toBeGreaterThanOrEqual(waitedFor)
    const exported = rows.filter((cells) => cells[1] === sample.name)
    expect(exported).toHaveLength(1)
    for (const cells of exported) {
      expect(cells[number]).toBe(sample.number)
      expect(cells[net]).toMatch(words.number)
      expect(cells).toContain(words.date)
    }
    // The file that was downloaded is the one on the disk whose path the window names.
    const path = await page.locator('.written .selectable').first().innerText()
    expect(readFileSync(path).equals(bytes)).toBe(true)
    expect(complaints).toEqual([])
    await page.close()
  })
}

test('a new user makes a schema of their own by hand', forNight, async ({ host, browser }) => {
  const page = await host.open(browser)
  await page.getByText('A schema of my own').click()
  const start = page.getByRole('button', { name: 'Start', exact: true })
  await expect(start).toBeDisabled()
  // The examples are read in the test above.
  await callCore(page, 'settings.update', { localService: false })
  // What it says moves everything below it.
  await expect(page.getByText('This computer’s service is off')).toBeVisible()
  await page.getByLabel('Name of the schema').fill('Parcel')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Sender')
  await page.getByRole('button', { name: 'Add field' }).click()
  await page.keyboard.type('Weight')
  await page
    .getByRole('button', { name: /^Text.*Type$/ })
    .nth(1)
    .click()
  await page.getByRole('option', { name: 'Number', exact: true }).click()
  await expectFitting(page)
  await expectAccessible(page)
  await start.click()
  await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '12')
  expect((await callCore(page, 'schemas.list', {})).schemas).toMatchObject([
    {
      name: 'Parcel',
      elements: [
        { name: 'Sender', format: 'text', description: '' },
        { name: 'Weight', format: 'number', description: '' },
      ],
    },
  ])
  await page.close()
})
