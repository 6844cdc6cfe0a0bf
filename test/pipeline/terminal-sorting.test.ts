import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { templatesFor } from '../../electron/core/drafting/templates.ts'
import { temporaryDir } from '../helpers/core.ts'
import { forNight } from '../helpers/scale.ts'
import { platformOf, sheaf } from '../helpers/sheaf.ts'
import { typedPdf } from '../helpers/typed-pdf.ts'
import { startVendor } from '../helpers/vendor.ts'

const invoice = (number: string): string => `Fennick Tools Ltd
4 Harbour Road, Bristol

INVOICE

Invoice number: ${number}
Invoice date: 14 October 2026
Due date: 28 October 2026
Bill to: Marlow Garden Centre, 12 Mill Lane, Reading

Description          Quantity   Unit price     Amount
Spade                4          19.50          78.00
Watering can         2          12.00          24.00

Net amount           102.00
VAT 20 %             20.40
Total amount         122.40 GBP

Page 1 of 1`

const statement = `Northbank plc

ACCOUNT STATEMENT

Account holder: Marlow Garden Centre
IBAN: GB33 BUKB 2020 1555 5555 55
Statement number: 10/2026
Statement date: 31 October 2026

Date          Booking                    Amount
02/10/2026    Opening balance            1,204.10
09/10/2026    Standing order rent        -650.00
31/10/2026    Closing balance            554.10

Page 1 of 1`

/** A folder with an invoice, a stack of two and what is neither; schema files of two templates beside it. */
async function setUp(answer?: Parameters<typeof startVendor>[0]) {
  const dir = temporaryDir()
  onTestFinished(dir.remove)
  const at = (...parts: string[]): string => join(dir.path, ...parts)
  await mkdir(at('in'))
  const schemas: string[] = []
  for (const [name, key] of [
    ['Invoices', 'invoice'],
    ['Statements', 'bank_statement'],
  ] as const) {
    const { elements } = templatesFor('en').find((template) => template.key === key)!
    await writeFile(at(`${name}.json`), JSON.stringify(elements))
    schemas.push('--schema', at(`${name}.json`))
  }
  await writeFile(at('in', 'invoice.pdf'), await typedPdf(invoice('INV-1')))
  await writeFile(
    at('in', 'letter.pdf'),
    await typedPdf('Dear Ms Hale,\n\nthank you for the lovely afternoon.\n\nYours, Tom'),
  )
  await writeFile(at('in', 'stack.pdf'), await typedPdf(statement, invoice('INV-2')))
  const platform = await startVendor(answer)
  onTestFinished(platform.close)
  const run = async (...more: string[]) =>
    sheaf(['extract', at('in'), ...schemas, ...more], { SHEAF_DATA_DIR: at('data'), ...platformOf(platform) })
  return { at, platform, run, schemas }
}

describe('sheaf extract with several schemas', () => {
  it('asks each part of each file by the schema that fits, and sends nothing of which it is not sure', async () => {
    const { at, platform, run } = await setUp()
    const { code, stdout } = await run('--cut', '--json')
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { file: string; pages: unknown; schema: string | null; status: string })
      .map(({ file, pages, schema, status }) => [file.slice(at('in').length + 1), pages, schema, status])
    expect(lines.toSorted()).toEqual([
      ['invoice.pdf', null, 'Invoices', 'done'],
      ['letter.pdf', null, null, 'skipped'],
      ['stack.pdf', null, null, 'skipped'],
      ['stack.pdf', { first: 2, last: 2 }, 'Invoices', 'done'],
      ['stack.pdf', { first: 1, last: 1 }, 'Statements', 'done'],
    ])
    expect(code).toBe(1)
    expect(platform.received).toHaveLength(3)
    await run('--cut', '--json')
    expect(platform.received).toHaveLength(3)
  })

  it('names the part of a file that a value to look at is in', async () => {
    const doubt = { pointer: '/0/Currency', code: 'unsure', alternatives: [] }
    const { at, run } = await setUp(() => ({
      body: JSON.stringify({
        status: 'success',
        data: { Currency: 'GBP' },
        metadata: { filename: 'x.pdf', doubts: [doubt] },
      }),
    }))
    const { stdout } = await run('--cut', '--flagged')
    const files = stdout.split('\n').map((line) => line.split('  /0/')[0])
    expect(files).toContain(at('in', 'stack.pdf (2)'))
    expect(files).not.toContain(at('in', 'stack.pdf'))
  })

  it(
    'writes a spreadsheet for each schema, with the pages of a part beside the name of its file',
    forNight,
    async () => {
      const { at, run } = await setUp()
      await mkdir(at('out'))
      await run('--cut', '--out', at('out', 'month.csv'))
      const files = await readdir(at('out'))
      expect(files).toEqual(expect.arrayContaining(['month-Invoices.csv', 'month-Statements.csv']))
      expect(await readFile(at('out', 'month-Statements.csv'), 'utf8')).toContain('stack.pdf (1)')
      const invoices = await readFile(at('out', 'month-Invoices.csv'), 'utf8')
      for (const name of ['invoice.pdf', 'stack.pdf (2)']) expect(invoices).toContain(name)
    },
  )

  it('refuses an agent beside several schemas, since that has its own', async () => {
    const { run } = await setUp()
    const { code, stderr } = await run('--agent', 'invoices')
    expect(code).toBe(2)
    expect(stderr).toContain('leave out --agent')
  })
})

describe('a spreadsheet of several schemas', () => {
  it('is none where no document fits any, and that is said once', async () => {
    const { at, run } = await setUp()
    for (const name of ['invoice.pdf', 'stack.pdf']) await rm(at('in', name))
    const { stderr } = await run('--out', at('month.csv'))
    expect(stderr.split('There is nothing to export yet')).toHaveLength(2)
    expect((await readdir(at('.'))).filter((name) => name.startsWith('month'))).toEqual([])
  })
})

describe('sheaf watch with several schemas', () => {
  it('keeps a spreadsheet for each, with the parts of files that were cut', forNight, async () => {
    const { at, platform, schemas } = await setUp()
    await rm(at('in', 'letter.pdf'))
    const { code, stderr } = await sheaf(['watch', at('in'), ...schemas, '--cut', '--once', '--out', at('month.csv')], {
      SHEAF_DATA_DIR: at('data'),
      ...platformOf(platform),
    })
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(stderr).not.toContain('The file holds')
    expect(platform.received).toHaveLength(3)
    const rows = async (name: string): Promise<number> => (await readFile(at(name), 'utf8')).trim().split('\r\n').length
    expect(await rows('month-Invoices.csv')).toBe(3)
    expect(await rows('month-Statements.csv')).toBe(2)
    expect((await readdir(at('.'))).includes('month.csv')).toBe(false)
  })
})
