import type { Candidate } from './check-marks.ts'
import type { Field } from './field.ts'
import { joined, wordsOf, type Layout, type Word } from './layout.ts'
import { meanings, weightOf } from './words.ts'

const granted =
  /(?<!\p{L})(?:permitted|allowed|may be kept|gestattet|erlaubt|zulässig|autorisée?s?|permise?s?|admise?s?|permiten?|permitid[oa]s?|admiten?|included|inbegriffen|enthalten|incluse?s?|incluid[oa]s?|covered|versichert|mitversichert|couverte?s?|cubiert[oa]s?)(?!\p{L})/iu
const denied =
  /(?<!\p{L})(?:not|no|never|nicht|kein(?:e[nrsm]?)?|ne|n['’]|pas|non|aucune?|sin|untersagt|verboten|interdite?s?|prohibid[oa]s?|prohibited|forbidden|excluded|ausgeschlossen|exclue?s?|excluid[oa]s?)(?!\p{L})/iu
const refusal =
  /(?<!\p{L})(?:untersagt|verboten|interdite?s?|prohibid[oa]s?|prohibited|forbidden|excluded|ausgeschlossen|exclue?s?|excluid[oa]s?)(?!\p{L})/iu
const settled =
  /^(?:status|zahlungsstatus|statut|estado)?:?\s*(?:paid(?: in full)?|(?:bereits )?bezahlt|(?:payée?|acquittée?|réglée?)|pagad[oa])[.!]?$/iu
const unsettled =
  /(?:status|statut|estado)\b.*(?<!\p{L})(?:unpaid|not paid|open|outstanding|offen|unbezahlt|impayée?|non payée?|en attente|pendiente)(?!\p{L})/iu

/**
 * Answers to yes-or-no fields that the paper gives in words: «No se permite la tenencia de animales», «Pets are
 * allowed», a stamp «PAID» or «Status: OFFEN». Without a word for yes or no in the same sentence there is no answer.
 */
export function sentenceAnswers(field: Field, layout: Layout): Candidate[] {
  const name = meanings(field.element.name).filter(
    (word) => !granted.test(word) && !['has', 'is', 'are'].includes(word),
  )
  const telling = name.filter((word) => weightOf(word) === 1)
  if (telling.length === 0) return []
  if (telling.length === 1 && telling[0] === 'paid') return paidMarks(layout)
  const found: Candidate[] = []
  for (const words of sentencesOf(layout)) {
    const text = joined(words)
    if (words.length < 3 || words.length > 40 || !(granted.test(text) || refusal.test(text))) continue
    const said = meanings(text)
    if (telling.every((word) => said.includes(word)))
      found.push({ value: !denied.test(text), words, page: words[0]!.page, score: 0.7, label: 0.7 })
  }
  return new Set(found.map((one) => one.value)).size === 1 ? found : []
}

function paidMarks(layout: Layout): Candidate[] {
  for (const line of layout.lines) {
    for (const cell of line.cells) {
      const value = unsettled.test(cell.text) ? false : settled.test(cell.text) ? true : undefined
      if (value !== undefined) return [{ value, words: cell.words, page: cell.page, score: 0.7, label: 0.7 }]
    }
  }
  return []
}

/** The sentences of running text; a wide gap or a new page ends one as well. */
function sentencesOf(layout: Layout): Word[][] {
  const sentences: Word[][] = []
  for (const page of layout.pages) {
    let open: Word[] = []
    let previous: number | undefined
    for (const line of page.lines) {
      if (line.cells.length > 1 || (previous !== undefined && line.box.y - previous > 1.6 * page.lineHeight)) {
        sentences.push(open)
        open = []
      }
      for (const word of wordsOf(line)) {
        open.push(word)
        if (/\p{L}{2}[.!?;]$|\)\.$/u.test(word.text)) {
          sentences.push(open)
          open = []
        }
      }
      previous = line.box.y + line.box.height
    }
    sentences.push(open)
  }
  return sentences.filter((sentence) => sentence.length > 0)
}
