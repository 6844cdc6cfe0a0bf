import type { ReactNode } from 'react'
import { useCall } from '../../client/queries.ts'
import { hrefOf } from '../../client/route.ts'
import { Callout } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'

/** Above the list: that documents wait for a person to say what they are. */
export function SortLine(): ReactNode {
  const { t, formats } = useLanguage()
  const count = useCall('sorting.list', { limit: 0 }).data?.total ?? 0
  if (count === 0) return null
  return (
    <div className="list-line">
      <Callout
        kind="flag"
        action={
          <a className="button button--plain" href={hrefOf({ screen: 'sort', id: null })}>
            <span className="button__text">{t('sort.title')}</span>
          </a>
        }
      >
        {t('sort.line', { count, shown: formats.count(count) })}
      </Callout>
    </div>
  )
}
