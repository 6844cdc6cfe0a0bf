import { useMemo } from 'react'
import type { ReactNode } from 'react'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { Callout } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'
import type { MessageId } from '../../messages/language.tsx'
import { compareSchemas, countMarks } from '../../../shared/domain/compare-schemas.ts'
import type { FieldMark, FieldPair, FieldSide } from '../../../shared/domain/compare-schemas.ts'
import { typeLabels } from './type-labels.ts'

const marks: Record<FieldMark, { sign: string; label: MessageId; summary: MessageId }> = {
  added: { sign: '+', label: 'compare.added', summary: 'compare.addedCount' },
  removed: { sign: '−', label: 'compare.removed', summary: 'compare.removedCount' },
  renamed: { sign: '✎', label: 'compare.renamed', summary: 'compare.renamedCount' },
  moved: { sign: '↕', label: 'compare.moved', summary: 'compare.movedCount' },
  type: { sign: '≠', label: 'compare.type', summary: 'compare.typeCount' },
  description: { sign: '≠', label: 'compare.description', summary: 'compare.descriptionCount' },
}

type Props = { before: SchemaElement[]; after: SchemaElement[]; names: [string, string]; showsAll: boolean }

/** Two schemas field by field, side by side; what changed is said by sign and word. */
export function Comparison({ before, after, names, showsAll }: Props): ReactNode {
  const { t, formats } = useLanguage()
  const pairs = useMemo(() => compareSchemas(before, after), [before, after])
  const counts = countMarks(pairs)
  const parts = (Object.keys(marks) as FieldMark[])
    .filter((mark) => counts[mark] > 0)
    .map((mark) => t(marks[mark].summary, { count: counts[mark], shown: formats.count(counts[mark]) }))
  const shown = showsAll ? pairs : pairs.filter((pair) => pair.marks.length > 0)
  return (
    <>
      <div role="status">
        {parts.length === 0 ? (
          <Callout kind="good">{t('compare.same')}</Callout>
        ) : (
          <p className="comparison__sum">{parts.map((part) => part.replaceAll(' ', '\u00A0')).join(' · ')}</p>
        )}
      </div>
      {shown.length > 0 && (
        <div className="comparison" role="region" aria-label={names.join(' – ')} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col" className="comparison__change">
                  {t('compare.change')}
                </th>
                {names.map((name, index) => (
                  <th key={index} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.map((pair, index) => (
                <Row key={index} pair={pair} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  )
}

function Row({ pair }: { pair: FieldPair }): ReactNode {
  const { t } = useLanguage()
  return (
    <tr
      data-change={
        pair.after === null ? 'removed' : pair.before === null ? 'added' : pair.marks.length > 0 ? 'changed' : undefined
      }
    >
      <td className="comparison__change">
        {pair.marks.length === 0 ? (
          <span className="change-mark" data-mark="same">
            <span aria-hidden="true">=</span> {t('compare.unchanged')}
          </span>
        ) : (
          pair.marks.map((mark) => (
            <span key={mark} className="change-mark" data-mark={mark}>
              <span aria-hidden="true">{marks[mark].sign}</span> {t(marks[mark].label)}
            </span>
          ))
        )}
      </td>
      <Side side={pair.before} marks={pair.marks} />
      <Side side={pair.after} marks={pair.marks} />
    </tr>
  )
}

function Side({ side, marks: changed }: { side: FieldSide | null; marks: FieldMark[] }): ReactNode {
  const { t } = useLanguage()
  if (side === null) return <td className="comparison__none">–</td>
  const strong = (mark: FieldMark): true | undefined => changed.includes(mark) || undefined
  return (
    <td>
      {side.within.length > 0 && (
        <span className="comparison__within" data-changed={strong('moved')}>
          {side.within.join(' › ')} ›
        </span>
      )}
      <span className="comparison__name">
        <strong data-changed={strong('renamed')}>{side.name}</strong>{' '}
        <span data-changed={strong('type')}>{t(typeLabels[side.type])}</span>
      </span>
      {side.description !== '' && (
        <span className="comparison__description" data-changed={strong('description')}>
          {side.description}
        </span>
      )}
    </td>
  )
}
