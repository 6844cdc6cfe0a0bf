import { isDescription, isKnownLabel, type Field } from './field.ts'
import type { Column, Content } from './list-content.ts'
import { maxBy } from './max-by.ts'
import { meanings } from './words.ts'

/**
 * Gives the columns that no head explains to the sub-fields still open, where what stands in them leaves one choice:
 * the only other column of dates, of words, of codes, of numbers. Returns how many were given.
 */
export function matchByContent(columns: Column[], contents: readonly Content[], fields: readonly Field[]): number {
  let given = 0
  for (const { wants, holds } of kinds) {
    const taken = new Set(columns.map((column) => column.field))
    const open = fields
      .map((field, index) => ({ field, index }))
      .filter(({ field, index }) => !taken.has(index) && wants(field))
    // A head that names something else is not to be read against its word.
    const free = columns
      .map((column, index) => ({ column, content: contents[index]! }))
      .filter(
        ({ column, content }) =>
          column.field === undefined &&
          content.cells > 0 &&
          holds(content) &&
          open.some(({ field }) => !speaksAgainst(column.text, field)),
      )
    if (open.length === 0 || open.length !== free.length) continue
    if (open.some(({ field }, position) => speaksAgainst(free[position]!.column.text, field))) continue
    open.forEach(({ index }, position) => {
      free[position]!.column.field = index
      given++
    })
  }
  given += giveWords(columns, contents, fields)
  return given + giveLast(columns, contents, fields)
}

const kinds: readonly { wants: (field: Field) => boolean; holds: (content: Content) => boolean }[] = [
  { wants: (field) => field.kind === 'date', holds: (content) => content.dates >= 0.6 },
  { wants: (field) => field.kind === 'date', holds: (content) => content.times >= 0.6 },
  {
    wants: (field) => field.kind === 'code',
    holds: (content) => content.codes >= 0.6 && !content.counting && content.money < 0.3,
  },
  {
    wants: (field) => field.kind === 'money' && field.element.format === 'number',
    holds: (content) => content.money >= 0.6 && content.percent < 0.3,
  },
  {
    wants: (field) => field.element.format === 'number',
    holds: (content) => content.numeric >= 0.6 && !content.counting,
  },
]

/** The widest column of words that no head explains is the description. */
function giveWords(columns: Column[], contents: readonly Content[], fields: readonly Field[]): number {
  const open = fields.findIndex(
    (field, index) =>
      (isDescription(field) || field.concept === 'partyName') && !columns.some((column) => column.field === index),
  )
  if (open < 0) return 0
  const silent = [...columns.keys()].filter((index) => {
    const content = contents[index]!
    return (
      columns[index]!.field === undefined &&
      content.words >= 1.5 &&
      !content.announces &&
      content.numeric < 0.3 &&
      content.dates < 0.3 &&
      !speaksAgainst(columns[index]!.text, fields[open]!)
    )
  })
  const best = maxBy(silent, (index) => contents[index]!.words)
  if (best === undefined) return 0
  columns[best]!.field = open
  return 1
}

/** One sub-field and one column of words are left: they belong together. */
function giveLast(columns: Column[], contents: readonly Content[], fields: readonly Field[]): number {
  const open = fields.findIndex((_, index) => !columns.some((column) => column.field === index))
  const free = columns.findIndex((column, index) => column.field === undefined && contents[index]!.cells > 0)
  if (open < 0 || free < 0 || fields.filter((_, index) => !columns.some((column) => column.field === index)).length > 1)
    return 0
  if (columns.filter((column, index) => column.field === undefined && contents[index]!.cells > 0).length > 1) return 0
  const field = fields[open]!
  if (
    field.element.format !== 'text' ||
    (field.kind !== 'text' && field.kind !== 'party') ||
    contents[free]!.words < 0.8 ||
    contents[free]!.announces ||
    speaksAgainst(columns[free]!.text, field)
  )
    return 0
  columns[free]!.field = open
  return 1
}

/** Heads with a meaning of their own: they are only left over because the schema does not ask for them. */
const tellingHeads = new Set(
  'balance tax rate discount unit index nr origin country weight category status comment valuta percent batch serial license currency credit debit ordered remaining paid birth due room'.split(
    ' ',
  ),
)

function speaksAgainst(head: string, field: Field): boolean {
  const words = meanings(head)
  const own = new Set(field.phrases.flatMap((phrase) => phrase.words))
  if (words.some((word) => own.has(word) && word !== 'nr')) return false
  if (field.kind === 'date') return words.some((word) => tellingHeads.has(word))
  return words.some((word) => tellingHeads.has(word)) || (field.element.format === 'number' && isKnownLabel(head))
}
