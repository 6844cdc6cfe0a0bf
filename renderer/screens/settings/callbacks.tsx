import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { RadioGroup } from 'react-aria-components'
import type { AppState } from '../../../shared/contract/contract.ts'
import type { CallbackInput, CallbackState } from '../../../shared/contract/callbacks.ts'
import { callKey, useAction, useCall } from '../../client/queries.ts'
import { isWebAddress } from '../../client/web-address.ts'
import { Button, Checkbox, TextField } from '../../components/controls.tsx'
import { Icon } from '../../components/icon.tsx'
import type { IconName } from '../../components/icon.tsx'
import { notify } from '../../components/notices.tsx'
import { Callout } from '../../components/page.tsx'
import { RadioCard } from '../../components/radio-card.tsx'
import { SetByAdministrator, usePolicies } from '../../components/set-by-administrator.tsx'
import { useLanguage } from '../../messages/language.tsx'
import type { MessageId } from '../../messages/language.tsx'
import { MailboxFields } from './mailbox.tsx'

/** The route of asynchronous results to this computer: none, a public address, or a mailbox. */
export function CallbacksPanel({ callbackRoute }: { callbackRoute: AppState['callbackRoute'] }): ReactNode {
  const { t, errorSentence } = useLanguage()
  const callbacks = useCall('callbacks.get', {})
  return (
    <section className="panel" aria-label={t('callbacks.title')}>
      <div>
        <h2>{t('callbacks.title')}</h2>
        <p className="hint">{t('callbacks.text')}</p>
      </div>
      {callbacks.isError && <Callout kind="bad">{errorSentence(callbacks.error)}</Callout>}
      {callbacks.data && <CallbackRoutes saved={callbacks.data} callbackRoute={callbackRoute} />}
      <p className="hint">{t('callbacks.documentation')}</p>
    </section>
  )
}

function CallbackRoutes({
  saved,
  callbackRoute,
}: {
  saved: CallbackState
  callbackRoute: AppState['callbackRoute']
}): ReactNode {
  const { t, formats, errorSentence } = useLanguage()
  const queryClient = useQueryClient()
  const saving = useAction('callbacks.save')
  const [chosen, setChosen] = useState<CallbackState['route'] | null>(null)
  const route = chosen ?? saved.route
  const isForbidden = useForbiddenRoutes()
  // An address is saved with its fields, and a new mailbox by its pairing.
  const canSaveAtOnce = route !== saved.route && (route === 'none' || (route === 'mailbox' && saved.mailbox !== null))

  /** Shows the state that a call returned, before it is asked for again. */
  function show(next: CallbackState): void {
    queryClient.setQueryData(callKey('callbacks.get', {}), next)
    setChosen(null)
  }
  function save(input: CallbackInput): void {
    saving.mutate(input, {
      onSuccess(next) {
        show(next)
        notify('done', t('callbacks.saved'))
      },
    })
  }
  function choose(next: CallbackState['route']): void {
    saving.reset()
    setChosen(next)
  }
  return (
    <div className="form">
      <RouteChoice route={route} onChoose={choose} isForbidden={isForbidden} />
      {route === 'address' && !isForbidden(route) && (
        <AddressFields
          key={`${saved.address} ${saved.port} ${saved.network}`}
          saved={saved}
          isSaving={saving.isPending}
          onSave={save}
        />
      )}
      {route === 'mailbox' && <MailboxFields saved={saved} onChanged={show} />}
      {canSaveAtOnce && (
        <div className="form__row form__row--end">
          <Button
            variant="primary"
            onPress={() => save({ route: route === 'none' ? 'none' : 'mailbox' })}
            isDisabled={saving.isPending}
          >
            {t('action.save')}
          </Button>
        </div>
      )}
      {saving.isError && <Callout kind="bad">{errorSentence(saving.error)}</Callout>}
      {route === saved.route && (
        <RouteStatus saved={saved} callbackRoute={callbackRoute} onTested={show} isForbidden={isForbidden(route)} />
      )}
      {saved.overdue > 0 && (
        <Callout kind="flag">
          {t('callbacks.overdue', { count: saved.overdue, shown: formats.count(saved.overdue) })}
        </Callout>
      )}
    </div>
  )
}

/** Tells the routes that an administrator does not allow. */
function useForbiddenRoutes(): (route: CallbackState['route']) => boolean {
  const allowed = usePolicies().AllowedCallbackRoutes
  return (route) => route !== 'none' && allowed?.includes(route) === false
}

type ChoiceProps = {
  route: CallbackState['route']
  onChoose: (route: CallbackState['route']) => void
  isForbidden: (route: CallbackState['route']) => boolean
}

function RouteChoice({ route, onChoose, isForbidden }: ChoiceProps): ReactNode {
  const { t } = useLanguage()
  return (
    <>
      <RadioGroup
        className="radio-cards radio-cards--thirds"
        aria-label={t('callbacks.route')}
        value={route}
        onChange={(value) => onChoose(value as CallbackState['route'])}
      >
        <RadioCard value="none" title={t('callbacks.none')} text={t('callbacks.noneText')} />
        <RadioCard
          value="address"
          title={t('callbacks.address')}
          text={t('callbacks.addressText')}
          isDisabled={isForbidden('address')}
        />
        <RadioCard
          value="mailbox"
          title={t('callbacks.mailbox')}
          text={t('callbacks.mailboxText')}
          isDisabled={isForbidden('mailbox')}
        />
      </RadioGroup>
      <SetByAdministrator policy="AllowedCallbackRoutes" />
    </>
  )
}

function AddressFields({
  saved,
  isSaving,
  onSave,
}: {
  saved: CallbackState
  isSaving: boolean
  onSave: (input: CallbackInput) => void
}): ReactNode {
  const { t } = useLanguage()
  const [draft, setDraft] = useState<AddressDraft>({
    address: saved.address ?? '',
    port: saved.route === 'address' ? String(saved.port) : '',
    network: saved.route === 'address' && saved.network,
  })
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
        <TextField
          label={t('callbacks.address')}
          type="url"
          value={draft.address}
          onChange={(address) => set({ address })}
          placeholder="https://callbacks.example.com"
          problem={badAddress ? t('connection.badUrl') : null}
          hint={t('callbacks.addressHint')}
        />
        <TextField
          label={t('callbacks.port')}
          value={draft.port}
          onChange={(port) => set({ port })}
          problem={
            input === null && !badAddress && draft.address.trim() !== '' && touched ? t('callbacks.portBad') : null
          }
          hint={t('callbacks.portHint')}
        />
      </div>
      <Checkbox isSelected={draft.network} onChange={(network) => set({ network })} hint={t('callbacks.networkHint')}>
        {t('callbacks.network')}
      </Checkbox>
      <div className="form__row form__row--end">
        <Button
          variant="primary"
          type="submit"
          isDisabled={input === null || isSaving || !addressChanged(draft, saved)}
        >
          {t('action.save')}
        </Button>
      </div>
    </form>
  )
}

type AddressDraft = { address: string; port: string; network: boolean }

const maxPort = 65_535

/** The port that was typed: null for any free one, undefined for what is none. Pure. */
export function portFrom(text: string): number | null | undefined {
  const typed = text.trim()
  if (typed === '') return null
  const port = /^\d{1,5}$/.test(typed) ? Number(typed) : 0
  return port >= 1 && port <= maxPort ? port : undefined
}

/** The input of `callbacks.save` for what was typed; null while it is not complete. Pure. */
export function addressInput({ address, port: typed, network }: AddressDraft): CallbackInput | null {
  const port = portFrom(typed)
  return isWebAddress(address) && port !== undefined
    ? { route: 'address', address: address.trim(), network, port }
    : null
}

/** True when saving would change something; an empty port keeps the one it has. Pure. */
export function addressChanged(draft: AddressDraft, saved: CallbackState): boolean {
  const port = portFrom(draft.port)
  return (
    saved.route !== 'address' ||
    draft.address.trim() !== saved.address ||
    draft.network !== saved.network ||
    (port !== null && port !== saved.port)
  )
}

type StatusProps = {
  saved: CallbackState
  callbackRoute: AppState['callbackRoute']
  onTested: (next: CallbackState) => void
  isForbidden: boolean
}

/** Whether the route works, when that was seen, why not, and the test that finds out. */
function RouteStatus({ saved, callbackRoute, onTested, isForbidden }: StatusProps): ReactNode {
  const { t, sentence, errorSentence } = useLanguage()
  const test = useAction('callbacks.test')
  // The sentence of the error sends people here.
  if (saved.route === 'none') return saved.problem && <Callout kind="info">{t('callbacks.largeSync')}</Callout>
  if (saved.route === 'mailbox' && saved.mailbox === null) return null
  const isTesting = saved.testing || test.isPending
  const status = isTesting ? 'testing' : saved.problem ? 'failed' : callbackRoute === 'tested' ? 'tested' : 'untested'
  const { tone, icon, label } = routeBadges[status]
  return (
    <>
      <div className="standing" role="status">
        <span className={`badge badge--${tone}`}>
          <Icon name={icon} size={12} />
          {t(label)}
        </span>
        <StatusHint status={status} testedAt={saved.testedAt} />
        <Button onPress={() => test.mutate({}, { onSuccess: onTested })} isDisabled={isTesting || isForbidden}>
          {t('callbacks.test')}
        </Button>
      </div>
      {!isTesting && saved.problem && <Callout kind="flag">{sentence(saved.problem)}</Callout>}
      {test.isError && <Callout kind="bad">{errorSentence(test.error)}</Callout>}
    </>
  )
}

type Status = 'testing' | 'failed' | 'tested' | 'untested'

const routeBadges: Record<Status, { tone: string; icon: IconName; label: MessageId }> = {
  testing: { tone: 'moving', icon: 'clock', label: 'callbacks.testing' },
  failed: { tone: 'flag', icon: 'warning', label: 'callbacks.failed' },
  tested: { tone: 'ok', icon: 'check', label: 'callbacks.tested' },
  untested: { tone: 'calm', icon: 'question', label: 'callbacks.untested' },
}

function StatusHint({ status, testedAt }: { status: Status; testedAt: number | null }): ReactNode {
  const { t, formats } = useLanguage()
  const texts =
    status === 'testing'
      ? [t('callbacks.testingText')]
      : [
          testedAt === null ? '' : t('callbacks.testedAt', { time: formats.dateTime(testedAt) }),
          status === 'untested' ? t('callbacks.untestedText') : '',
        ]
  return <span className="hint">{texts.filter((text) => text !== '').join(' ')}</span>
}
