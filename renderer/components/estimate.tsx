import type { ReactNode } from 'react'
import type { CallInput } from '../../shared/contract/contract.ts'
import type { Estimate } from '../../shared/contract/usage.ts'
import { useCall } from '../client/queries.ts'
import { useLanguage } from '../messages/language.tsx'
import { Icon } from './icon.tsx'
import { typingMs, useDebounced } from './use-debounced.ts'

type Source = CallInput<'usage.estimate'>['source']

/**
 * What a batch would come to, before anything of it is sent. Nothing while there is no answer, since it only informs.
 */
export function EstimateLine({
  schemaId,
  connectionId,
  source,
}: {
  schemaId: number | null
  connectionId: number | null
  source: Source | null
}): ReactNode {
  const { t } = useLanguage()
  // Files that were dropped are complete from the start; a path, also the first one, is looked into once it is typed.
  const path = source !== null && 'path' in source ? `${source.includeSubfolders}${source.path}` : null
  const settled = useDebounced(path, typingMs, null) === path ? source : null
  const enabled = settled !== null && schemaId !== null && connectionId !== null
  const { data, isFetching } = useCall(
    'usage.estimate',
    { schemaId: schemaId ?? 0, connectionId: connectionId ?? 0, source: settled ?? { files: [] } },
    { enabled },
  )
  if (!enabled) return null
  if (!data) return <p className="hint estimate">{isFetching ? t('estimate.counting') : null}</p>
  return <EstimateText estimate={data} />
}

/** An estimate in words. */
export function EstimateText({ estimate: data }: { estimate: Estimate }): ReactNode {
  const { t, formats } = useLanguage()
  const documents = t('estimate.documents', {
    count: data.documents,
    shown: formats.count(data.documents),
    size: formats.size(data.sizeBytes),
  })
  const tokens =
    data.tokens === null
      ? t('estimate.unknown')
      : t('estimate.tokens', {
          count: data.tokens,
          tokens: formats.count(data.tokens),
          measured: formats.count(data.measured),
          from: data.measured,
        })
  return (
    <div className="estimate" role="status">
      <p>
        <Icon name="usage" size={14} />
        <span>
          <strong>{documents}</strong> {data.documents > 0 && (data.bills ? tokens : t('estimate.free'))}
        </span>
      </p>
      {data.skipped > 0 && (
        <p className="hint">{t('estimate.skipped', { count: data.skipped, shown: formats.count(data.skipped) })}</p>
      )}
      {data.heldByCap > 0 && (
        <p className="tone-flag">
          <Icon name="clock" size={14} />
          {t('estimate.held', { count: data.heldByCap, shown: formats.count(data.heldByCap) })}
        </p>
      )}
    </div>
  )
}
