import type { SchemaElement, TextKind } from './schema.ts'

/** What a field of a business document holds, as far as its value can be checked by that. */
export type Meaning =
  | 'net'
  | 'tax'
  | 'gross'
  | 'opening_balance'
  | 'closing_balance'
  | 'rate'
  | 'line_amount'
  | 'quantity'
  | 'unit_price'
  | 'date'
  | 'iban'
  | 'vat_id'

const taxWords =
  '(?:tax|taxes|vat|gst|hst|mwst|mehrwertsteuer|ust|umsatzsteuer|steuer|tva|taxe|taxes|iva|igic|impuestos?|imposte?|btw|belasting)'
const withoutWords =
  '(?:before|without|excluding|excl|exclusive|ohne|exkl|zzgl|hors|sin|sense|senza|escl|esclusa|zonder|exclusief)'
const withWords = '(?:with|including|incl|inclusive|mit|inkl|einschliesslich|ttc|avec|con|incluido|inclusa|inclusief)'

/**
 * Amounts that are neither net, tax nor gross although their names have those words. What a subtotal leaves out
 * (tips, discounts, freight) is different on each document.
 */
const otherAmounts =
  /\b(sub ?totals?|subtotaal|subtotale|zwischensumme|sous total|discounts?|rabatte?|skonto|remises?|descuentos?|sconto|korting|paid|bezahlt|payee?s?|pagad[oa]|betaald|deposits?|anzahlung|acompte|anticipo|balance|saldo|solde|previous|opening|closing|change|tip|tips|trinkgeld|pourboire|freight|shipping|versand\w*|porto|fees?|points?|weight|gewicht\w*|poids|peso|measurement|volume|pages?|kwh|assets|aktiva|passiva|activa|liabilities|equity|payments|deductions|wages|salary|lohn\w*|income|einkommen\w*|revenue|profit|result|limit|insured|cash|bank|packages|cartons|items?|positions?|hours?|stunden|heures|horas|ore|days?|social|medicare|federal|state|local|withheld|number|nummer|count|anzahl|exempt\w*)\b/

/** The first that fits counts. Words are lower case, without accents, with one space between and around them. */
const names: readonly [Meaning, RegExp][] = [
  ['iban', /\biban\b/],
  [
    'opening_balance',
    /\b((?:opening|old|initial|starting|beginning) balance|balance (?:brought )?forward|alter (?:konto)?(?:saldo|stand)|anfangs(?:saldo|bestand)|ancien solde|solde (?:initial|d ouverture|ancien)|saldo (?:inicial|iniziale|anterior)|begin ?saldo|oud saldo)\b/,
  ],
  [
    'closing_balance',
    /\b((?:closing|new|ending|final) balance|neuer (?:konto)?(?:saldo|stand)|(?:end|schluss)(?:saldo|bestand)|nouveau solde|solde (?:final|nouveau|de cloture)|saldo (?:final|finale|nuevo|nuovo)|eind ?saldo|nieuw saldo)\b/,
  ],
  [
    'vat_id',
    new RegExp(
      `\\b(?:${taxWords} (?:id|ids|idnr|identnr|ident|identification|reg|registration|no|nr|num|number|nummer|numero|n)\\b|(?:numero|num|n|nr|no|numero de) ${taxWords}\\b|vatid|ustid|ustidnr|uid nummer|partita iva|p iva|piva|cif|nif)\\b`,
    ),
  ],
  [
    'date',
    /\b(date|dates|dated|day|datum|\w+datum|buchungstag|valuta|faelligkeit|falligkeit|echeance|jour|fecha|vencimiento|data|scadenza|giorno|vervaldag)\b/,
  ],
  [
    'rate',
    new RegExp(
      `\\b(?:${taxWords} (?:rate|percent|percentage|pct|satz|prozent|%)|(?:taux|aliquota|tipo|tarief|percentage)(?: \\w+)? ${taxWords}|\\w*steuersatz|mwstsatz|ustsatz|taux d imposition|aliquota)(?= |$)`,
    ),
  ],
  [
    'unit_price',
    /\b(unit (?:price|cost|amount)|price (?:per|each)|einzelpreis|stuckpreis|e preis|ep|prix (?:unitaire|unite)|pu|precio (?:unitario|unidad)|prezzo (?:unitario|unita)|stuksprijs|stukprijs|eenheidsprijs|price|preis|prix|precio|prezzo|prijs)\b/,
  ],
  [
    'quantity',
    /\b(quantity|qty|quantities|menge|anzahl|quantite|qte|cantidad|quantita|qta|hoeveelheid|aantal|units)\b/,
  ],
  [
    'gross',
    new RegExp(
      `\\b(?:${withWords} (?:\\w+ )?${taxWords}|ttc|net a payer|netto a pagare|gross|brutto\\w*|bruto|lordo|payable|zahlbetrag|zu zahlen|total to pay|a payer|a pagar|da pagare|te betalen|grand total)\\b`,
    ),
  ],
  [
    'net',
    new RegExp(
      `\\b(?:${withoutWords} (?:\\w+ )?${taxWords}|net|nett|netto\\w*|neto|ht|base imponible|imponibile|taxable (?:amount|base))\\b`,
    ),
  ],
  [
    'tax',
    new RegExp(`\\b(?:${taxWords}|steuer(?:betrag|summe)|\\w+steuer(?:betrag|summe)?|mwst ?betrag|ust ?betrag)\\b`),
  ],
  [
    'line_amount',
    /\b((?:line|row|item|zeilen|positions) (?:total|amount|sum|betrag|summe)|zeilen(?:betrag|summe)|positions(?:betrag|summe)|extended (?:cost|price|amount))\b/,
  ],
  [
    'gross',
    /\b(total|totals|gesamt\w*|summe|rechnungs(?:betrag|summe)|end(?:betrag|summe)|totale|totaal|total\w*|invoice amount|montant de la facture)\b/,
  ],
  ['line_amount', /\b(amount|amounts|betrag|montant|importe|importo|bedrag|cost|costs|charge|charges|sum)\b/],
]

/**
 * Said of an amount whose name alone says nothing; descriptions tell more than one thing, so only whole phrases count.
 */
const descriptions = names
  .filter(([meaning]) => meaning === 'iban' || meaning === 'vat_id')
  .concat([
    [
      'net',
      new RegExp(
        `\\b(?:total|amount|sum|summe|betrag|montant|importe|importo|bedrag) ${withoutWords} (?:\\w+ )?${taxWords}\\b`,
      ),
    ],
    [
      'gross',
      new RegExp(
        `\\b(?:total|amount|sum|summe|betrag|montant|importe|importo|bedrag) ${withWords} (?:\\w+ )?${taxWords}\\b`,
      ),
    ],
  ])

/** A kind says it by itself. */
const ofKinds: Partial<Record<TextKind, Meaning>> = { date: 'date', iban: 'iban', vat_id: 'vat_id' }

const textMeanings = new Set<Meaning>(['date', 'iban', 'vat_id'])

/**
 * What a field holds, by the kind of its text; without one guessed from its name and, where that says nothing, from its
 * description (EN, DE, FR, ES, IT, NL). Null where neither says it or the field cannot hold that. Pure.
 */
export function meaningOf(element: SchemaElement): Meaning | null {
  if (element.format === 'list' || element.format === 'boolean') return null
  if (element.kind !== undefined) return ofKinds[element.kind] ?? null
  const name = wordsOf(element.name)
  const meaning = fitting(names, name) ?? fitting(descriptions, wordsOf(element.description))
  if (meaning === null) return null
  if (textMeanings.has(meaning) !== (element.format === 'text')) return null
  return (meaning === 'net' || meaning === 'tax' || meaning === 'gross') && otherAmounts.test(name) ? null : meaning
}

function fitting(table: readonly [Meaning, RegExp][], words: string): Meaning | null {
  return table.find(([, pattern]) => pattern.test(words))?.[0] ?? null
}

function wordsOf(text: string): string {
  return text
    .replace(/MwSt/g, 'Mwst')
    .replace(/(\p{Ll}|\d)(?=\p{Lu})/gu, '$1 ')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .replace(/[^a-z0-9%]+/g, ' ')
    .trim()
}
