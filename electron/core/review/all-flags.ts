// In: the records of a result, the rules of its schema, and what its service doubts.
// Out: every reason for a person to look at it, each told once.
import type { ExtractedRecord } from '../../../shared/domain/result.ts'
import type { Flag, Rule } from '../../../shared/domain/review.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { flagsOf } from './flags.ts'
import type { RuleContext } from './flags.ts'
import { implausibleFlags } from './plausible.ts'

type Given = {
  records: readonly ExtractedRecord[]
  elements: readonly SchemaElement[]
  rules: readonly Rule[]
  /** The flags of doubts that still hold. */
  doubts: readonly Flag[]
  /** The usual amount of a field in other documents of the schema; null where that is not known. */
  usualAmount: (name: string) => number | null
}

/**
 * The flags of a result: by rules, by what cannot well be right, and by doubts. One cause has one flag: what a person
 * wrote as a rule stands for what Sheaf would say of that place by itself, and a doubt that says no more than «look
 * here» is left out where something more exact stands. Pure but for `context`.
 */
export function allFlags({ records, elements, rules, doubts, usualAmount }: Given, context: RuleContext): Flag[] {
  const byRules = flagsOf(records, rules, context)
  const ruled = new Set(byRules.map(({ pointer }) => pointer))
  const odd = implausibleFlags(records, elements, { rules, usualAmount }).filter(({ pointer }) => !ruled.has(pointer))
  const exact = new Set([...byRules, ...odd, ...doubts.filter((flag) => !isVague(flag))].map(({ pointer }) => pointer))
  return [...byRules, ...odd, ...doubts.filter((flag) => !isVague(flag) || !exact.has(flag.pointer))]
}

function isVague({ code }: Flag): boolean {
  return code === 'unsure' || code === 'rows_missing' || code === 'rows_unsure'
}
