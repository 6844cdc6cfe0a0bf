import { Fragment, memo } from 'react'
import type { ReactNode } from 'react'
import type { JobRow, SearchHit } from '../../../shared/contract-jobs.ts'
import { CheckMark } from '../../components/controls.tsx'
import { StateBadge } from '../../components/state-badge.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { fieldDecimals, labelOf, valueText } from '../../messages/values.ts'
import type { ValueColumn } from './columns.ts'
import type { TableColumn } from './table-columns.ts'

/** True when a person has to know more about a job than its state, or what a search found in it. Pure. */
export function hasSecondLine(job: JobRow): boolean {
  return job.reason !== null || job.status === 'waiting' || isBeyondName(job.hit)
}

function isBeyondName(hit: JobRow['hit']): hit is SearchHit {
  return hit !== null && hit.field !== 'name'
}

/** A text in which what was searched for is marked. */
function Marked({ text, ranges }: Pick<SearchHit, 'text' | 'ranges'>): ReactNode {
  return (
    <>
      {ranges.map(([from, to], index) => (
        <Fragment key={from}>
          {text.slice(index === 0 ? 0 : ranges[index - 1]![1], from)}
          <mark>{text.slice(from, to)}</mark>
        </Fragment>
      ))}
      {text.slice(ranges.at(-1)?.[1] ?? 0)}
    </>
  )
}

/** The cells of one row of the documents; drawn again only when something in them changed, not for each row that is scrolled. */
export const JobCells = memo(function JobCells({ job, columns, selected }: { job: JobRow; columns: TableColumn[]; selected: boolean }): ReactNode {
  return (
    <>
      <span role="gridcell" className="grid__check">
        <CheckMark state={selected ? 'on' : 'off'} />
      </span>
      {columns.map((column) => (
        <Cell key={column.key} job={job} column={column} />
      ))}
    </>
  )
})

function Cell({ job, column }: { job: JobRow; column: TableColumn }): ReactNode {
  const { formats } = useLanguage()
  switch (column.kind) {
    case 'name':
      return (
        <span role="gridcell" className="grid__document">
          <strong className="ellipsis" title={job.path} data-fit="">
            <bdi>{job.hit?.field === 'name' ? <Marked {...job.hit} /> : job.name}</bdi>
          </strong>
          {isBeyondName(job.hit) ? <HitLine hit={job.hit} /> : hasSecondLine(job) && <SecondLine job={job} />}
        </span>
      )
    case 'folder':
    case 'schema': {
      const name = column.kind === 'folder' ? job.folderName : job.schemaName
      return (
        <span role="gridcell" className="grid__folder ellipsis" title={name ?? undefined}>
          {name ?? '–'}
        </span>
      )
    }
    case 'state':
      return (
        <span role="gridcell" className="grid__state">
          <StateBadge job={job} />
        </span>
      )
    case 'values':
      return <MixedValues job={job} />
    case 'value':
      return <ValueCell job={job} column={column.value!} />
    case 'sizeBytes':
      return (
        <span role="gridcell" className="grid__time num ellipsis">
          {formats.size(job.sizeBytes)}
        </span>
      )
    case 'durationMs':
    case 'tokensConsumed': {
      const amount = job[column.kind]
      return (
        <span role="gridcell" className="grid__time num ellipsis">
          {amount === null ? '–' : column.kind === 'durationMs' ? formats.duration(amount) : formats.count(amount)}
        </span>
      )
    }
    case 'finishedAt':
    case 'receivedAt': {
      const at = job[column.kind]
      return (
        <span role="gridcell" className="grid__time num ellipsis" title={at === null ? undefined : formats.dateTime(at)}>
          {at === null ? '–' : formats.moment(at)}
        </span>
      )
    }
  }
}

function HitLine({ hit }: { hit: SearchHit }): ReactNode {
  return (
    <small className="grid__reason ellipsis" title={hit.text}>
      {hit.label !== null && `${labelOf(hit.label)}: `}
      <bdi>
        <Marked text={hit.text} ranges={hit.ranges} />
      </bdi>
    </small>
  )
}

function SecondLine({ job }: { job: JobRow }): ReactNode {
  const { t, formats, sentence } = useLanguage()
  const parts = [
    job.reason ? sentence(job.reason) : t('jobs.callbackLine', { size: formats.size(job.sizeBytes) }),
    job.status === 'queued' && job.notBefore !== null && job.notBefore > Date.now() ? t('jobs.againAt', { time: formats.moment(job.notBefore) }) : null,
  ]
  const text = parts.filter((part) => part !== null).join(' ')
  return (
    <small className="grid__reason ellipsis" title={text}>
      {text}
    </small>
  )
}

function ValueCell({ job, column }: { job: JobRow; column: ValueColumn }): ReactNode {
  const { t, formats } = useLanguage()
  const found = job.values.find((value) => value.name === column.name)
  const text = valueText(found?.value, formats, { yes: t('value.yes'), no: t('value.no') }, column.minDecimals)
  return (
    <span role="gridcell" className={`ellipsis${column.numeric ? ' num' : ''}${text === null ? ' grid__none' : ''}`} title={text ?? undefined}>
      {text ?? '–'}
    </span>
  )
}

function MixedValues({ job }: { job: JobRow }): ReactNode {
  const { t, formats } = useLanguage()
  const texts = job.values
    .map(({ name, value }) => ({ name, text: valueText(value, formats, { yes: t('value.yes'), no: t('value.no') }, fieldDecimals(name, [value])) }))
    .filter(({ text }) => text !== null)
  const title = texts.map(({ name, text }) => `${labelOf(name)}: ${text}`).join('\n')
  return (
    <span role="gridcell" className={`ellipsis${texts.length === 0 ? ' grid__none' : ''}`} title={title || undefined}>
      {texts.map(({ text }) => text).join(' · ') || '–'}
    </span>
  )
}
