import type { SchemaElement } from '../../shared/domain/schema.ts'
import type { SchemaChoice, SortingExample, SortingQuestion } from '../../shared/domain/sorting.ts'
import { templatesFor } from '../../electron/core/drafting/templates.ts'
import type { Random } from '../generate/random.ts'
import { kinds } from '../generate/words.ts'
import type { Language } from '../generate/words.ts'
import type { SortingPaper } from './sorting-papers.ts'

/** Kinds that one schema may ask for, or that people take for one another: what is none of these is another kind. */
const near: readonly (readonly string[])[] = [
  [
    ...['invoice', 'credit_note', 'utility_bill', 'phone_bill', 'medical_bill', 'payment_slip', 'receipt', 'reminder'],
    ...['repair_order', 'statement_of_account', 'commission_statement', 'remittance_advice', 'return_authorisation'],
  ],
  [
    ...['purchase_order', 'order_confirmation', 'quote', 'broadcast_order', 'booking_confirmation', 'invoice'],
    ...['repair_order', 'bill_of_quantities', 'framework_agreement'],
  ],
  ['delivery_note', 'packing_list', 'waybill', 'customs_declaration', 'certificate_of_origin', 'return_authorisation'],
  ['bank_statement', 'credit_card_statement', 'brokerage_statement', 'statement_of_account', 'commission_statement'],
  [
    'membership_form',
    'application_form',
    'form',
    'medical_form',
    'medical_claim_form',
    'expense_report',
    'customs_declaration',
    'meter_reading_sheet',
    'accident_report',
    'vaccination_record_card',
    'insurance_card',
    'inspection_report',
    'school_report',
  ],
  ['rental_contract', 'contract', 'insurance_policy', 'broadcast_order'],
  ['payslip', 'tax_form_w2', 'tax_form_1099', 'tax_notice', 'vat_return', 'pensioenoverzicht'],
  ['payslip', 'time_sheet', 'commission_statement', 'expense_report'],
  ['timetable', 'berth_list', 'rota', 'time_sheet'],
  ['expense_report', 'receipt'],
  ['inventory_list', 'price_list', 'packing_list', 'bill_of_materials', 'bill_of_quantities', 'membership_list'],
  [
    ...['certificate', 'insurance_policy', 'insurance_card', 'lab_report', 'report', 'letter', 'contract', 'minutes'],
    ...['inspection_report', 'school_report', 'zulassungsbescheinigung', 'ordonnance_médicale'],
  ],
]
const nearTo = (kind: string): Set<string> => new Set([kind, ...near.filter((some) => some.includes(kind)).flat()])

/** Kinds whose papers the schema of another kind also asks for, where they have none of their own. */
const general: Record<string, string> = {
  credit_note: 'invoice',
  utility_bill: 'invoice',
  phone_bill: 'invoice',
  medical_bill: 'invoice',
  membership_form: 'form',
  application_form: 'form',
  rental_contract: 'contract',
}

/** What schemas for kinds are called that the generator does not draw. */
export const otherNames: Record<string, string> = {
  payment_slip: 'Payment slip|Zahlschein|Einzahlungsschein|Bulletin de versement|Polizza di versamento|Zahlteil',
  tax_form_w2: 'W-2|Wage and tax statement|Tax form',
  medical_claim_form: 'Medical claim form|Claim|Insurance claim',
  insurance_card: 'Insurance card|Versichertenkarte|Health card',
  medical_form: 'Medical form|Patient intake|Patient form',
  form: 'Form|Formular|Formulaire|Formulario|Modulo|Formulier|Registration form',
  contract: 'Contract|Agreement|Vertrag|Contrat|Contrato|Contratto|Overeenkomst',
  report: 'Report|Bericht|Rapport|Informe',
  letter: 'Letter|Brief|Lettre|Carta',
  statement_of_account:
    'Supplier statement|Customer account|Kundenkonto|Relevé de compte client|Estratto conto cliente',
  commission_statement: 'Commission statement|Provisionsabrechnung|Relevé de commissions|Liquidación de comisiones',
  time_sheet: 'Time sheet|Stundenzettel|Feuille d’heures|Urenstaat|Parte de horas',
  rota: 'Rota|Dienstplan|Planning|Cuadrante|Turni|Rooster',
  school_report: 'School report|Zeugnis|Bulletin scolaire|Boletín de notas|Pagella',
  inspection_report: 'Inspection report|Prüfprotokoll|Rapport de contrôle|Keuringsrapport|Rapporto di controllo',
  bill_of_materials: 'Bill of materials|Stückliste|Nomenclature|Lista de materiales|Distinta base|Stuklijst',
  bill_of_quantities: 'Bill of quantities|Leistungsverzeichnis|Devis quantitatif|Mediciones|Computo metrico',
  repair_order: 'Repair order|Werkstattauftrag|Ordre de réparation|Orden de reparación',
}

/** Plurals and the like, as folders and schemas are called. */
const suffixes: Record<Language, readonly string[]> = {
  en: ['s', '', '', ' 2026', ' data', 's inbound'],
  de: ['en', '', '', ' 2026', 'e', ' Eingang'],
  fr: ['s', '', '', ' 2026', ' fournisseurs'],
  es: ['s', '', '', ' 2026'],
  it: ['', '', ' 2026'],
  nl: ['en', '', '', ' 2026'],
}
const blankNames = [
  'Schema 1',
  'Schema',
  'Test',
  'Neu',
  'Documents',
  'Standard',
  'Mein Schema',
  'Scan',
  'Archiv',
  'Import',
]

/** A schema for a kind of paper, before it has a number in a question. */
export type KindSchema = { kind: string; name: string; elements: readonly SchemaElement[] }

/** The templates, in the languages that they are in. */
export const templateSchemas: readonly (readonly KindSchema[])[] = (['en', 'de', 'fr'] as const).map((locale) =>
  templatesFor(locale).map(({ key, name, elements }) => ({ kind: key, name, elements })),
)

/** What a person may call a schema for a kind. */
function nameFor(kind: string, random: Random): string {
  if (random.chance(0.08)) return random.pick(blankNames)
  const known = kinds[kind]
  if (!known) return random.pick((otherNames[kind] ?? kind.replaceAll('_', ' ')).split('|'))
  if (random.chance(0.2)) return random.chance(0.5) ? kind : kind.replaceAll('_', ' ')
  const language = random.pick(['en', 'en', 'de', 'de', 'fr', 'es', 'it', 'nl'] as const)
  return `${random.pick(known.titles[language].split('|'))}${random.pick(suffixes[language])}`
}

/** Everything that questions are made of. */
export type Pool = {
  /** Schemas by the kind of paper that they ask for. */
  schemas: ReadonlyMap<string, readonly (readonly SchemaElement[])[]>
  /** Prints by kind and by sender. */
  prints: readonly { kind: string; sender: string; print: readonly number[]; paper: SortingPaper }[]
}

/** A question about one paper with the right answer; null: none of the schemas. */
export type KindQuestion = { question: SortingQuestion; right: number | null; style: 'plain' | 'twins' | 'none' }

export type QuestionOptions = {
  /** How many schemas are offered; drawn where it is not said. */
  count?: number
  /** Whether the right schema is among them; drawn where it is not said. */
  hasRight?: boolean
  /** None, some of others of the kind, or also one of the same sender; drawn where it is not said. */
  examples?: 'none' | 'kind' | 'sender'
  mayTwin?: boolean
}

/** A question about one paper of those that the pool knows. */
export function questionFor(
  paper: SortingPaper,
  pool: Pool,
  random: Random,
  options: QuestionOptions = {},
): KindQuestion {
  const { hasRight, isTwinned, mode, count } = drawnOptions(options, random)
  const asKind = askedAs(paper.kind, random)
  const right = hasRight ? schemaFor(asKind, paper, pool, random) : null
  const forbidden = hasRight && asKind === paper.kind ? new Set([paper.kind]) : nearTo(paper.kind)
  const others = distractors(paper, pool, forbidden, count - Number(hasRight), random)
  if (isTwinned && others.length > 0) others[0] = schemaFor(asKind, paper, pool, random)
  const all = random.shuffle([...(right ? [right] : []), ...others])
  const examples = all.flatMap((schema, index) => {
    const prints = examplesFor(schema.kind, schema === right, { paper, pool, mode, isTwinned, random })
    return prints.map((print): SortingExample => ({ schemaId: index + 1, print }))
  })
  const schemas: SchemaChoice[] = all.map(({ name, elements }, index) => ({ id: index + 1, name, elements }))
  return {
    question: { schemas, examples, mayCut: false },
    right: right ? all.indexOf(right) + 1 : null,
    style: isTwinned ? 'twins' : hasRight ? 'plain' : 'none',
  }
}

type Drawn = { hasRight: boolean; isTwinned: boolean; mode: ExampleOptions['mode']; count: number }

/** What is not said of a question: a fifth has no right schema, half have no examples. */
function drawnOptions({ hasRight, mayTwin = true, examples, count }: QuestionOptions, random: Random): Drawn {
  const has = hasRight ?? random.chance(0.8)
  return {
    hasRight: has,
    isTwinned: has && mayTwin && random.chance(0.12),
    mode: examples ?? random.pick(['none', 'none', 'kind', 'sender'] as const),
    count: count ?? random.int(2, 8),
  }
}

/** The kind of schema that a paper is asked for by: of its own kind, or of a more general one. */
function askedAs(kind: string, random: Random): string {
  const generally = general[kind]
  return generally !== undefined && random.chance(0.35) ? generally : kind
}

function schemaFor(kind: string, paper: SortingPaper, pool: Pool, random: Random): KindSchema {
  const set = random.pick(templateSchemas)
  const template = set.find((one) => one.kind === kind)
  if (template && random.chance(0.45))
    return random.chance(0.7) ? template : { ...template, name: nameFor(kind, random) }
  const elements =
    kind === paper.kind && paper.schema.length > 0 && random.chance(0.3)
      ? paper.schema
      : random.pick(pool.schemas.get(kind) ?? [template?.elements ?? paper.schema])
  return { kind, name: nameFor(kind, random), elements }
}

function distractors(
  paper: SortingPaper,
  pool: Pool,
  forbidden: ReadonlySet<string>,
  count: number,
  random: Random,
): KindSchema[] {
  if (random.chance(0.35)) {
    const set = random.pick(templateSchemas).filter(({ kind }) => !forbidden.has(kind))
    if (set.length >= count) return random.sample(set, count)
  }
  const allowed = [...pool.schemas.keys()].filter((kind) => !forbidden.has(kind))
  const like = allowed.filter((kind) => nearTo(paper.kind).has(kind))
  const chosen = new Set(random.chance(0.4) ? random.sample(like, Math.min(count, random.int(1, 3))) : [])
  for (const kind of random.sample(allowed, count + like.length)) if (chosen.size < count) chosen.add(kind)
  return [...chosen].map((kind) => schemaFor(kind, paper, pool, random))
}

type ExampleOptions = {
  paper: SortingPaper
  pool: Pool
  mode: 'none' | 'kind' | 'sender'
  isTwinned: boolean
  random: Random
}

/** Prints of papers that a person confirmed for a schema; never the paper itself. */
function examplesFor(kind: string, isRight: boolean, options: ExampleOptions): (readonly number[])[] {
  const { paper, pool, mode, isTwinned, random } = options
  if (mode === 'none' || (!isRight && random.chance(0.25))) return []
  // Of two schemas that ask for the same, only papers of the same sender tell which is meant.
  if (isTwinned && isRight && mode === 'kind') return []
  const isApart = (one: SortingPaper): boolean => one.fold === -1 || paper.fold === -1 || one.fold === paper.fold
  const usable = pool.prints.filter((one) => one.kind === kind && one.sender !== paper.sender && isApart(one.paper))
  const others = random.sample(usable, random.int(isRight && mode === 'sender' ? 0 : 1, 4))
  const same =
    isRight && mode === 'sender'
      ? pool.prints.filter((one) => one.sender === paper.sender && one.paper !== paper && one.kind === paper.kind)
      : []
  return [...others, ...random.sample(same, random.int(1, 2))].map(({ print }) => print)
}
