import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { collectExtraKeys, planTables } from '../../../electron/core/export/flatten.ts'
import type { ExtraKeys } from '../../../electron/core/export/flatten.ts'
import { csvText } from '../../../electron/core/export/csv.ts'
import { cellXml } from '../../../electron/core/export/sheet-xml.ts'
import { summarise } from '../../../electron/core/pipeline/answers/assess.ts'
import { templatesFor } from '../../../electron/core/drafting/templates.ts'
import { AppError } from '../../../shared/domain/errors.ts'
import { listLayouts } from '../../../shared/contract/exports.ts'
import { parseSchema, parseSchemaText } from '../../../shared/domain/schema.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { locales } from '../../../shared/messages/sentences.ts'
import { expectKnownCode, hold, mutated, oneByOne } from './kit.ts'
import type { OpenTarget, Random, Target } from './kit.ts'

type SchemaText = { text: string; record: Record<string, unknown> }

const folder = fileURLToPath(new URL('../../fixtures/schemas/', import.meta.url))
const samples = [
  ...readdirSync(folder).map((name) => readFileSync(join(folder, name))),
  ...templatesFor('de').map(({ elements }) => Buffer.from(JSON.stringify(elements))),
  Buffer.from(
    '[{"name":"a","format":"list","description":"","items":[{"name":"b","format":"list","description":"","items":[{"name":"c","format":"boolean","description":""}]}]}]',
  ),
]

const name = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom('a', '__proto__', 'constructor', '=1+1', 'x'.repeat(500), '\u202e', '\ud800', 'File', 'Document'),
)
const { element } = fc.letrec<{ element: unknown }>((tie) => ({
  element: fc.record(
    {
      name: fc.oneof({ weight: 9, arbitrary: name }, { weight: 1, arbitrary: fc.anything() }),
      format: fc.oneof(
        { weight: 9, arbitrary: fc.constantFrom('text', 'number', 'boolean', 'list') },
        { weight: 1, arbitrary: fc.jsonValue() },
      ),
      description: fc.oneof({ weight: 9, arbitrary: fc.string() }, { weight: 1, arbitrary: fc.jsonValue() }),
      items: fc.oneof(
        { depthSize: 'small' },
        fc.constant(undefined),
        fc.array(tie('element'), { maxLength: 4 }),
        fc.jsonValue({ maxDepth: 1 }),
      ),
    },
    { requiredKeys: ['name', 'format', 'description'] },
  ),
}))
const record = fc.dictionary(
  name,
  fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.array(fc.dictionary(name, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 4 }), { maxLength: 4 }),
  ),
  { maxKeys: 8 },
)

function make(random: Random): SchemaText {
  const text = random.oneIn(2)
    ? mutated(random, samples).toString('utf8')
    : (JSON.stringify(random.value(fc.array(element as fc.Arbitrary<unknown>, { maxLength: 6 }))) ?? '')
  const deep = random.oneIn(200)
    ? `${'[{"name":"a","format":"list","description":"","items":'.repeat(random.below(3000))}[]`
    : text
  return { text: deep, record: random.value(record) as Record<string, unknown> }
}

function tryOne({ text, record: given }: SchemaText): void {
  let elements: SchemaElement[]
  try {
    elements = parseSchemaText(text)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    expectKnownCode(error.code, ['schema_invalid'])
    const problem = error.details['problem']
    hold(
      typeof problem === 'string' && problem !== '' && problem.length < 1000,
      `the problem is told in ${String(problem).length} characters`,
    )
    return
  }
  hold(
    JSON.stringify(parseSchema(elements)) === JSON.stringify(elements),
    'a checked schema is not the same when it is checked again',
  )
  summarise([given as never], elements)
  const extras: ExtraKeys = new Map()
  collectExtraKeys(given, elements, extras)
  for (const layout of listLayouts) {
    for (const table of planTables(elements, { layout, locale: 'de', extras })) {
      const headers = table.columns.map(({ header }) => header.toLowerCase())
      hold(new Set(headers).size === headers.length, 'two columns have one header')
      for (const row of table.rowsOf(given, 'a.pdf', 1)) {
        hold(row.length === headers.length, 'a row is longer or shorter than its header')
        for (const cell of row) {
          for (const locale of locales) hold(typeof csvText(cell, locale) === 'string', 'a cell is no text')
          hold(!/<f[ >]/.test(cellXml(cell)), 'a cell is a formula')
        }
      }
    }
  }
  hold(!('polluted' in {}), 'the prototype of all objects was changed')
}

/** The text of schema files, and what tables come of them with records of any shape. */
export const schemas: Target<SchemaText> = {
  name: 'schemas',
  open: async (): Promise<OpenTarget<SchemaText>> => ({ make, tryAll: oneByOne(tryOne) }),
}
