import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { AppError } from '../../../shared/errors.ts'
import type { ModelServer } from '../../../shared/service-control.ts'
import { callKey, useAction, useCall } from '../../client/queries.ts'
import { isWebAddress } from '../../client/web-address.ts'
import { Button, Select, TextField } from '../../components/controls.tsx'
import { Confirm } from '../../components/dialog.tsx'
import { notify } from '../../components/notices.tsx'
import { Callout } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'

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
      {isOff && <Callout kind="info">{questionSentence(new AppError('service_off'))}</Callout>}
      {!isOff && server.isError && <Callout kind="bad">{errorSentence(server.error)}</Callout>}
      {!isOff && server.data && <ModelServerFields key={JSON.stringify(server.data)} saved={server.data} />}
    </section>
  )
}

const nothing = ''

function ModelServerFields({ saved }: { saved: ModelServer }): ReactNode {
  const { t, formats, questionSentence, errorSentence } = useLanguage()
  const queryClient = useQueryClient()
  const discover = useAction('models.discover')
  const save = useAction('models.saveServer')
  const [address, setAddress] = useState(saved.baseUrl ?? '')
  const [key, setKey] = useState('')
  const [large, setLarge] = useState(saved.large ?? nothing)
  const [small, setSmall] = useState(saved.small ?? nothing)
  const [clearing, setClearing] = useState(false)
  const baseUrl = address.trim().replace(/\/+$/, '')
  const known = isWebAddress(baseUrl)
  const apiKey = key === '' ? {} : { apiKey: key }
  const changed = baseUrl !== (saved.baseUrl ?? '') || key !== '' || large !== (saved.large ?? nothing) || small !== (saved.small ?? nothing)
  const found = discover.data?.problem === null ? discover.data.models : []
  const models = [...new Set([...found, large, small])].filter((model) => model !== nothing)
  const choices = [{ key: nothing, label: t('models.notServed') }, ...models.map((model) => ({ key: model, label: model }))]

  function find(): void {
    discover.mutate(
      { baseUrl, ...apiKey },
      {
        onSuccess({ models: [first] }) {
          if (first === undefined || large !== nothing || small !== nothing) return
          setLarge(first)
          setSmall(first)
        },
      },
    )
  }
  function store(input: Parameters<typeof save.mutate>[0], done: string): void {
    save.mutate(input, {
      onSuccess(server) {
        queryClient.setQueryData(callKey('models.server', {}), server)
        void queryClient.invalidateQueries({ queryKey: ['models.list'] })
        notify('done', done)
      },
    })
  }
  return (
    <div className="form">
      <div className="form__columns">
        <TextField label={t('models.address')} type="url" value={address} onChange={setAddress} placeholder="http://127.0.0.1:11434/v1" problem={baseUrl !== '' && !known ? t('connection.badUrl') : null} hint={t('models.addressHint')} />
        <TextField label={t('models.key')} type="password" value={key} onChange={setKey} hint={t(saved.hasKey ? 'models.keyKept' : 'models.keyHint')} />
      </div>
      <div className="form__row">
        <Button icon="search" onPress={find} isDisabled={!known || discover.isPending}>
          {discover.isPending ? t('models.finding') : t('models.find')}
        </Button>
        <span role="status">{found.length > 0 && <span className="hint">{t('models.found', { count: found.length, shown: formats.count(found.length) })}</span>}</span>
      </div>
      {discover.data?.problem && <Callout kind="bad">{questionSentence(discover.data.problem)}</Callout>}
      {discover.data?.problem === null && found.length === 0 && <Callout kind="flag">{t('models.foundNone')}</Callout>}
      {discover.isError && <Callout kind="bad">{questionSentence(discover.error)}</Callout>}
      {(models.length > 0 || saved.baseUrl !== null) && (
        <div className="form__columns">
          <Select label={t('models.large')} value={large} onChange={setLarge} choices={choices} hint={t('ask.modelLarge')} />
          <Select label={t('models.small')} value={small} onChange={setSmall} choices={choices} hint={t('ask.modelSmall')} />
        </div>
      )}
      {save.isError && <Callout kind="bad">{errorSentence(save.error)}</Callout>}
      <div className="form__row form__row--end">
        {saved.baseUrl !== null && (
          <Button variant="quiet" onPress={() => setClearing(true)}>
            {t('models.clear')}
          </Button>
        )}
        <Button variant="primary" onPress={() => store({ baseUrl, ...apiKey, large: large || null, small: small || null }, t('models.saved'))} isDisabled={!known || !changed || save.isPending}>
          {t('action.save')}
        </Button>
      </div>
      {clearing && (
        <Confirm title={t('models.clearTitle')} confirm={t('settings.removeConfirm')} danger onConfirm={() => store({ baseUrl: null, apiKey: null, large: null, small: null }, t('models.cleared'))} onClose={() => setClearing(false)}>
          <p>{t('models.clearText')}</p>
        </Confirm>
      )}
    </div>
  )
}
