import type { ExactSource, ExactValue } from '../../../shared/domain/document.ts'

/** Longer than any that the two standards allow (331 and 997 bytes). */
const maxLetters = 4000

/**
 * What the text of a payment code says: EPC069-12 («Girocode») and the Swiss QR Code (Swiss Implementation Guidelines
 * QR-bill 2.x). Null for the text of any other code, and for one whose IBAN does not hold.
 */
export function paymentCodeFrom(text: string): ExactSource | null {
  if (text.length > maxLetters) return null
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trim())
  const values = lines[0] === 'BCD' ? transferValues(lines) : lines[0] === 'SPC' ? swissValues(lines) : []
  const iban = values.find(({ term }) => term === 'iban')
  if (iban === undefined || !isIban(String(iban.value))) return null
  return { kind: 'payment-code', name: lines[0] === 'BCD' ? 'Girocode' : 'Swiss QR', values }
}

/** EPC069-12, 2: one element a line, the last ones may be missing. */
function transferValues(lines: readonly string[]): ExactValue[] {
  const [, version = '', , identification, bic, name, iban, money = '', , reference, message] = lines
  if (!/^00[12]$/.test(version) || identification !== 'SCT') return []
  const [, currency, amount] = /^([A-Z]{3})(\d+(?:\.\d{1,2})?)$/.exec(money) ?? []
  return said({
    iban: iban?.replaceAll(' ', ''),
    bic,
    creditor_name: name,
    amount: amountOf(amount),
    currency,
    reference,
    message,
  })
}

/** Guidelines QR-bill, 4.2.2: header, IBAN, creditor, ultimate creditor, amount, debtor, reference, message. */
function swissValues(lines: readonly string[]): ExactValue[] {
  const [, version = '', , iban] = lines
  if (!/^02\d\d$/.test(version)) return []
  const [amount, currency] = lines.slice(18, 20)
  const [referenceType, reference, message] = lines.slice(27, 30)
  return said({
    iban: iban?.replaceAll(' ', ''),
    ...swissParty('creditor', lines.slice(4, 11)),
    amount: amountOf(amount),
    currency,
    ...swissParty('debtor', lines.slice(20, 27)),
    reference: referenceType === 'NON' ? undefined : reference,
    message,
  })
}

/** Structured (street, number, postcode, town) or combined (two lines). */
function swissParty(side: string, lines: readonly string[]): Record<string, string | undefined> {
  const [type, name, first = '', second = '', postcode, city, country] = lines
  const street = type === 'K' ? first : `${first} ${second}`.trim()
  const [, lineCode, lineTown] = type === 'K' ? (/^(?:[A-Z]{2}-)?(\d{4,5})\s+(.+)$/.exec(second) ?? []) : []
  const town = type === 'K' ? second : `${postcode ?? ''} ${city ?? ''}`.trim()
  return {
    [`${side}_name`]: name,
    [`${side}_address`]: [street, town].filter((part) => part !== '').join(', '),
    [`${side}_street`]: street,
    [`${side}_postcode`]: type === 'K' ? lineCode : postcode,
    [`${side}_city`]: type === 'K' ? lineTown : city,
    [`${side}_country`]: country,
  }
}

function amountOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,12}(?:\.\d{1,2})?$/.test(text) ? Number(text) : undefined
}

function said(values: Record<string, string | number | undefined>): ExactValue[] {
  return Object.entries(values).flatMap(([term, value]) =>
    value === undefined || value === '' ? [] : [{ term, value }],
  )
}

/** ISO 13616: letters are numbers from 10 on, the first four signs go to the end, and the rest by 97 is 1. */
function isIban(iban: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return false
  let rest = 0
  for (const sign of iban.slice(4) + iban.slice(0, 4))
    rest = Number(`${rest}${/\d/.test(sign) ? sign : sign.charCodeAt(0) - 55}`) % 97
  return rest === 1
}
