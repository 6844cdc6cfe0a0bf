// In: bookings of one month.
// Out: a batch of bookings in the DATEV format (EXTF 700, category 21 «Buchungsstapel», version 13): semicolons, CRLF,
// Windows-1252, texts in quotes. Fields by the published description, developer.datev.de, «DATEV-Format».
import type { DatevSettings } from '../../../../shared/domain/datev.ts'
import { withoutEnd } from '../../../../shared/domain/without-end.ts'
import type { Booking } from './bookings.ts'

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
const filled: Record<string, (booking: Booking) => string> = {
  'Umsatz (ohne Soll/Haben-Kz)': ({ amount }) => amount.toFixed(2).replace('.', ','),
  'Soll/Haben-Kennzeichen': ({ side }) => quoted(side),
  'WKZ Umsatz': () => quoted('EUR'),
  Konto: ({ creditor }) => creditor,
  'Gegenkonto (ohne BU-Schlüssel)': ({ expense }) => expense,
  'BU-Schlüssel': ({ key }) => (key === null ? '' : quoted(key)),
  Belegdatum: ({ date }) => `${date.slice(8, 10)}${date.slice(5, 7)}`,
  'Belegfeld 1': ({ number }) => quoted(code(number)),
  // Day, month and year in two digits.
  'Belegfeld 2': ({ due }) => quoted(due === null ? '' : `${due.slice(8, 10)}${due.slice(5, 7)}${due.slice(2, 4)}`),
  // Who opens the file in a spreadsheet runs nothing.
  Buchungstext: ({ text }) => quoted(cut(text.replace(/^[=+\-@\s]+/, ''), longestText)),
  Festschreibung: () => '0',
}
const [longestCode, longestText] = [36, 60]

/** What a person sees of a batch before it is written: the columns that are filled. Pure. */
export function previewOf(bookings: readonly Booking[]): { columns: string[]; rows: string[][] } {
  return {
    columns: Object.keys(filled),
    rows: bookings.map((booking) => Object.values(filled).map((cell) => cell(booking).replace(/^"|"$/g, ''))),
  }
}

/** So many lines at a time: everything else in this process waits for them. */
const linesAtOnce = 500

/** A batch of bookings of one month (YYYY-MM), in parts. `at`: when it is made, epoch ms. Pure. */
export function* batchOf(
  bookings: readonly Booking[],
  month: string,
  settings: DatevSettings,
  at: number,
): Generator<Buffer> {
  yield inWindows1252(`${header(month, settings, at)}\r\n${columns.join(';')}\r\n`)
  for (let from = 0; from < bookings.length; from += linesAtOnce) {
    const lines = bookings
      .slice(from, from + linesAtOnce)
      .map((booking) => `${columns.map((column) => filled[column]?.(booking) ?? '').join(';')}\r\n`)
    yield inWindows1252(lines.join(''))
  }
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

function cut(text: string, most: number): string {
  return text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, most)
}

/** A number of a document may have letters, digits and a few signs; a stroke stands for any other. */
function code(text: string): string {
  return withoutEnd(plain(text).replace(/[^\w$&%*+\-/]+/g, '-'), /-/).slice(0, longestCode)
}

function plain(text: string): string {
  return text.replaceAll('ß', 'ss').normalize('NFD').replace(/\p{M}/gu, '')
}

const upper = new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 128 }, (_, at) => at + 128))
const bytes = new Map([...upper].map((sign, at) => [sign, at + 128]))

/** What the code page does not have is written without its accents, or as a question mark. */
function inWindows1252(text: string): Buffer {
  const byteOf = (sign: string): number | undefined => (sign < '\u0080' ? sign.charCodeAt(0) : bytes.get(sign))
  return Buffer.from(
    [...text.normalize('NFC')].flatMap((sign) => {
      const byte = byteOf(sign)
      return byte === undefined ? [...plain(sign)].map((part) => byteOf(part) ?? 63) : [byte]
    }),
  )
}
