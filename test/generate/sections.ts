import { addDays } from './formats.ts'
import { dateFact, moneyFact, roundCents, textFact } from './facts.ts'
import type { Fact, Scene } from './facts.ts'
import type { Random } from './random.ts'
import type { List } from './rows.ts'
import { wordsOf } from './words.ts'

/** Rows from `from` to the one before `to`, with what stands above them: it says the same of each. */
export type Section = { heading: Fact; from: number; to: number; sum: Fact | undefined }

/** How a template prints what its rows are grouped by. */
export type SectionHabits = {
  name: 'section' | 'date'
  numbering: '' | 'A. ' | '1. ' | '1 '
  bold: boolean
  upper: boolean
  shaded: boolean
  indented: boolean
  /** What the rows come to stands beside the heading or below them. */
  sum: 'none' | 'beside' | 'below'
}

const byDay = new Set(['transactions', 'card_transactions', 'expenses', 'spots', 'treatments'])
const byPart = new Set(['items', 'delivered', 'charges', 'results', 'inventory', 'coverages', 'packages', 'prices'])

/** So many templates of lists that may have groups print them. */
const printsSections = 0.2

export function sectionHabits(list: string, random: Random): SectionHabits | undefined {
  const isByDay = byDay.has(list)
  if (!(isByDay || byPart.has(list)) || !random.chance(printsSections)) return undefined
  return {
    name: isByDay ? 'date' : 'section',
    numbering: isByDay ? '' : random.pick(['', '', '', 'A. ', '1. ', '1 ']),
    bold: random.chance(0.65),
    upper: random.chance(0.2),
    shaded: random.chance(0.25),
    indented: random.chance(0.35),
    sum: random.pick(['none', 'none', 'none', 'beside', 'below']),
  }
}

/** The list with its rows in groups of some length. */
export function inSections(list: List, habits: SectionHabits, scene: Scene): List {
  const random = scene.random.fork('sections')
  const titles = random.shuffle(wordsOf('sections', scene.formats.language)).slice(0, letters.length)
  const sections: Section[] = []
  let day = addDays(scene.today, -60)
  for (let from = 0; from < list.rows.length && sections.length < titles.length; ) {
    const isLast = sections.length === titles.length - 1
    const to = isLast ? list.rows.length : Math.min(list.rows.length, from + random.int(1, 5))
    day = addDays(day, random.int(1, 4))
    const heading = habits.name === 'date' ? dateFact('date', day, scene) : titleOf(titles, sections.length, habits)
    const sum = roundCents(
      list.rows.slice(from, to).reduce((all, row) => all + Number(row['row_amount']?.value ?? 0), 0),
    )
    const isSummed = habits.sum !== 'none' && list.columns.includes('row_amount')
    sections.push({ heading, from, to, sum: isSummed ? moneyFact('row_amount', sum, scene, 'none') : undefined })
    from = to
  }
  const rows = list.rows.map((row, at) => {
    const { heading } = sections.find(({ from, to }) => at >= from && at < to)!
    return { ...row, [habits.name]: heading }
  })
  // Under its day a booking has no other one.
  const said = new Set(habits.name === 'date' ? ['date', 'value_date'] : ['section'])
  return { ...list, columns: list.columns.filter((name) => !said.has(name)), rows, sections }
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

function titleOf(titles: readonly string[], at: number, { numbering, upper }: SectionHabits): Fact {
  const number = numbering.replace('A', letters[at]!).replace('1', String(at + 1))
  const text = number + titles[at]!
  return textFact('section', upper ? text.toUpperCase() : text)
}

/** The row whose heading a row stands under, and which its place is marked by. */
export function headedBy(list: List, row: number, name: string): number {
  const section = list.sections?.find(({ from, to, heading }) => heading.name === name && row >= from && row < to)
  return section?.from ?? row
}
