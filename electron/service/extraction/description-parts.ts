import type { SchemaElement } from '../../../shared/domain/schema.ts'

/** How people announce an example, in the languages of the window and their neighbours. «EG» and «ZB» are words. */
const openings = [
  String.raw`e\.\s?g\.?|for example|for instance|such as`,
  String.raw`z\.\s?b\.?|zum beispiel`,
  String.raw`p\.\s?ex\.?|par exemple`,
  String.raw`p\.\s?ej\.?|por ejemplo`,
  String.raw`(?:ad|per) es(?:\.|empio)`,
  String.raw`bijv(?:\.|oorbeeld)`,
]
const announced = String.raw`(?<!\p{L})(?:${openings.join('|')})(?!\p{L})`
/** An apostrophe inside a word is no quote. */
const quoted = String.raw`(?<!\p{L})[«"“„'‘]([^«»"“”„'’]+)[»"”“'’](?!\p{L})`
const examplesInside = new RegExp(String.raw`${announced}[\s,:]*((?:${quoted}|[^;()\n])+?)(?=[;()\n]|\.\s|\.?$)`, 'giu')
const inQuotes = new RegExp(quoted, 'gu')

/** A description is not a list of examples. */
const mostExamples = 4

/**
 * A description without its examples, which do not name what is asked for, and those: all in quotes («e.g. 'KD-4711',
 * 'KD-12'»), of others the first, since an instruction may follow.
 */
export function splitExamples(description: string): { description: string; examples: string[] } {
  const examples: string[] = []
  const rest = description.replace(examplesInside, (_, list: string) => {
    const written = [...list.matchAll(inQuotes)].map(([, text = '']) => text.trim())
    examples.push(...(written.length > 0 ? written : [list.split(/,\s|\s(?:or|oder|ou|o)\s/u)[0]!.trim()]))
    return ' '
  })
  return { description: rest.replace(/\(\s*\)/gu, ' '), examples: examples.slice(0, mostExamples) }
}

/** «line1_address» is a line of an address. */
const boxOfName =
  /^(?:box|field|feld|case|casilla|riquadro|vak)[\s_.-]*(\d{1,3}(?:[a-z](?![\p{L}\d]))?)(?!\d)[\s_.-]*(?=\S)/iu
const boxes = 'box|field|line|feld|zeile|case|ligne|casilla|línea|riquadro|rigo|vak|regel'
/** At the beginning or in brackets; «PO box 12» is an address, «Feld 20 Zeichen» a length. */
const boxInDescription = new RegExp(
  String.raw`(?<=^\s*|\(\s*)(?:(?:${boxes})\s+(?:n[or°]\.?\s+)?(\d{1,3}[a-z]?)|box\s+([a-z]))(?![\p{L}\d])`,
  'iu',
)

/** A field without the number that its form gives it, and that («box16StateWages», «State wages (box 16)»). */
export function splitNumber(element: SchemaElement): { element: SchemaElement; number: string | undefined } {
  const [named, ofName] = boxOfName.exec(element.name) ?? ['', undefined]
  const [, digits, letter] = boxInDescription.exec(element.description) ?? []
  return {
    element: {
      ...element,
      name: element.name.slice(named.length),
      description: element.description.replace(boxInDescription, ' ').replace(/\(\s*\)/gu, ' '),
    },
    number: (ofName ?? digits ?? letter)?.toLowerCase(),
  }
}
