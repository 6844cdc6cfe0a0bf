import type { ReactNode } from 'react'
import { Select, Switch, TextField } from '../../components/controls.tsx'
import { useLanguage } from '../../messages/language.tsx'
import type { MessageId } from '../../messages/language.tsx'
import { wrongIn } from './datev-draft.ts'
import type { DatevDraft } from './datev-draft.ts'

type Typed = Exclude<keyof DatevDraft, 'withTaxKeys' | 'yearStart' | 'accountLength'>

const office: [Typed, MessageId][] = [
  ['consultant', 'datev.consultant'],
  ['client', 'datev.client'],
]
const accounts: [Typed, MessageId][] = [
  ['standard', 'datev.standard'],
  ['reduced', 'datev.reduced'],
  ['none', 'datev.none'],
  ['creditor', 'datev.creditor'],
]

/** What DATEV has to know of an office, as its tax adviser says it. */
export function DatevForm({
  draft,
  onChange,
}: {
  draft: DatevDraft
  onChange: (draft: DatevDraft) => void
}): ReactNode {
  const { t, locale } = useLanguage()
  const wrong = wrongIn(draft)
  const isAccount = (name: Typed): boolean => accounts.some(([each]) => each === name)
  const field = ([name, label]: [Typed, MessageId]): ReactNode => (
    <TextField
      key={name}
      label={t(label)}
      value={draft[name]}
      onChange={(text) => onChange({ ...draft, [name]: text })}
      problem={wrong.has(name) ? t(isAccount(name) ? 'datev.digits' : 'datev.wrongNumber') : null}
    />
  )
  const monthName = (month: number): string =>
    new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2026, month, 1))
  return (
    <div className="bookkeeping">
      <p className="hint">{t('datev.hint')}</p>
      <div className="bookkeeping__pair">{office.map(field)}</div>
      <div className="bookkeeping__pair">
        <Select
          label={t('datev.yearStart')}
          value={draft.yearStart}
          onChange={(yearStart) => onChange({ ...draft, yearStart })}
          choices={Array.from({ length: 12 }, (_, month) => ({ key: String(month + 1), label: monthName(month) }))}
        />
        <Select
          label={t('datev.accountLength')}
          value={draft.accountLength}
          onChange={(accountLength) => onChange({ ...draft, accountLength })}
          choices={['4', '5', '6', '7', '8'].map((key) => ({ key, label: key }))}
        />
      </div>
      <div className="bookkeeping__pair">{accounts.map(field)}</div>
      <Switch
        isSelected={draft.withTaxKeys}
        onChange={(withTaxKeys) => onChange({ ...draft, withTaxKeys })}
        hint={t('datev.taxKeysHint')}
      >
        {t('datev.taxKeys')}
      </Switch>
    </div>
  )
}
