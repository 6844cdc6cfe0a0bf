import type { Need, Target } from './target.ts'

export type CaseBody = {
  /** Never changes, so that two reports can be compared. */
  id: string
  /** The words of the interface. */
  sentence: string
  /** What is checked. */
  name: string
  needs?: Need[]
  /** Throws when the platform does not keep to the sentence. */
  run(target: Target): Promise<void>
}

/** One testable sentence of the interface. */
export type Case = CaseBody & { section: string }

/** The cases of one section of the interface. */
export function section(name: string, bodies: CaseBody[]): Case[] {
  return bodies.map((body) => ({ section: name, ...body }))
}
