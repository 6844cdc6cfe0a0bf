import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { RadioGroup } from 'react-aria-components'
import type { AppState } from '../../../shared/contract.ts'
import type { CallbackInput, CallbackState } from '../../../shared/contract-reliability.ts'
import { callKey, useAction, useCall } from '../../client/queries.ts'
import { isWebAddress } from '../../client/web-address.ts'
import { Button, Checkbox, TextField } from '../../components/controls.tsx'
import { Icon } from '../../components/icon.tsx'
import { notify } from '../../components/notices.tsx'
import { Callout } from '../../components/page.tsx'
import { RadioCard } from '../../components/radio-card.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { addressChanged, addressInput } from './callback-address.ts'
import type { AddressDraft } from './callback-address.ts'
import { MailboxFields } from './mailbox.tsx'

/** How results that come later find this computer: nothing, a public address, or a mailbox. */
export function CallbacksPanel({ wayBack }: { wayBack: AppState['wayBack'] }): ReactNode {
  const { t, errorSentence } = useLanguage()
  const callbacks = useCall('callbacks.get', {})
  return (
    <section className="panel" aria-label={t('callbacks.title')}>
      <div>
        <h2>{t('callbacks.title')}</h2>
        <p className="hint">{t('callbacks.text')}</p>
      </div>
      {callbacks.isError && <Callout kind="bad">{errorSentence(callbacks.error)}</Callout>}
      {callbacks.data && <Ways saved={callbacks.data} wayBack={wayBack} />}
      <p className="hint">{t('callbacks.documentation')}</p>
    </section>
  )
}

function Ways({ saved, wayBack }: { saved: CallbackState; wayBack: AppState['wayBack'] }): ReactNode {
  const { t, formats, errorSentence } = useLanguage()
  const queryClient = useQueryClient()
  const save = useAction('callbacks.save')
  const [chosen, setChosen] = useState<CallbackState['way'] | null>(null)
  const way = chosen ?? saved.way

  function take(next: CallbackState): void {
    queryClient.setQueryData(callKey('callbacks.get', {}), next)
    setChosen(null)
  }
  function store(input: CallbackInput): void {
    save.mutate(input, {
      onSuccess(next) {
        take(next)
        notify('done', t('callbacks.saved'))
      },
    })
  }
  function choose(next: CallbackState['way']): void {
    save.reset()
    setChosen(next)
  }
  return (
    <div className="form">
      <RadioGroup className="radio-cards radio-cards--thirds" aria-label={t('callbacks.way')} value={way} onChange={(value) => choose(value as CallbackState['way'])}>
        <RadioCard value="none" title={t('callbacks.none')} text={t('callbacks.noneText')} />
        <RadioCard value="address" title={t('callbacks.address')} text={t('callbacks.addressText')} />
        <RadioCard value="mailbox" title={t('callbacks.mailbox')} text={t('callbacks.mailboxText')} />
      </RadioGroup>
      {way === 'address' && <AddressFields key={`${saved.address} ${saved.port} ${saved.network}`} saved={saved} isSaving={save.isPending} onSave={store} />}
      {way === 'mailbox' && <MailboxFields saved={saved} onTaken={take} />}
      {((way === 'none' && saved.way !== 'none') || (way === 'mailbox' && saved.way !== 'mailbox' && saved.mailbox !== null)) && (
        <div className="form__row form__row--end">
          <Button variant="primary" onPress={() => store({ way: way === 'none' ? 'none' : 'mailbox' })} isDisabled={save.isPending}>
            {t('action.save')}
          </Button>
        </div>
      )}
      {save.isError && <Callout kind="bad">{errorSentence(save.error)}</Callout>}
      {way === saved.way && <Standing saved={saved} wayBack={wayBack} onTaken={take} />}
      {saved.overdue > 0 && <Callout kind="flag">{t('callbacks.overdue', { count: saved.overdue, shown: formats.count(saved.overdue) })}</Callout>}
    </div>
  )
}

function AddressFields({ saved, isSaving, onSave }: { saved: CallbackState; isSaving: boolean; onSave: (input: CallbackInput) => void }): ReactNode {
  const { t } = useLanguage()
  const [draft, setDraft] = useState<AddressDraft>({ address: saved.address ?? '', port: saved.way === 'address' ? String(saved.port) : '', network: saved.way === 'address' && saved.network })
  const [touched, setTouched] = useState(false)
  const input = addressInput(draft)
  const badAddress = touched && draft.address.trim() !== '' && !isWebAddress(draft.address)
  function set(part: Partial<AddressDraft>): void {
    setTouched(true)
    setDraft({ ...draft, ...part })
  }
  return (
    <form
      className="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (input) onSave(input)
      }}
    >
      <div className="form__columns form__columns--address">
        <TextField label={t('callbacks.address')} type="url" value={draft.address} onChange={(address) => set({ address })} placeholder="https://callbacks.example.com" problem={badAddress ? t('connection.badUrl') : null} hint={t('callbacks.addressHint')} />
        <TextField label={t('callbacks.port')} value={draft.port} onChange={(port) => set({ port })} problem={input === null && !badAddress && draft.address.trim() !== '' && touched ? t('callbacks.portBad') : null} hint={t('callbacks.portHint')} />
      </div>
      <Checkbox isSelected={draft.network} onChange={(network) => set({ network })} hint={t('callbacks.networkHint')}>
        {t('callbacks.network')}
      </Checkbox>
      <div className="form__row form__row--end">
        <Button variant="primary" type="submit" isDisabled={input === null || isSaving || !addressChanged(draft, saved)}>
          {t('action.save')}
        </Button>
      </div>
    </form>
  )
}

/** Whether the way works, when that was seen, why not, and the test that finds out. */
function Standing({ saved, wayBack, onTaken }: { saved: CallbackState; wayBack: AppState['wayBack']; onTaken: (next: CallbackState) => void }): ReactNode {
  const { t, formats, sentence, errorSentence } = useLanguage()
  const test = useAction('callbacks.test')
  // The sentence of the error sends people here.
  if (saved.way === 'none') return saved.problem && <Callout kind="info">{t('callbacks.largeSync')}</Callout>
  if (saved.way === 'mailbox' && saved.mailbox === null) return null
  const testing = saved.testing || test.isPending
  const [tone, icon, words] = testing
    ? (['moving', 'clock', 'callbacks.testing'] as const)
    : saved.problem
      ? (['flag', 'warning', 'callbacks.failed'] as const)
      : wayBack === 'tested'
        ? (['ok', 'check', 'callbacks.tested'] as const)
        : (['calm', 'question', 'callbacks.untested'] as const)
  const texts = [
    testing ? t('callbacks.testingText') : null,
    !testing && saved.testedAt !== null ? t('callbacks.testedAt', { time: formats.dateTime(saved.testedAt) }) : null,
    !testing && words === 'callbacks.untested' ? t('callbacks.untestedText') : null,
  ]
  return (
    <>
      <div className="standing" role="status">
        <span className={`badge badge--${tone}`}>
          <Icon name={icon} size={12} />
          {t(words)}
        </span>
        <span className="hint">{texts.filter((text) => text !== null).join(' ')}</span>
        <Button onPress={() => test.mutate({}, { onSuccess: onTaken })} isDisabled={testing}>
          {t('callbacks.test')}
        </Button>
      </div>
      {!testing && saved.problem && <Callout kind="flag">{sentence(saved.problem)}</Callout>}
      {test.isError && <Callout kind="bad">{errorSentence(test.error)}</Callout>}
    </>
  )
}
