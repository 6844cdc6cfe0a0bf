import type { Box, ExactValue } from '../../../shared/domain/document.ts'
import { clampToPage } from '../numbers.ts'
import type { FormField } from '../pdf/form-fields.ts'
import { formLabels } from '../pdf/form-labels.ts'
import type { Word } from '../pdf/words.ts'

/** Each field is compared with each word, some times over: a full page of 300 fields and 3000 words takes 100 ms. */
const maxComparisons = 5_000_000

type PageSize = { number: number; width: number; height: number }

/**
 * What the fields of a page's form say: the text of each, true or false for a box, and the ticked answers for a
 * question. The term is what people see: the label that is printed beside, and the tooltip where it says something
 * else; the name in the file where there is neither. Fields without a text say nothing.
 */
export function formValues(fields: readonly FormField[], words: readonly Word[], page: PageSize): ExactValue[] {
  if (fields.length === 0 || fields.length * words.length > maxComparisons) return []
  const { labels, questions } = formLabels(fields, words)
  const own = fields.flatMap((field) => {
    const printed = labels.get(field) ?? ''
    // «Yes» means something with its question only.
    if (field.kind !== 'text' && isPlainAnswer(printed)) return []
    return valuesOf(termsOf(field, printed), field, page)
  })
  const asked = questions.flatMap(({ text, answers }) => {
    const ticked = answers.filter(({ value }) => value === true)
    const value = ticked
      .map((answer) => labels.get(answer) ?? '')
      .filter((label) => label !== '')
      .join(', ')
    const terms = [text, ...(answers[0]!.kind === 'answer' ? telling([answers[0]!.tooltip]) : [])]
    if (value === '') return []
    // What yes or no answers is said at each of both boxes: none of them says anything else.
    const places = answers.every((answer) => isPlainAnswer(labels.get(answer) ?? '')) ? answers : ticked.slice(0, 1)
    return places.flatMap((answer) => valuesOf(distinct(terms), { ...answer, value }, page))
  })
  return [...own, ...asked]
}

function termsOf({ name, tooltip, kind }: FormField, printed: string): string[] {
  // A tooltip of a group of answers asks its question.
  const seen = distinct(telling(kind === 'answer' ? [printed] : [printed, tooltip]))
  return seen.length > 0 ? seen : telling([name.split('.').at(-1) ?? ''])
}

/** «Text1», «Kontrollkästchen 12», «undefined_3»: a word with a number is given by the program that made the form. */
function telling(names: readonly string[]): string[] {
  return names.filter((name) => /\p{L}{2}/u.test(name) && !/^\P{L}*\p{L}+[\s_-]?\d+$/u.test(name.trim()))
}

function distinct(terms: readonly string[]): string[] {
  return [...new Set(terms.filter((term) => term !== ''))]
}

/** «Ja», «No», «oui». */
function isPlainAnswer(label: string): boolean {
  return /^\P{L}*(?:ja|nein|yes|no|oui|non|s[ií]|n[ãa]o|nee)\P{L}*$/iu.test(label)
}

function valuesOf(terms: readonly string[], { value, bounds }: FormField, page: PageSize): ExactValue[] {
  if (value === '') return []
  const box: Box = {
    x: clampToPage(bounds.left / page.width),
    y: clampToPage(bounds.top / page.height),
    width: Math.min(1, (bounds.right - bounds.left) / page.width),
    height: Math.min(1, (bounds.bottom - bounds.top) / page.height),
  }
  return terms.map((term) => ({ term, value, page: page.number, box }))
}
