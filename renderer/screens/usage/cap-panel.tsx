import { useState } from 'react'
import type { ReactNode } from 'react'
import { Meter } from 'react-aria-components'
import { capPolicies } from '../../../shared/domain/policies.ts'
import type { CapHold } from '../../../shared/contract/usage.ts'
import type { AppState, Settings } from '../../../shared/contract/contract.ts'
import { useAction } from '../../client/queries.ts'
import { Button, TextField } from '../../components/controls.tsx'
import { notify } from '../../components/notices.tsx'
import { Callout } from '../../components/page.tsx'
import { SetByAdministrator, usePolicies } from '../../components/set-by-administrator.tsx'
import { useLanguage } from '../../messages/language.tsx'
import type { MessageId } from '../../messages/language.tsx'

type CapKey = 'dailyDocumentCap' | 'dailyTokenCap'

const holdMessages: Record<CapHold['why'], MessageId> = {
  reached: 'cap.held',
  too_large: 'cap.held.too_large',
  no_tokens: 'cap.held.no_tokens',
  under_way: 'cap.held.under_way',
}

/** As `settings.update` takes them. */
const maxCaps: Record<CapKey, number> = { dailyDocumentCap: 1_000_000, dailyTokenCap: 1_000_000_000_000 }

/** How much went to connections that bill today, and how much may. */
export function CapPanel({ state }: { state: AppState }): ReactNode {
  const { t, formats } = useLanguage()
  const { cap, settings } = state
  return (
    <section className="panel" aria-label={t('cap.title')}>
      <div>
        <h2>{t('cap.title')}</h2>
        <p className="hint">{t('cap.text')}</p>
      </div>
      {cap.holds.map(({ why, documents, name, tokens }) => (
        <Callout key={`${why} ${name}`} kind="flag">
          {t(holdMessages[why], {
            count: documents,
            shown: formats.count(documents),
            until: cap.resumesAt === null ? '' : formats.dateTime(cap.resumesAt),
            name: name ?? '',
            tokens: formats.count(tokens ?? 0),
            limit: formats.count(cap.tokenCap ?? 0),
          })}
        </Callout>
      ))}
      <div className="caps">
        <Cap
          name="dailyDocumentCap"
          label="cap.documents"
          fieldLabel="cap.documentCap"
          used={cap.documentsToday}
          settings={settings}
        />
        <Cap
          name="dailyTokenCap"
          label="cap.tokens"
          fieldLabel="cap.tokenCap"
          used={cap.tokensToday}
          settings={settings}
        />
      </div>
    </section>
  )
}

function Cap({
  name,
  label,
  fieldLabel,
  used,
  settings,
}: {
  name: CapKey
  label: MessageId
  fieldLabel: MessageId
  used: number
  settings: Settings
}): ReactNode {
  const { t, formats, errorSentence } = useLanguage()
  const limit = settings[name]
  const update = useAction('settings.update')
  const [text, setText] = useState<string | null>(null)
  const policies = usePolicies()
  const { fixed, most } = capPolicies[name]
  const isFixed = policies[fixed] !== undefined
  const largest = policies[most] ?? maxCaps[name]
  const shown = text ?? (limit === null ? '' : String(limit))
  const value = capFrom(shown, largest)
  const changed = text !== null && value !== limit
  function save(): void {
    if (value === undefined || !changed) return
    update.mutate(
      { [name]: value },
      { onSuccess: () => setText(null), onError: (error) => notify('problem', errorSentence(error)) },
    )
  }
  const usage =
    limit === null
      ? t('cap.usedNoCap', { used: formats.count(used) })
      : t('cap.used', { used: formats.count(used), limit: formats.count(limit) })
  return (
    <div className="cap">
      <div className="cap__line">
        <span className="label">{t(label)}</span>
        <span className="tabular">{usage}</span>
      </div>
      {limit === null ? (
        <span className="meter meter--none" />
      ) : (
        <Meter
          className="meter"
          aria-label={t(label)}
          value={Math.min(used, limit)}
          maxValue={limit}
          valueLabel={usage}
        >
          {({ percentage }) => (
            <span className="meter__fill" data-full={used >= limit || undefined} style={{ width: `${percentage}%` }} />
          )}
        </Meter>
      )}
      <form
        className="cap__form"
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <TextField
          label={t(fieldLabel)}
          value={shown}
          isDisabled={isFixed}
          onChange={setText}
          placeholder={t('cap.none')}
          problem={value === undefined ? t('cap.bad', { most: formats.count(largest) }) : null}
        />
        <Button type="submit" isDisabled={value === undefined || !changed || update.isPending}>
          {t('cap.set')}
        </Button>
      </form>
      <SetByAdministrator policy={isFixed ? fixed : most} />
    </div>
  )
}

/** Digits, or digits in groups of three: other groups would be decimals. */
const wholeNumber = /^(?:\d{1,15}|\d{1,3}(?:[\s.,'’]\d{3}){1,4})$/

/** The cap that was typed: null for none, undefined for what is no whole number of the range. Pure. */
export function capFrom(text: string, max: number): number | null | undefined {
  const typed = text.trim()
  if (typed === '') return null
  const value = wholeNumber.test(typed) ? Number(typed.replace(/\D/g, '')) : 0
  return value >= 1 && value <= max ? value : undefined
}
