import type { Document } from '../../../shared/domain/document.ts'
import { elementOf } from '../../../shared/domain/schema.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import type { Locale } from '../../../shared/messages/sentences.ts'
import { templateByKey } from './templates.ts'
import { findPairs } from './find-pairs.ts'
import type { Pair } from './find-pairs.ts'
import { findTables } from './find-tables.ts'
import type { Column, FoundTable } from './find-tables.ts'
import { alwaysAsked, fieldKey, kindOfDocument } from './kinds.ts'
import { documentKey, isNeverAsked, itemKey, plain } from './known-labels.ts'
import { blocksOf } from './lines.ts'
import type { Block } from './lines.ts'
import { draftTexts } from './draft-texts.ts'
import { kindOf } from './value-kind.ts'
import { withoutEnd } from '../../../shared/domain/without-end.ts'

export type Draft = { name: string; elements: SchemaElement[] }

const maxFields = 60
const maxNameChars = 60
/** So many fields of its kind must be recognised for a template to lend its names. */
const minRecognisedFields = 2
const iban = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}/

/**
 * Drafts fields by rules: labels with their values, the columns of tables, and the template of the document's kind
 * where enough of it is recognised. A plain sheet (a header row and a row for each record) gives its columns as fields.
 * Null when nothing was found. Pure.
 */
export function draftByRules(document: Document, locale: Locale): Draft | null {
  const blocks = blocksOf(document)
  const tables = blocks.flatMap(findTables)
  const taken = new Set(tables.flatMap((table) => [...table.lines]))
  const pairs = blocks.flatMap((block) => findPairs(block, taken))
  const plainSheet = plainSheetOf(blocks, tables, pairs)
  const elements =
    plainSheet === null
      ? documentFields(blocks, pairs, tables, locale)
      : plainSheet.columns.map((column) => columnField(column, locale))
  if (elements.length === 0) return null
  return { name: nameOf(blocks, locale), elements: distinct(elements).slice(0, maxFields) }
}

/** One header row, nothing but a title above it, no labels: each row is a record. */
function plainSheetOf(blocks: Block[], tables: FoundTable[], pairs: Pair[]): FoundTable | null {
  const [table] = tables
  const isOnly = table !== undefined && blocks.length === 1 && blocks[0]!.kind === 'sheet' && tables.length === 1
  return isOnly && pairs.length === 0 && table.linesAbove <= 2 ? table : null
}

function documentFields(blocks: Block[], pairs: Pair[], tables: FoundTable[], locale: Locale): SchemaElement[] {
  const kind = kindOfDocument(blocks)
  const template = kind === null ? null : templateByKey(kind, locale)
  const listed = mainTable(tables)
  const keyOf = ({ label }: Pair): string | null => {
    const key = documentKey(label)
    return key === null || kind === null ? null : fieldKey(kind, key)
  }
  const keys = new Set(pairs.map(keyOf).filter((key) => key !== null && template?.fields.has(key)))
  const columns = listed?.columns.filter(({ heading }) => itemKey(heading) !== null).length ?? 0
  // A receipt has hardly any labels: that it calls itself one is enough.
  if (kind === null || template === null || (keys.size + columns < minRecognisedFields && kind !== 'receipt')) {
    const own = pairs.filter(({ label }) => !isNeverAsked(label)).map((pair) => pairField(pair, locale))
    return [...own, ...tables.map((table) => listField(table, locale, null))]
  }
  for (const key of alwaysAsked[kind]!) keys.add(key)
  if (blocks.some((block) => block.lines.some((line) => line.some((run) => iban.test(run.text))))) keys.add('iban')
  const wanted = [...template.fields].filter(([key]) => keys.has(key)).map(([, element]) => element)
  const ofTemplate = [...template.fields.values()].find(({ format }) => format === 'list') ?? null
  const lists =
    listed === null
      ? wanted.filter(({ format }) => format === 'list')
      : [listField(listed, locale, ofTemplate === null ? null : { element: ofTemplate, items: template.items })]
  const others = pairs
    .filter((pair) => kind !== 'receipt' && !keys.has(keyOf(pair) ?? '') && isWorthAsking(pair))
    .map((pair) => pairField(pair, locale))
  const otherSheets = tables
    .filter((table) => table !== listed && table.kind === 'sheet')
    .map((table) => listField(table, locale, null))
  return [...wanted.filter(({ format }) => format !== 'list'), ...others, ...lists, ...otherSheets]
}

/** The table with the most columns of items, the first of several. */
function mainTable(tables: FoundTable[]): FoundTable | null {
  const score = (table: FoundTable): number =>
    new Set(table.columns.map(({ heading }) => itemKey(heading)).filter((key) => key !== null)).size
  const best = tables.reduce<FoundTable | null>(
    (one, table) => (one === null || score(table) > score(one) ? table : one),
    null,
  )
  return best !== null && score(best) >= 2 ? best : null
}

/** What a document of a known kind has beyond its template: labels with a value of their own, no sentences. */
function isWorthAsking({ label, value, tick }: Pair): boolean {
  return tick || (value.length <= 60 && !isNeverAsked(label) && /^\p{Lu}|^n[°º]/u.test(label))
}

function pairField({ label, value, tick }: Pair, locale: Locale): SchemaElement {
  const name = shortName(label)
  if (tick) return { name, format: 'boolean', description: draftTexts[locale].tick(shortName(label)) }
  const key = documentKey(label)
  const kind = key === 'number' || key === 'order_number' ? 'text' : kindOf([value], label)
  return elementOf(kind, { name, description: draftTexts[locale][kind](name) })
}

function columnField({ heading, values }: Column, locale: Locale): SchemaElement {
  const kind = kindOf(values, heading)
  return elementOf(kind, { name: shortName(heading), description: draftTexts[locale].column(shortName(heading)) })
}

function listField(
  table: FoundTable,
  locale: Locale,
  template: { element: SchemaElement; items: Map<string, SchemaElement> } | null,
): SchemaElement {
  const texts = draftTexts[locale]
  const items = table.columns.map(
    (column) => template?.items.get(itemKey(column.heading) ?? '') ?? columnField(column, locale),
  )
  const headings = table.columns.map(({ heading }) => heading).join(', ')
  const name = table.kind === 'sheet' && table.name !== null ? shortName(table.name) : texts.listName
  return {
    name: template?.element.name ?? name,
    format: 'list',
    description: template?.element.description ?? texts.list(headings),
    items: distinct(items),
  }
}

function shortName(label: string): string {
  const spaced = label.slice(0, 10 * maxNameChars).replaceAll(/\s+/g, ' ')
  const clean = withoutEnd(spaced.replace(/^[^\p{L}\p{N}#]+/u, ''), /[\s:;,*=_.-]/)
  return [...clean].length <= maxNameChars
    ? clean
    : `${[...clean]
        .slice(0, maxNameChars - 1)
        .join('')
        .trimEnd()}…`
}

/** Names are given once: of several the first stands, unless they are columns beside one another. */
function distinct(elements: SchemaElement[]): SchemaElement[] {
  const seen = new Set<string>()
  return elements.filter(({ name }) => {
    const key = plain(name)
    if (key === '' || seen.has(key)) return false
    seen.add(key)
    return true
  })
}

/** The document's title, or the template's name, or «New schema». */
function nameOf(blocks: Block[], locale: Locale): string {
  const kind = kindOfDocument(blocks)
  const template = kind === null ? null : templateByKey(kind, locale)
  if (template !== null) return template.name
  const title = blocks[0]?.lines.slice(0, 3).find((line) => line.length === 1 && !/\d/.test(line[0]!.text))?.[0]?.text
  return title === undefined || title.length > maxNameChars ? draftTexts[locale].schemaName : shortName(title)
}
