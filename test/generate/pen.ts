import { percentFact } from './content.ts'
import type { Content } from './content.ts'
import type { Fact } from './facts.ts'
import type { Paper } from './paper.ts'
import type { Random } from './random.ts'
import type { Template } from './template.ts'

/** Where drawing goes on: everything of a document passes it on. */
export type Pen = {
  paper: Paper
  y: number
  content: Content
  template: Template
  random: Random
  left: number
  right: number
}

/** Goes to the next page where there is no room for that many points. */
export function makeRoom(pen: Pen, needed: number): boolean {
  if (pen.y + needed < pen.paper.height - pen.template.margin - 46) return false
  pen.paper.turn()
  pen.y = pen.template.margin + pen.paper.size * 2
  return true
}

export function step(pen: Pen, lines = 1): void {
  pen.y += pen.paper.size * 1.35 * lines
}

/** What a sum is called; a tax often with its rate. */
export function sumLabel({ template, content }: Pen, fact: Fact): string {
  const label = template.label(fact.name)
  if (fact.name !== 'tax_amount' || !template.rateInLabel || content.taxRows.length > 1) return label
  const rate = percentFact(template.habits.vatRates[0]!, content.scene)
  return `${label} ${rate.parts.map(({ text }) => text).join('')}`
}
