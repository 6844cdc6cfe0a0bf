import type { ReactNode } from 'react'
import { useLanguage } from '../messages/language.tsx'
import type { Language } from '../messages/language.tsx'
import { notOfKindTexts } from '../messages/kinds.ts'
import { maxRows } from './grid-edits.ts'
import type { Refusal } from './grid-edits.ts'
import type { Column } from './list-shape.ts'

/** Why the last thing that a person did in a grid was refused. */
export function GridProblem({
  id,
  problem,
  columns,
}: {
  id: string
  problem: Refusal
  columns: readonly Column[]
}): ReactNode {
  return (
    <small id={id} className="field__problem" role="alert">
      {sentenceOf(problem, columns, useLanguage())}
    </small>
  )
}

function sentenceOf(refusal: Refusal, columns: readonly Column[], { t, formats }: Language): string {
  if (refusal.row === undefined)
    return refusal.problem === 'wide' ? t('grid.tooWide') : t('grid.tooLong', { most: formats.count(maxRows) })
  const place = { row: formats.count(refusal.row + 1), column: columns[refusal.column]?.label ?? '' }
  if (refusal.problem === 'number' || refusal.problem === 'twofold')
    return t(refusal.problem === 'number' ? 'grid.notNumber' : 'grid.twofold', {
      ...place,
      example: formats.number(1284.5, 2),
    })
  if (refusal.problem === 'boolean') return t('grid.notBoolean', { ...place, yes: t('value.yes'), no: t('value.no') })
  return refusal.problem === 'locked'
    ? t('grid.locked', place)
    : t('grid.notOfKind', { ...place, reason: t(notOfKindTexts[refusal.problem]) })
}
