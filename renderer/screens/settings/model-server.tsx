import { useQueryClient } from '@tanstack/react-query'
import type { UseMutationResult } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { CallInput, CallOutput } from '../../../shared/contract/contract.ts'
import { AppError } from '../../../shared/domain/errors.ts'
import type { ModelServer } from '../../../shared/wire/service-control.ts'
import { callKey, useAction, useCall } from '../../client/queries.ts'
import { isWebAddress } from '../../client/web-address.ts'
import { Button, Select, TextField } from '../../components/controls.tsx'
import { Confirm } from '../../components/dialog.tsx'
import { notify } from '../../components/notices.tsx'
import { Callout } from '../../components/page.tsx'
import { SetByAdministrator, usePolicies } from '../../components/set-by-administrator.tsx'
import { useLanguage } from '../../messages/language.tsx'
import type { MessageId } from '../../messages/language.tsx'

/** The server behind `svc-large` and `svc-small` on this computer, which only this computer’s service knows. */
export function ModelServerPanel({ isOff }: { isOff: boolean }): ReactNode {
  const { t, errorSentence, questionSentence } = useLanguage()
  const server = useCall('models.server', {}, { enabled: !isOff })
  return (
    <section className="panel" aria-label={t('models.title')}>
      <div>
        <h2>{t('models.title')}</h2>
        <p className="hint">{t('models.text')}</p>
      </div>
      <SetByAdministrator policy="AllowedModelServerHosts" />
      {isOff && <Callout kind="info">{questionSentence(new AppError('service_off'))}</Callout>}
      {!isOff && server.isError && <Callout kind="bad">{errorSentence(server.error)}</Callout>}
      {!isOff && server.data && <ModelServerFields key={JSON.stringify(server.data)} saved={server.data} />}
    </section>
  )
}

/** The choice of no model for an alias. */
const notServed = ''

type ServerValues = { address: string; apiKey: string; large: string; small: string }

/** A model server while it is edited, with the models that were found there. */
type ServerForm = {
  values: ServerValues
  change: (part: Partial<ServerValues>) => void
  /** What was typed is an address of the web. */
  hasAddress: boolean
  isAddressWrong: boolean
  isChanged: boolean
  /** Those that were found, and those that are chosen already. */
  models: string[]
  foundCount: number
  discovering: Pick<UseMutationResult<CallOutput<'models.discover'>>, 'data' | 'isPending' | 'error'>
  saving: Pick<UseMutationResult, 'isPending' | 'isError' | 'error'>
  discover: () => void
  save: () => void
  clear: () => void
}

function useServerForm(saved: ModelServer): ServerForm {
  const { t } = useLanguage()
  const queryClient = useQueryClient()
  const discovering = useAction('models.discover')
  const saving = useAction('models.saveServer')
  const original = originalValues(saved)
  const [values, setValues] = useState(original)
  const change = (part: Partial<ServerValues>): void => setValues((before) => ({ ...before, ...part }))
  const { apiKey, large, small } = values
  const baseUrl = values.address.trim().replace(/\/+$/, '')
  const hasAddress = isWebAddress(baseUrl)
  // Without a key the one that is stored stays.
  const server = { baseUrl, ...(apiKey === '' ? {} : { apiKey }) }
  const found = discovering.data?.problem === null ? discovering.data.models : []

  function discover(): void {
    discovering.mutate(server, {
      onSuccess({ models: [first] }) {
        if (first !== undefined && large === notServed && small === notServed) change({ large: first, small: first })
      },
    })
  }
  function store(input: CallInput<'models.saveServer'>, message: MessageId): void {
    saving.mutate(input, {
      onSuccess(next) {
        queryClient.setQueryData(callKey('models.server', {}), next)
        void queryClient.invalidateQueries({ queryKey: ['models.list'] })
        notify('done', t(message))
      },
    })
  }
  return {
    values,
    change,
    hasAddress,
    isAddressWrong: baseUrl !== '' && !hasAddress,
    isChanged: JSON.stringify({ ...values, address: baseUrl }) !== JSON.stringify(original),
    models: [...new Set([...found, large, small])].filter((model) => model !== notServed),
    foundCount: found.length,
    discovering,
    saving,
    discover,
    save: () => store({ ...server, large: large || null, small: small || null }, 'models.saved'),
    clear: () => store({ baseUrl: null, apiKey: null, large: null, small: null }, 'models.cleared'),
  }
}

function originalValues({ baseUrl, large, small }: ModelServer): ServerValues {
  return { address: baseUrl ?? '', apiKey: '', large: large ?? notServed, small: small ?? notServed }
}

function ModelServerFields({ saved }: { saved: ModelServer }): ReactNode {
  const { t, errorSentence } = useLanguage()
  const form = useServerForm(saved)
  const [isClearing, setIsClearing] = useState(false)
  const { values, change, saving } = form
  const isForbidden = usePolicies().AllowedModelServerHosts?.length === 0
  return (
    <div className="form">
      <div className="form__columns">
        <TextField
          label={t('models.address')}
          type="url"
          value={values.address}
          isDisabled={isForbidden}
          onChange={(address) => change({ address })}
          placeholder="http://127.0.0.1:11434/v1"
          problem={form.isAddressWrong ? t('connection.badUrl') : null}
          hint={t('models.addressHint')}
        />
        <TextField
          label={t('models.key')}
          type="password"
          value={values.apiKey}
          isDisabled={isForbidden}
          onChange={(apiKey) => change({ apiKey })}
          hint={t(saved.hasKey ? 'models.keyKept' : 'models.keyHint')}
        />
      </div>
      <Discovery form={form} isDisabled={isForbidden} />
      {(form.models.length > 0 || saved.baseUrl !== null) && <AliasFields form={form} />}
      {saving.isError && <Callout kind="bad">{errorSentence(saving.error)}</Callout>}
      <div className="form__row form__row--end">
        {saved.baseUrl !== null && (
          <Button variant="quiet" onPress={() => setIsClearing(true)}>
            {t('models.clear')}
          </Button>
        )}
        <Button
          variant="primary"
          onPress={form.save}
          isDisabled={isForbidden || !form.hasAddress || !form.isChanged || saving.isPending}
        >
          {t('action.save')}
        </Button>
      </div>
      {isClearing && (
        <Confirm
          title={t('models.clearTitle')}
          confirm={t('settings.removeConfirm')}
          danger
          onConfirm={form.clear}
          onClose={() => setIsClearing(false)}
        >
          <p>{t('models.clearText')}</p>
        </Confirm>
      )}
    </div>
  )
}

type FormProps = { form: ServerForm }

/** Asks the server for its models, and says how many there are or why there are none. */
function Discovery({
  form: { hasAddress, discovering, discover, foundCount },
  isDisabled,
}: FormProps & { isDisabled: boolean }): ReactNode {
  const { t, formats, questionSentence } = useLanguage()
  const { data } = discovering
  return (
    <>
      <div className="form__row">
        <Button icon="search" onPress={discover} isDisabled={isDisabled || !hasAddress || discovering.isPending}>
          {discovering.isPending ? t('models.finding') : t('models.find')}
        </Button>
        <span role="status">
          {foundCount > 0 && (
            <span className="hint">{t('models.found', { count: foundCount, shown: formats.count(foundCount) })}</span>
          )}
        </span>
      </div>
      {data?.problem && <Callout kind="bad">{questionSentence(data.problem)}</Callout>}
      {data?.problem === null && foundCount === 0 && <Callout kind="flag">{t('models.foundNone')}</Callout>}
      {discovering.error && <Callout kind="bad">{questionSentence(discovering.error)}</Callout>}
    </>
  )
}

/** Which model answers for each of the two aliases. */
function AliasFields({ form: { values, change, models } }: FormProps): ReactNode {
  const { t } = useLanguage()
  const choices = [
    { key: notServed, label: t('models.notServed') },
    ...models.map((model) => ({ key: model, label: model })),
  ]
  return (
    <div className="form__columns">
      <Select
        label={t('models.large')}
        value={values.large}
        onChange={(large) => change({ large })}
        choices={choices}
        hint={t('ask.modelLarge')}
      />
      <Select
        label={t('models.small')}
        value={values.small}
        onChange={(small) => change({ small })}
        choices={choices}
        hint={t('ask.modelSmall')}
      />
    </div>
  )
}
