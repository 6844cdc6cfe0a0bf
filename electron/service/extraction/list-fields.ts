import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { concepts } from './concepts.ts'
import { isDescription, isItemConcept, understand, type Field, type Phrase } from './field.ts'
import { meanings, surfaceWords, weightOf } from './words.ts'

const discounts: readonly [string, number][] = [
  ['Rab', 1],
  ['Rab %', 1],
  ['Rem', 1],
  ['Dto', 1],
  ['Disc', 1],
  ['Disc %', 1],
  ['Sc', 1],
  ['Krt', 1],
]

/** Heads that only mean this inside a table; they would mislead as labels of a whole document. */
const heads: Readonly<Record<string, readonly [string, number][]>> = {
  quantity: [
    ['shipped', 0.95],
    ['qty shipped', 1],
    ['billed', 0.95],
    ['invoiced', 0.9],
    ['qty invoiced', 1],
    ['geliefert', 0.95],
    ['livrée', 0.95],
    ['entregada', 0.95],
    ['ordered', 0.66],
    ['order qty', 0.8],
    ['packs', 0.7],
    ['hours', 0.9],
    ['hrs', 0.85],
    ['nights', 0.8],
    ['days', 0.7],
    ['Std', 0.85],
    ['Stunden', 0.85],
    ['units', 0.9],
    ['Anz', 1],
    ['count', 0.8],
    ['pcs', 1],
    ['pieces', 1],
    ['Stk', 1],
    ['usage', 0.8],
    ['unid', 0.9],
    ['Verbrauch', 0.75],
    ['Stück', 0.95],
    ['Stuks', 0.95],
    ['Uds', 0.9],
    ['Mge', 1],
    ['Nbre', 0.9],
    ['Ctd', 1],
    ['Aant', 1],
    ['Q.tà', 1],
    ['Q.ta', 1],
    ['delivered', 0.9],
    ['livré', 0.9],
    ['entregado', 0.9],
    ['consegnato', 0.9],
    ['geleverd', 0.9],
    ['amount ordered', 0.95],
    ['gelieferte Menge', 1],
    ['quantité livrée', 1],
    ['cantidad entregada', 1],
    ['quantità consegnata', 1],
  ],
  quantityOrdered: [
    ['order', 0.9],
    ['commandé', 1],
    ['bestellt', 1],
    ['pedido', 0.9],
    ['ordered', 1],
    ['order qty', 1],
  ],
  documentNumber: [
    ['invoice', 0.9],
    ['document', 0.85],
    ['document no', 0.9],
    ['Beleg', 0.9],
    ['facture', 0.9],
  ],
  documentDate: [
    ['vom', 0.8],
    ['dated', 0.8],
    ['du', 0.7],
    ['day', 0.85],
    ['Tag', 0.85],
    ['jour', 0.85],
    ['día', 0.85],
    ['dag', 0.85],
  ],
  articleNumber: [
    ['code', 0.85],
    ['ref', 0.85],
    ['part', 0.8],
    ['item', 0.75],
    ['SKU', 1],
  ],
  unit: [
    ['UM', 1],
    ['unid', 0.9],
    ['U/M', 1],
    ['UOM', 1],
    ['ME', 1],
    ['Einh', 1],
    ['per', 0.85],
    ['UV', 0.7],
    ['pack', 0.6],
    ['VE', 0.7],
    ['UoM', 1],
    ['Eh', 0.9],
    ['Un mis', 1],
    ['Unité de mesure', 1],
    ['Eenh', 1],
    ['Ehd', 1],
    ['U', 0.85],
    ['Un', 0.9],
  ],
  unitPrice: [
    ['each', 0.9],
    ['E-Preis', 1],
    ['EP', 1],
    ['PU', 1],
    ['price net', 0.9],
    ['price per', 0.9],
    ['Preis/ME', 1],
    ['cost', 0.7],
    ['tarif', 0.8],
    ['Satz', 0.75],
    ['rate', 0.9],
    ['valor unitario', 1],
    ['P/U', 1],
    ['P unit', 1],
    ['P unitario', 1],
    ['Pr unitario', 1],
    ['Prijs p/st', 1],
  ],
  debit: [
    ['Cargos', 0.9],
    ['Sorties', 0.9],
  ],
  bookingDate: [
    ['F. operación', 1],
    ['Buchungsdatum', 1],
  ],
  valueDate: [
    ['F. valor', 1],
    ['Val. date', 1],
  ],
  lineAmount: [
    ['net value', 1],
    ['value', 0.8],
    ['ext price', 1],
    ['extension', 0.8],
    ['extended', 1],
    ['ext amount', 1],
    ['line value', 1],
    ['GP', 1],
    ['G-Preis', 1],
    ['Positionswert', 1],
    ['Wert', 0.75],
    ['charge', 0.85],
    ['charges', 0.85],
    ['cost', 0.72],
    ['net', 0.8],
    ['netto', 0.8],
    ['prix total', 1],
    ['valor', 0.75],
    ['sum', 0.9],
    ['price', 0.66],
    ['debits', 0.5],
    ['Regelbedrag', 1],
  ],
  description: [
    ['service', 0.85],
    ['particulars', 1],
    ['goods', 0.85],
    ['work', 0.75],
    ['activity', 0.85],
    ['material', 0.7],
    ['marchandise', 0.8],
    ['nature', 0.75],
    ['Tätigkeit', 0.85],
    ['task', 0.8],
    ['merchant', 0.9],
    ['payee', 0.8],
    ['Händler', 0.85],
    ['expense', 0.7],
    ['part', 0.7],
    ['ware', 0.85],
    ['contents', 0.8],
    ['Inhalt', 0.75],
    ['prestation', 0.85],
    ['treatment', 0.8],
    ['procedure', 0.75],
    ['Leistungsart', 0.8],
    ['remarks', 0.5],
    ['line item', 0.85],
    ['entry', 0.85],
    ['Artikelomschrijving', 1],
  ],
  bookingText: [
    ['merchant', 0.9],
    ['details of transaction', 1],
    ['narrative', 1],
    ['reference', 0.6],
    ['payee', 0.85],
  ],
  startDate: [
    ['Kommt', 0.9],
    ['in', 0.8],
    ['clock in', 0.9],
    ['Arbeitsbeginn', 1],
    ['Beginn', 1],
  ],
  endDate: [
    ['Geht', 0.9],
    ['out', 0.8],
    ['clock out', 0.9],
    ['Arbeitsende', 1],
    ['Ende', 1],
  ],
  totalWeight: [
    ['Wt', 1],
    ['kg', 0.9],
  ],
  netWeight: [
    ['N.W.', 1],
    ['net kg', 1],
    ['netto kg', 1],
    ['net wt', 1],
    ['poids net', 1],
    ['peso neto', 1],
  ],
  grossWeight: [
    ['G.W.', 1],
    ['gross kg', 1],
    ['brutto kg', 1],
    ['gross wt', 1],
    ['poids brut', 1],
    ['peso bruto', 1],
  ],
  discount: discounts,
  percentDiscount: discounts,
  net: [
    ['base', 1],
    ['Basis', 0.95],
    ['taxable', 1],
    ['net', 0.95],
    ['goods', 0.7],
    ['Bemessungsgrundlage', 1],
    ['base HT', 1],
    ['base imponible', 1],
    ['Netto', 1],
    ['Entgelt', 0.8],
  ],
  tax: [
    ['cuota', 1],
    ['cuota IVA', 1],
    ['tax', 0.9],
    ['montant TVA', 1],
    ['tax amount', 1],
  ],
  taxRate: [
    ['rate', 0.9],
    ['tipo', 0.85],
    ['taux', 1],
    ['% IVA', 1],
    ['Satz', 1],
    ['tax', 0.6],
    ['%', 0.8],
  ],
}
const phrases = new Map<string, Phrase[]>(
  Object.entries(heads).map(([concept, labels]) => [
    concept,
    labels.map(([label, weight]) => ({ words: meanings(label), weight })),
  ]),
)

/** Heads of the tables of tax rates are names of other things elsewhere. */
const ofTaxes = new Set(['net', 'tax', 'taxRate'])
/** From this weight on a head is also a name of the sub-field; one of the weight 1 has no other meaning in a list. */
const leastNaming = 0.85
/** What a sub-field is that is called as a column is («Stück», «Q.tà», «SKU»), by the words of the head. */
const columnNames = new Map<string, { concept: string; weight: number }>()
for (const [concept, labels] of Object.entries(heads))
  for (const [label, weight] of ofTaxes.has(concept) ? [] : labels) {
    const key = surfaceWords(label).join(' ')
    if (weight >= leastNaming && weight > (columnNames.get(key)?.weight ?? 0)) columnNames.set(key, { concept, weight })
  }

const dateFormat = /\b(?:YYYY|JJJJ|AAAA|yyyy|jjjj|aaaa)[-./](?:MM|mm)|\b(?:DD|TT|JJ)[-./]MM\b|ISO 8601/u

/**
 * The sub-fields of a list as they are to be looked for in the heads of tables. Beyond what each says alone, the list's
 * own name counts («Named Drivers» over a column «Driver»), and in a list of tax rates «base» is a net amount.
 */
export function understandItems(list: SchemaElement): Field[] {
  const taxList = isTaxList(list)
  const items = list.items ?? []
  const taken = new Set(items.map((item) => understoodByName(item).concept))
  const fields = items.map((item) => inTable(item, taxList, taken))
  const described = fields.filter((field) => field.concept === 'description')
  // «mitarbeiter» beside «leistung» is a name, not what was done.
  for (const field of described)
    if (field.side === 'buyer' || (field.side && described.some((one) => !one.side)))
      Object.assign(field, {
        concept: 'partyName',
        kind: 'party',
        phrases: [{ words: meanings(field.element.name), weight: 1 }],
      })
  renameByOthers(fields)
  nameOnlyAmount(fields)
  // «purchases and payments; payments negative» is said of the list and meant for its amounts.
  for (const field of fields)
    if (field.kind === 'money' && list.description !== '')
      field.element = { ...field.element, description: `${field.element.description}; ${list.description}` }
  addListName(fields, list.name)
  keepUnitsApart(fields)
  return fields
}

/** Whether a list asks for the table of tax rates of an invoice. */
function isTaxList({ name, description, items = [] }: SchemaElement): boolean {
  const about = [...meanings(name), ...meanings(description)]
  return (
    about.includes('tax') &&
    about.length <= 14 &&
    items.every((item) => item.format === 'number' || surfaceWords(item.name).length <= 2) &&
    items.filter((item) => item.format === 'number').length >= 2 &&
    !items.some((item) => ['quantity', 'description'].includes(understand(item, 'list').concept ?? ''))
  )
}

/**
 * «ref», «code» beside a description is the article's; «qte_livree» is the quantity, whatever was ordered; «Position»
 * without a description is what a line is called.
 */
function renameByOthers(fields: Field[]): void {
  const has = (wanted: string): boolean => fields.some((one) => one.concept === wanted)
  for (const [index, { element, concept }] of fields.entries()) {
    const isDescribed = fields.some((one) => one !== fields[index] && one.concept === 'description')
    if (isDescribed && isArticleName(element) && !has('articleNumber'))
      fields[index] = renamed(element, 'article number', 'articleNumber', 'list')
    if (concept === undefined && isDeliveredQuantity(element) && !has('quantity'))
      fields[index] = renamed(element, 'quantity', 'quantity', 'list')
    if (concept === 'lineIndex' && isPosition(element) && !isDescribed && !isNamed(fields))
      fields[index] = renamed(element, 'description', 'description', 'list')
  }
}

/** «Stück» heads quantities, except where a column of units is asked for as well; one that is called so stays one. */
function keepUnitsApart(fields: readonly Field[]): void {
  if (!fields.some((field) => field.concept === 'unit')) return
  for (const field of fields)
    if (field.concept === 'quantity')
      field.phrases = field.phrases.filter(({ words }, place) => place === 0 || words.join(' ') !== 'unit')
}

const articleNames =
  /^(?:r[eé]f|r[ée]f[ée]rence|referencia|rif|code|codice|cod|c[oó]digo|no|nr|item|part|article|artikel|art[ií]culo|articolo)\.?$/iu

function isArticleName({ name, format }: SchemaElement): boolean {
  return format === 'text' && articleNames.test(name.trim())
}

/** Whether rows are told apart by a number or by somebody. */
function isNamed(fields: readonly Field[]): boolean {
  return fields.some(({ kind }) => kind === 'party' || kind === 'code')
}

function isPosition({ name, description, format }: SchemaElement): boolean {
  const words = meanings(description)
  const saysNumber = words.includes('nr') || words.join() === 'index'
  return format === 'text' && /^(?:position|posten|voce)$/iu.test(name.trim()) && !saysNumber
}

function isDeliveredQuantity({ name, format }: SchemaElement): boolean {
  const words = meanings(name.trim())
  return format === 'number' && words.includes('quantity') && (words.includes('delivery') || words.includes('shipping'))
}

/** In a list without an amount of the row, the only sum of money of no other meaning is that amount. */
function nameOnlyAmount(fields: readonly Field[]): void {
  if (fields.some((field) => field.concept === 'lineAmount')) return
  const [cost, other] = fields.filter(
    (field) =>
      field.concept === undefined &&
      field.kind === 'money' &&
      meanings(field.element.name).some((word) =>
        ['cost', 'value', 'total', 'price', 'fee', 'surcharge', 'premium'].includes(word),
      ),
  )
  if (!cost || other) return
  cost.concept = 'lineAmount'
  cost.phrases.push(...(phrases.get('lineAmount') ?? []))
}

/** The name of the list may head the column of its texts («type» of earnings) or of its amounts. */
function addListName(fields: readonly Field[], name: string): void {
  const title = meanings(name).filter((word) => weightOf(word) === 1)
  if (title.length === 0 || title.length > 3) return
  const phrase = { words: [title.at(-1)!], weight: 0.7 }
  const texts = fields.filter(({ element }) => element.format === 'text')
  const [only, other] = texts
  const named = texts.find(takesListName) ?? (other || only?.concept ? undefined : only)
  named?.phrases.push(phrase)
  fields.find((one) => one.concept === 'lineAmount')?.phrases.push(phrase)
}

function takesListName(field: Field): boolean {
  return isDescription(field) || field.concept === 'partyName' || field.concept === 'lineAmount'
}

/** Names too short to be understood alone: the two ends of a time. */
const endNames: readonly { pattern: RegExp; name: string; concept: string }[] = [
  { pattern: /^(?:von|from|kommt|in|desde|du)$/iu, name: 'start date', concept: 'startDate' },
  { pattern: /^(?:bis|to|geht|out|hasta|au)$/iu, name: 'end date', concept: 'endDate' },
]

/** What the columns of a table of tax rates are called: by meaning, or by the printed word; the first that fits. */
const taxColumns: readonly { words: string[]; printed?: RegExp; name: string; concept: string }[] = [
  { words: ['rate', 'percent'], printed: /^tipo$/, name: 'tax rate', concept: 'taxRate' },
  {
    words: ['net'],
    printed: /^(?:base|basis|taxable|bemessungsgrundlage)$/,
    name: 'net amount',
    concept: 'net',
  },
  { words: ['gross', 'total'], name: 'gross amount', concept: 'gross' },
  { words: ['tax', 'amount'], printed: /^cuota$/, name: 'tax amount', concept: 'tax' },
]

/** `taken`: what the sub-fields of the list mean by their names alone. */
function inTable(item: SchemaElement, taxList: boolean, taken: ReadonlySet<string | undefined>): Field {
  const field = understoodByName(item)
  const percent = isPercent(item)
  const column = knownColumn(item, field, percent, taxList)
  if (column) return renamed(item, column.name, column.concept)
  const called = calledAsColumn(item, field, taken)
  if (called !== undefined) Object.assign(field, renamed(item, concepts[called]!.names[0]!, called, 'list'))
  if (percent && field.kind === 'money') field.kind = 'percent'
  if (item.format === 'text' && field.kind === 'text' && dateFormat.test(item.description)) field.kind = 'date'
  if (called === undefined) field.phrases.push(...(phrases.get(field.concept ?? '') ?? []))
  return field
}

/**
 * The concept of a name that heads of tables have, where it has no meaning among sub-fields yet: no other sub-field has
 * it, and the description asks for nothing else («delivered | delivery date, YYYY-MM-DD»).
 */
function calledAsColumn(
  item: SchemaElement,
  { concept, kind }: Field,
  taken: ReadonlySet<string | undefined>,
): string | undefined {
  const found = columnNames.get(surfaceWords(item.name).join(' '))
  if (found === undefined) return undefined
  const column = concepts[found.concept]!
  const isNumber = column.kind === 'number' || column.kind === 'money' || column.kind === 'percent'
  if (isNumber !== (item.format === 'number') || (kind === 'date' && column.kind !== 'date')) return undefined
  if (found.weight === 1) return found.concept
  const said = item.description === '' ? undefined : understand({ ...item, name: item.description }, 'list').concept
  const isOpen = concept === undefined || !isItemConcept(concept)
  return isOpen && !taken.has(found.concept) && (said ?? found.concept) === found.concept ? found.concept : undefined
}

/** The column of tables that a name means only there. */
function knownColumn(
  item: SchemaElement,
  field: Field,
  percent: boolean,
  taxList: boolean,
): { name: string; concept: string } | undefined {
  if (item.format === 'text')
    return field.concept === undefined ? endNames.find(({ pattern }) => pattern.test(item.name.trim())) : undefined
  if (item.format !== 'number') return undefined
  const words = meanings(item.name)
  if (percent && field.kind !== 'percent' && (taxList || words.includes('tax') || words.includes('rate')))
    return taxColumns[0]
  if (!taxList) return undefined
  const printed = surfaceWords(item.name)
  return taxColumns.find(
    (one) => one.words.some((word) => words.includes(word)) || printed.some((word) => one.printed?.test(word) ?? false),
  )
}

function isPercent({ name, description, format }: SchemaElement): boolean {
  return (
    format === 'number' &&
    (/^\s*\(?\s*%|\b(?:in|en) %|percent|prozent/iu.test(description) || /%|pct|percent|prozent/iu.test(name))
  )
}

/** «amount | negative for debits»: what a row's amount is said to be in passing makes it no total of the document. */
function understoodByName(item: SchemaElement): Field {
  const field = understand(item, 'list')
  if (field.concept === 'lineAmount' || item.format !== 'number' || item.description === '') return field
  const plain = understand({ ...item, description: '' }, 'list')
  return plain.concept === 'lineAmount' && field.kind === 'money' && field.concept !== 'unitPrice'
    ? { ...plain, element: item }
    : field
}

/** The sub-field understood under another name, which its own name still answers to. */
function renamed(item: SchemaElement, name: string, concept: string, within: 'document' | 'list' = 'document'): Field {
  const field = understand({ ...item, name }, within)
  return {
    ...field,
    element: item,
    concept,
    phrases: [{ words: meanings(item.name), weight: 1 }, ...field.phrases, ...(phrases.get(concept) ?? [])],
  }
}
