// In: bookings of one month.
// Out: a batch of bookings in the DATEV format (EXTF 700, category 21 «Buchungsstapel», version 13): semicolons, CRLF,
// Windows-1252, texts in quotes. Fields by the published description, developer.datev.de, «DATEV-Format».
import type { DatevSettings } from '../../../../shared/domain/datev.ts'
import { withoutEnd } from '../../../../shared/domain/without-end.ts'
import { partsOfLines, plainCell } from './cells.ts'
import { inWindows1252, withoutAccents } from './windows-1252.ts'

/** One line of a batch. `key`: of the input tax. Days as YYYY-MM-DD. */
export type DatevBooking = {
  amount: number
  side: 'S' | 'H'
  creditor: string
  expense: string
  key: string | null
  date: string
  due: string | null
  number: string
  text: string
}

const pairs = (count: number, type: string, content: string): string[] =>
  Array.from({ length: count }, (_, at) => [`${type} ${at + 1}`, `${content} ${at + 1}`]).flat()

/** The heads of the 125 columns. DATEV goes by their places. */
const columns = [
  ...'Umsatz (ohne Soll/Haben-Kz);Soll/Haben-Kennzeichen;WKZ Umsatz;Kurs;Basis-Umsatz;WKZ Basis-Umsatz;Konto'.split(
    ';',
  ),
  ...'Gegenkonto (ohne BU-Schlüssel);BU-Schlüssel;Belegdatum;Belegfeld 1;Belegfeld 2;Skonto;Buchungstext'.split(';'),
  ...'Postensperre;Diverse Adressnummer;Geschäftspartnerbank;Sachverhalt;Zinssperre;Beleglink'.split(';'),
  ...pairs(8, 'Beleginfo - Art', 'Beleginfo - Inhalt'),
  ...'KOST1 - Kostenstelle;KOST2 - Kostenstelle;Kost-Menge;EU-Land u. UStID (Bestimmung)'.split(';'),
  ...'EU-Steuersatz (Bestimmung);Abw. Versteuerungsart;Sachverhalt L+L;Funktionsergänzung L+L'.split(';'),
  ...'BU 49 Hauptfunktionstyp;BU 49 Hauptfunktionsnummer;BU 49 Funktionsergänzung'.split(';'),
  ...pairs(20, 'Zusatzinformation - Art', 'Zusatzinformation- Inhalt'),
  ...'Stück;Gewicht;Zahlweise;Forderungsart;Veranlagungsjahr;Zugeordnete Fälligkeit;Skontotyp'.split(';'),
  ...'Auftragsnummer;Buchungstyp;USt-Schlüssel (Anzahlungen);EU-Land (Anzahlungen)'.split(';'),
  ...'Sachverhalt L+L (Anzahlungen);EU-Steuersatz (Anzahlungen);Erlöskonto (Anzahlungen);Herkunft-Kz'.split(';'),
  ...'Buchungs GUID;KOST-Datum;SEPA-Mandatsreferenz;Skontosperre;Gesellschaftername;Beteiligtennummer'.split(';'),
  ...'Identifikationsnummer;Zeichnernummer;Postensperre bis;Bezeichnung SoBil-Sachverhalt'.split(';'),
  ...'Kennzeichen SoBil-Buchung;Festschreibung;Leistungsdatum;Datum Zuord. Steuerperiode;Fälligkeit'.split(';'),
  ...'Generalumkehr (GU);Steuersatz;Land;Abrechnungsreferenz;BVV-Position;EU-Land u. UStID (Ursprung)'.split(';'),
  ...'EU-Steuersatz (Ursprung);Abw. Skontokonto'.split(';'),
]

/** The columns that Sheaf fills, in their order, with what stands there. */
const filled: Record<string, (booking: DatevBooking) => string> = {
  'Umsatz (ohne Soll/Haben-Kz)': ({ amount }) => amount.toFixed(2).replace('.', ','),
  'Soll/Haben-Kennzeichen': ({ side }) => quoted(side),
  'WKZ Umsatz': () => quoted('EUR'),
  Konto: ({ creditor }) => creditor,
  'Gegenkonto (ohne BU-Schlüssel)': ({ expense }) => expense,
  'BU-Schlüssel': ({ key }) => (key === null ? '' : quoted(key)),
  Belegdatum: ({ date }) => `${date.slice(8, 10)}${date.slice(5, 7)}`,
  'Belegfeld 1': ({ number }) => quoted(codeOf(number)),
  // Day, month and year in two digits.
  'Belegfeld 2': ({ due }) => quoted(due === null ? '' : `${due.slice(8, 10)}${due.slice(5, 7)}${due.slice(2, 4)}`),
  Buchungstext: ({ text }) => quoted(plainCell(text, longestText)),
  Festschreibung: () => '0',
}
export const longestCode = 36
const longestText = 60

/** What a person sees of a batch before it is written: the columns that are filled. Pure. */
export function previewOf(bookings: readonly DatevBooking[]): { columns: string[]; rows: string[][] } {
  return {
    columns: Object.keys(filled),
    rows: bookings.map((booking) => Object.values(filled).map((cell) => cell(booking).replace(/^"|"$/g, ''))),
  }
}

/** A batch of bookings of one month (YYYY-MM), in parts. `at`: when it is made, epoch ms. Pure. */
export function* batchOf(
  bookings: readonly DatevBooking[],
  month: string,
  settings: DatevSettings,
  at: number,
): Generator<Buffer> {
  yield inWindows1252(`${header(month, settings, at)}\r\n${columns.join(';')}\r\n`)
  const lineOf = (booking: DatevBooking): string => columns.map((column) => filled[column]?.(booking) ?? '').join(';')
  for (const lines of partsOfLines(bookings, lineOf)) yield inWindows1252(lines)
}

function header(month: string, { consultant, client, yearStart, accountLength }: DatevSettings, at: number): string {
  const [year, number] = month.split('-').map(Number) as [number, number]
  const firstYear = number < yearStart ? year - 1 : year
  const made = new Date(at)
  const two = (part: number): string => String(part).padStart(2, '0')
  const time = [made.getHours(), made.getMinutes(), made.getSeconds()].map(two).join('')
  const day = `${made.getFullYear()}${two(made.getMonth() + 1)}${two(made.getDate())}`
  const lastDay = new Date(Date.UTC(year, number, 0)).getUTCDate()
  return [
    ...[
      '"EXTF"',
      '700',
      '21',
      '"Buchungsstapel"',
      '13',
      `${day}${time}${String(made.getMilliseconds()).padStart(3, '0')}`,
    ],
    ...['', '"SF"', '"Sheaf"', '""', String(consultant), String(client), `${firstYear}${two(yearStart)}01`],
    ...[String(accountLength), `${year}${two(number)}01`, `${year}${two(number)}${two(lastDay)}`],
    ...[quoted(`Sheaf ${month}`), '""', '1', '0', '0', '"EUR"', '', '""', '', '', '""', '', '', '""', '""'],
  ].join(';')
}

/** A text has no control characters; quotes are doubled. */
function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}

/**
 * A number of a document as DATEV takes it: of letters, digits and a few signs, with a stroke for any other; blanks are
 * dropped from a number of digits alone («109 884 312»). Pure.
 */
export function codeOf(text: string): string {
  const number = /^[\d\s]+$/.test(text) ? text.replace(/\s/g, '') : text
  return withoutEnd(withoutAccents(number).replace(/[^\w$&%*+\-/]+/g, '-'), /-/)
}
