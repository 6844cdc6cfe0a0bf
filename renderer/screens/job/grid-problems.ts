import { useState } from 'react'
import { useLanguage } from '../../messages/language.tsx'
import { mostRows } from './grid-edits.ts'
import type { Refusal } from './grid-edits.ts'
import type { Column } from './list-shape.ts'

/** Why the last thing that a person did in a grid was refused, and the sentence for it. */
export function useProblems(columns: readonly Column[]): { problem: Refusal | null; setProblem: (problem: Refusal | null) => void; sentence: (problem: Refusal) => string } {
  const { t, formats } = useLanguage()
  const [problem, setProblem] = useState<Refusal | null>(null)
  function sentence(refusal: Refusal): string {
    if (refusal.row === undefined) return refusal.problem === 'wide' ? t('grid.tooWide') : t('grid.tooLong', { most: formats.count(mostRows) })
    const place = { row: formats.count(refusal.row + 1), column: columns[refusal.column]?.label ?? '' }
    if (refusal.problem === 'number') return t('grid.notNumber', { ...place, example: formats.number(1284.5, 2) })
    return refusal.problem === 'boolean' ? t('grid.notBoolean', { ...place, yes: t('value.yes'), no: t('value.no') }) : t('grid.locked', place)
  }
  return { problem, setProblem, sentence }
}
