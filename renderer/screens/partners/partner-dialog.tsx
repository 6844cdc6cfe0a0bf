import { useState } from 'react'
import type { ReactNode } from 'react'
import type { Partner, PartnerValues } from '../../../shared/domain/partner.ts'
import { useAction } from '../../client/queries.ts'
import { Button, Checkbox, TextField } from '../../components/controls.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { notify } from '../../components/notices.tsx'
import { Callout } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { shownAccount } from './shown-account.ts'

type Form = Record<'name' | 'vatId' | 'accounts' | 'number' | 'bookAccount', string> & { isOwn: boolean }

function formOf(partner: Partner | null): Form {
  return {
    name: partner?.name ?? '',
    vatId: partner?.vatId ?? '',
    accounts: (partner?.accounts ?? []).map(shownAccount).join('\n'),
    number: partner?.number ?? '',
    bookAccount: partner?.bookAccount ?? '',
    isOwn: partner?.isOwn ?? false,
  }
}

function valuesOf({ name, vatId, accounts, number, bookAccount, isOwn }: Form): PartnerValues {
  const given = (text: string): string | null => (text.trim() === '' ? null : text.trim())
  return {
    name: name.trim(),
    vatId: given(vatId),
    accounts: accounts.split(/[\n,;]/).flatMap((account) => given(account) ?? []),
    number: given(number),
    bookAccount: given(bookAccount),
    isOwn,
  }
}

type Props = {
  partner: Partner | null
  /** A new one is the office's own company. */
  isOwn?: true | undefined
  onClose: () => void
}

/** Adds a partner (null), or changes one. */
export function PartnerDialog({ partner, isOwn, onClose }: Props): ReactNode {
  const { t, formats, errorSentence } = useLanguage()
  const [form, setForm] = useState(() => ({ ...formOf(partner), ...(isOwn && { isOwn }) }))
  const save = useAction('partners.save')
  const field = (key: Exclude<keyof Form, 'isOwn'>): { value: string; onChange: (value: string) => void } => ({
    value: form[key],
    onChange: (value) => setForm({ ...form, [key]: value }),
  })
  function submit(): void {
    if (form.name.trim() !== '' && !save.isPending)
      save.mutate(
        { id: partner?.id ?? null, ...valuesOf(form) },
        {
          onSuccess: ({ takenFrom }) => {
            if (takenFrom.length > 0) notify('done', t('partners.takenFrom', { names: formats.list(takenFrom) }))
            onClose()
          },
        },
      )
  }
  return (
    <Dialog
      title={t(partner === null ? 'partners.addTitle' : 'partners.editTitle')}
      width="wide"
      onClose={onClose}
      onSubmit={submit}
      actions={
        <>
          <Button onPress={onClose}>{t('action.cancel')}</Button>
          <Button variant="primary" type="submit" isDisabled={form.name.trim() === '' || save.isPending}>
            {t('action.save')}
          </Button>
        </>
      }
    >
      <TextField label={t('partners.name')} hint={t('partners.nameHint')} isRequired autoFocus {...field('name')} />
      <TextField label={t('partners.vatId')} {...field('vatId')} />
      <TextField
        label={t('partners.accounts')}
        hint={t('partners.accountsHint')}
        multiline={2}
        {...field('accounts')}
      />
      <div className="form__columns">
        <TextField label={t('partners.number')} {...field('number')} />
        <TextField label={t('partners.bookAccount')} {...field('bookAccount')} />
      </div>
      <Checkbox isSelected={form.isOwn} onChange={(isOwn) => setForm({ ...form, isOwn })} hint={t('partners.ownHint')}>
        {t('partners.own')}
      </Checkbox>
      {save.isError && <Callout kind="bad">{errorSentence(save.error)}</Callout>}
    </Dialog>
  )
}
