import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import type { CallInput } from '../../shared/contract/contract.ts'
import type { Estimate } from '../../shared/contract/usage.ts'
import { useCall } from '../client/queries.ts'
import { useLanguage } from '../messages/language.tsx'
import { Icon } from './icon.tsx'

type Source = CallInput<'usage.estimate'>['source']

/** While a path is typed, only what stands still for this long is looked at. */
const typingMs = 400

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
  const settled = useSettled(source)
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

/** A source that did not change for a moment; files that were dropped stand still from the start. */
function useSettled(source: Source | null): Source | null {
  const typed = source !== null && 'path' in source ? `${source.includeSubfolders}${source.path}` : null
  const [settled, setSettled] = useState<string | null>(null)
  useEffect(() => {
    if (typed === null) return
    const timer = setTimeout(() => setSettled(typed), typingMs)
    return () => clearTimeout(timer)
  }, [typed])
  return typed === null || typed === settled ? source : null
}
