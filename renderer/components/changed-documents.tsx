import type { ReactNode } from 'react'
import { maxChangedDocuments } from '../../shared/contract/reextraction.ts'
import type { PlainValue } from '../../shared/domain/result.ts'
import { useLanguage } from '../messages/language.tsx'
import { fieldDecimals, labelOf, valueText } from '../messages/values.ts'

type ChangedDocumentsProps = {
  label: string
  /** How many there are in all. */
  count: number
  children: ReactNode
}

/** What would change, document by document, in a list that scrolls by itself. */
export function ChangedDocuments({ label, count, children }: ChangedDocumentsProps): ReactNode {
  const { t, formats } = useLanguage()
  const more = count - maxChangedDocuments
  return (
    <div className="changed-documents" tabIndex={0} role="group" aria-label={label}>
      {children}
      {more > 0 && <p className="hint">{t('changes.moreDocuments', { count: more, shown: formats.count(more) })}</p>}
    </div>
  )
}

/** One document with its `ValueChange`s; `more`: how many are not shown. */
export function ChangedDocument({
  name,
  more = 0,
  children,
}: {
  name: string
  more?: number
  children: ReactNode
}): ReactNode {
  const { t, formats } = useLanguage()
  return (
    <section className="changed-document">
      <h3 className="ellipsis" title={name}>
        {name}
      </h3>
      <dl>{children}</dl>
      {more > 0 && <p className="hint">{t('changes.moreValues', { count: more, shown: formats.count(more) })}</p>}
    </section>
  )
}

/** What a value is and what it would be, as texts; null: nothing. */
export function ValueChange({ label, from, to }: { label: string; from: string | null; to: ReactNode }): ReactNode {
  return (
    <div className="value-change">
      <dt>{label}</dt>
      <dd>
        {from !== null && (
          <>
            <del>{from}</del>
            {' → '}
          </>
        )}
        {to}
      </dd>
    </div>
  )
}

/** How a value of a field reads. */
export function useValueText(): (field: string, value: PlainValue) => string {
  const { t, formats } = useLanguage()
  return (field, value) =>
    valueText(value, formats, { yes: t('value.yes'), no: t('value.no') }, fieldDecimals(field, [value])) ??
    t('value.empty')
}

/** Names of fields and numbers of rows as one label. Pure. */
export function placeLabel(place: readonly (string | number)[]): string {
  return place.map((step) => (typeof step === 'number' ? String(step) : labelOf(step))).join(' · ')
}
