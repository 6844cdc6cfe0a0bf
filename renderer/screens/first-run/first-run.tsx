import { useState } from 'react'
import type { ReactNode } from 'react'
import { RadioGroup } from 'react-aria-components'
import type { AppState } from '../../../shared/contract.ts'
import { AppError } from '../../../shared/errors.ts'
import { call } from '../../client/client.ts'
import { useCall } from '../../client/queries.ts'
import { navigate } from '../../client/route.ts'
import { ConnectionFields, connectionInput, emptyConnection, isComplete } from '../../components/connection-fields.tsx'
import type { ConnectionDraft } from '../../components/connection-fields.tsx'
import { ConnectionStopped } from '../../components/connection-stopped.tsx'
import { Button } from '../../components/controls.tsx'
import { FolderPicker } from '../../components/folder-picker.tsx'
import { BrandMark } from '../../components/icon.tsx'
import { Callout, useWindowTitle } from '../../components/page.tsx'
import { RadioCard } from '../../components/radio-card.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { elementsOf, newField, problemsOf } from '../schemas/draft.ts'
import { OwnSchema } from './own-schema.tsx'

/** Three choices on one page, each with an answer already; then documents appear. */
export function FirstRun({ state }: { state: AppState }): ReactNode {
  const { t, locale, errorSentence } = useLanguage()
  useWindowTitle(t('first.title'))
  const templates = useCall('schemas.templates', { locale }).data?.templates ?? []
  const [where, setWhere] = useState<'local' | 'platform'>('local')
  const [account, setAccount] = useState<ConnectionDraft>(emptyConnection)
  const [source, setSource] = useState<'samples' | 'folder'>(state.samplesDir === null ? 'folder' : 'samples')
  const [path, setPath] = useState('')
  const [schemaKey, setSchemaKey] = useState<string>('')
  const [schemaName, setSchemaName] = useState(() => t('schemas.untitled'))
  const [fields, setFields] = useState(() => [newField()])
  const [starting, setStarting] = useState(false)
  const [problem, setProblem] = useState<unknown>(null)

  const chosenKey = schemaKey || (templates[0]?.key ?? '')
  const local = state.connections.find((connection) => connection.kind === 'local')
  const hasSchema = chosenKey === 'own' ? fields.length > 0 && problemsOf(fields).size === 0 : chosenKey !== ''
  const ready = hasSchema && (where === 'local' ? local !== undefined : isComplete(account)) && (source === 'samples' || path.trim() !== '')

  /** Only an account that works is stored. */
  async function connect(): Promise<number> {
    const input = connectionInput(account)
    const { problem: refusal } = await call('connections.test', input)
    if (refusal !== null) throw new AppError(refusal.code, refusal.details)
    return (await call('connections.save', input)).id
  }

  async function start(): Promise<void> {
    setStarting(true)
    setProblem(null)
    try {
      const template = templates.find(({ key }) => key === chosenKey)
      const elements = chosenKey === 'own' ? elementsOf(fields) : template?.elements
      const connectionId = where === 'local' ? (local?.id ?? 0) : await connect()
      // A second try after a failure takes up what the first one made.
      if (where === 'platform') setAccount((draft) => ({ ...draft, id: connectionId }))
      const name = template?.name ?? (schemaName.trim() || t('schemas.untitled'))
      const made = (await call('schemas.list', {})).schemas.find((schema) => schema.name === name && JSON.stringify(schema.elements) === JSON.stringify(elements))
      const schemaId = made?.id ?? (await call('schemas.save', { id: null, name, elements, rules: template?.rules })).id
      if (source === 'samples') await call('folders.addSamples', { schemaId, connectionId })
      else await call('folders.add', { path: path.trim(), schemaId, connectionId })
      // An account that was tried and then not chosen is not kept.
      if (where === 'local' && account.id !== null) await call('connections.remove', { id: account.id })
      await call('settings.update', { firstRunDone: true })
      navigate({ screen: 'jobs' })
    } catch (error) {
      setProblem(error)
      setStarting(false)
    }
  }

  return (
    <main className="first-run">
      <div className="first-run__page">
        <header className="first-run__head">
          <BrandMark size={40} />
          <div>
            <h1>{t('first.title')}</h1>
            <p>{t('first.text')}</p>
          </div>
        </header>

        <Step number={1} title={t('first.where')}>
          <RadioGroup className="radio-cards" aria-label={t('first.where')} value={where} onChange={(value) => setWhere(value as typeof where)}>
            <RadioCard value="local" icon="computer" title={t('first.local')} text={t('first.localText')} />
            <RadioCard value="platform" icon="cloud" title={t('first.platform')} text={t('first.platformText')} />
          </RadioGroup>
          {where === 'local' && <ConnectionStopped connection={local} />}
          {where === 'platform' && <ConnectionFields draft={account} onChange={setAccount} />}
        </Step>

        <Step number={2} title={t('first.source')}>
          <RadioGroup className="radio-cards" aria-label={t('first.source')} value={source} onChange={(value) => setSource(value as typeof source)}>
            {state.samplesDir !== null && <RadioCard value="samples" icon="document" title={t('first.samples')} text={t('first.samplesText')} />}
            <RadioCard value="folder" icon="folder" title={t('first.folder')} text={t('first.folderText')} />
          </RadioGroup>
          {source === 'folder' && <FolderPicker host={state.host} value={path} onChange={setPath} />}
        </Step>

        <Step number={3} title={t('first.schema')}>
          <RadioGroup className="radio-cards radio-cards--small" aria-label={t('first.schema')} value={chosenKey} onChange={setSchemaKey}>
            {templates.map((template) => (
              <RadioCard key={template.key} value={template.key} title={template.name} text={template.description} />
            ))}
            <RadioCard value="own" title={t('first.own')} text={t('first.ownText')} />
          </RadioGroup>
          {chosenKey === 'own' && <OwnSchema name={schemaName} onName={setSchemaName} fields={fields} onFields={setFields} />}
        </Step>

        <footer className="first-run__foot">
          {problem !== null && <Callout kind="bad">{errorSentence(problem)}</Callout>}
          <span className="hint">{where === 'local' ? t('first.stays') : t('first.leaves')}</span>
          <Button variant="primary" isDisabled={!ready || starting} onPress={() => void start()}>
            {starting ? t('first.starting') : t('first.start')}
          </Button>
        </footer>
      </div>
    </main>
  )
}

function Step({ number, title, children }: { number: number; title: string; children: ReactNode }): ReactNode {
  return (
    <section className="step">
      <h2>
        <span className="step__number" aria-hidden="true">
          {number}
        </span>
        {title}
      </h2>
      <div className="step__body">{children}</div>
    </section>
  )
}
