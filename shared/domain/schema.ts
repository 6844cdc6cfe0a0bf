import * as z from 'zod'
import { AppError } from './errors.ts'

/** Formats of a field: spec, «Extraction schema element». */
export const fieldFormats = ['text', 'number', 'boolean', 'list'] as const
export type FieldFormat = (typeof fieldFormats)[number]

/** What a text field holds, where it is not any text (`in-kind.ts`). The platform's interface has no kinds. */
export const textKinds = ['date', 'iban', 'currency', 'vat_id', 'email', 'code', 'document_type'] as const
export type TextKind = (typeof textKinds)[number]

/** What people choose for a field: its format, or the kind of its text. */
export const fieldTypes = ['text', ...textKinds, 'number', 'boolean', 'list'] as const
export type FieldType = (typeof fieldTypes)[number]

/** One field to extract: spec, «Extraction schema element (element of `params`)». */
export type SchemaElement = {
  name: string
  format: FieldFormat
  description: string
  /** Only where `format` is `text`; never sent. */
  kind?: TextKind | undefined
  /** Sub-fields of each list item; only, and always, when `format` is `list`. */
  items?: SchemaElement[] | undefined
}

export function typeOf({ format, kind }: Pick<SchemaElement, 'format' | 'kind'>): FieldType {
  return kind ?? format
}

export function formatOf(type: FieldType): FieldFormat {
  return isKind(type) ? 'text' : type
}

/** A field of a type. Its properties are in the order of `parseSchema`, since schemas are compared as JSON. */
export function elementOf(
  type: FieldType,
  { name, description, items }: Pick<SchemaElement, 'name' | 'description' | 'items'>,
): SchemaElement {
  return {
    name,
    format: formatOf(type),
    description,
    ...(isKind(type) ? { kind: type } : {}),
    ...(items === undefined ? {} : { items }),
  }
}

function isKind(type: FieldType): type is TextKind {
  return (textKinds as readonly string[]).includes(type)
}

const maxDepth = 10
const maxFields = 2000
const maxShownChars = 50

/** Shape only; the rules that need the whole tree are in `parseSchema`. */
export const schemaElement: z.ZodType<SchemaElement> = z.lazy(() =>
  z.object({
    name: z.string(),
    format: z.enum(fieldFormats),
    description: z.string(),
    kind: z.enum(textKinds).optional(),
    items: z.array(schemaElement).optional(),
  }),
)

/**
 * Checks a value that claims to be a schema (an array of schema elements) and returns it typed.
 * Unknown properties are dropped. Throws `AppError('schema_invalid')` whose `details.problem` says
 * what is wrong and where, e.g. `items[2].format is "date"; use text, number, boolean or list`.
 */
export function parseSchema(value: unknown): SchemaElement[] {
  return parseAll(value, { fields: 0, knowsKinds: true })
}

type Parsing = { fields: number; readonly knowsKinds: boolean }

function parseAll(value: unknown, parsing: Parsing): SchemaElement[] {
  if (!Array.isArray(value)) throw problem('a schema is a JSON array of fields, each with name, format and description')
  if (value.length === 0) throw problem('the schema has no fields; add at least one')
  return parseElements(value, '', 1, parsing)
}

/** Like `parseSchema`, of what came by the platform's interface: it knows no kinds of texts. */
export function parseParams(value: unknown): SchemaElement[] {
  return parseAll(value, { fields: 0, knowsKinds: false })
}

/** Like `parseSchema`, from the text of a schema file. */
export function parseSchemaText(text: string): SchemaElement[] {
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw problem(`this is not JSON (${error instanceof Error ? error.message : 'unreadable'})`)
  }
  return parseSchema(value)
}

function parseElements(values: unknown[], path: string, depth: number, parsing: Parsing): SchemaElement[] {
  if (depth > maxDepth) throw problem(`${path} is nested deeper than ${maxDepth} levels`)
  const seen = new Map<string, number>()
  return values.map((value, index) => {
    const at = `${path}[${index}]`
    if (++parsing.fields > maxFields) throw problem(`the schema has more than ${maxFields} fields`)
    const element = parseElement(value, at, depth, parsing)
    const twin = seen.get(element.name)
    if (twin !== undefined) throw problem(`${at}.name ${shown(element.name)} is used twice (first at ${path}[${twin}])`)
    seen.set(element.name, index)
    return element
  })
}

function parseElement(value: unknown, at: string, depth: number, parsing: Parsing): SchemaElement {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw problem(`${at} is not an object`)
  const { name, format, description, items, kind } = value as Record<string, unknown>
  if (typeof name !== 'string') throw problem(`${at}.name is missing or not text`)
  if (name.trim() === '') throw problem(`${at}.name is empty`)
  if (!fieldFormats.includes(format as FieldFormat)) {
    throw problem(`${at}.format is ${shown(format)}; use text, number, boolean or list`)
  }
  if (typeof description !== 'string') throw problem(`${at}.description is missing or not text`)
  if (format !== 'list') {
    if (items !== undefined && items !== null)
      throw problem(`${at}.items is only for format list, not ${String(format)}`)
    return { name, format: format as FieldFormat, description, ...parseKind(kind, format as FieldFormat, at, parsing) }
  }
  parseKind(kind, format, at, parsing)
  if (!Array.isArray(items) || items.length === 0)
    throw problem(`${at} is a list without items; name its sub-fields in items`)
  return { name, format, description, items: parseElements(items, `${at}.items`, depth + 1, parsing) }
}

function parseKind(
  kind: unknown,
  format: FieldFormat,
  at: string,
  { knowsKinds }: Parsing,
): Pick<SchemaElement, 'kind'> {
  if (!knowsKinds || kind === undefined || kind === null) return {}
  if (format !== 'text' || !textKinds.includes(kind as TextKind))
    throw problem(`${at}.kind is ${shown(kind)}; a field of format text may have one of ${textKinds.join(', ')}`)
  return { kind: kind as TextKind }
}

/** A text by its beginning; of anything else only what it is, since it may be as large as the whole request. */
function shown(value: unknown): string {
  if (typeof value === 'string')
    return `"${value.length > maxShownChars ? `${value.slice(0, maxShownChars)}…` : value}"`
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  return Array.isArray(value) ? 'an array' : typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

function problem(text: string): AppError {
  return new AppError('schema_invalid', { problem: text.replace(/^\[/, 'field [') })
}
