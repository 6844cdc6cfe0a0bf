import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { RadioGroup } from 'react-aria-components'
import type { AppState } from '../../../shared/contract/contract.ts'
import { ConnectionFields } from '../../components/connection-fields.tsx'
import { ConnectionStopped } from '../../components/connection-stopped.tsx'
import { Button, TextField } from '../../components/controls.tsx'
import { FolderPicker } from '../../components/folder-picker.tsx'
import { BrandMark } from '../../components/icon.tsx'
import { Callout, useWindowTitle } from '../../components/page.tsx'
import { SetByAdministrator, usePolicies } from '../../components/set-by-administrator.tsx'
import { RadioCard } from '../../components/radio-card.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { problemsOf } from '../schemas/field-draft.ts'
import { FieldList } from '../schemas/field-list.tsx'
import { useFirstRun } from './use-first-run.ts'
import type { FirstRunForm, FirstRunValues } from './use-first-run.ts'

/** Three choices on one page, each with an answer already; then documents appear. */
export function FirstRun({ state }: { state: AppState }): ReactNode {
  const { t, errorSentence } = useLanguage()
  useWindowTitle(t('first.title'))
  const form = useFirstRun(state)
  const { problem, isStarting } = form
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
        <ConnectionStep form={form} />
        <SourceStep form={form} state={state} />
        <SchemaStep form={form} />
        <footer className="first-run__foot">
          {problem !== null && <Callout kind="bad">{errorSentence(problem)}</Callout>}
          <span className="hint">{form.values.where === 'local' ? t('first.stays') : t('first.leaves')}</span>
          <Button variant="primary" isDisabled={!form.isComplete || isStarting} onPress={() => void form.start()}>
            {isStarting ? t('first.starting') : t('first.start')}
          </Button>
        </footer>
      </div>
    </main>
  )
}

type StepProps = { form: FirstRunForm }

function ConnectionStep({ form: { values, change, local } }: StepProps): ReactNode {
  const { t } = useLanguage()
  const { where, account } = values
  const isOnlyHere = usePolicies().AllowedPlatformHosts?.length === 0
  return (
    <Step number={1} title={t('first.where')}>
      <RadioGroup
        className="radio-cards"
        aria-label={t('first.where')}
        value={where}
        onChange={(value) => change({ where: value as FirstRunValues['where'] })}
      >
        <RadioCard value="local" icon="computer" title={t('first.local')} text={t('first.localText')} />
        <RadioCard
          value="platform"
          icon="cloud"
          title={t('first.platform')}
          text={t('first.platformText')}
          isDisabled={isOnlyHere}
        />
      </RadioGroup>
      {isOnlyHere && <SetByAdministrator policy="AllowedPlatformHosts" />}
      {where === 'local' && <ConnectionStopped connection={local} />}
      {where === 'platform' && <ConnectionFields draft={account} onChange={(next) => change({ account: next })} />}
    </Step>
  )
}

function SourceStep({ form: { values, change }, state }: StepProps & { state: AppState }): ReactNode {
  const { t } = useLanguage()
  const { source, path } = values
  return (
    <Step number={2} title={t('first.source')}>
      <RadioGroup
        className="radio-cards"
        aria-label={t('first.source')}
        value={source}
        onChange={(value) => change({ source: value as FirstRunValues['source'] })}
      >
        {state.samplesDir !== null && (
          <RadioCard value="samples" icon="document" title={t('first.samples')} text={t('first.samplesText')} />
        )}
        <RadioCard value="folder" icon="folder" title={t('first.folder')} text={t('first.folderText')} />
      </RadioGroup>
      {source === 'folder' && (
        <FolderPicker host={state.host} value={path} onChange={(next) => change({ path: next })} />
      )}
      <SetByAdministrator policy="AllowedFolders" />
    </Step>
  )
}

function SchemaStep({ form: { values, change, templates, schemaKey } }: StepProps): ReactNode {
  const { t } = useLanguage()
  return (
    <Step number={3} title={t('first.schema')}>
      <RadioGroup
        className="radio-cards radio-cards--small"
        aria-label={t('first.schema')}
        value={schemaKey}
        onChange={(key) => change({ schemaKey: key })}
      >
        {templates.map((template) => (
          <RadioCard key={template.key} value={template.key} title={template.name} text={template.description} />
        ))}
        <RadioCard value="own" title={t('first.own')} text={t('first.ownText')} />
      </RadioGroup>
      {schemaKey === 'own' && <OwnSchema values={values} onChange={change} />}
    </Step>
  )
}

type OwnSchemaProps = { values: FirstRunValues; onChange: FirstRunForm['change'] }

/**
 * A schema made by hand, where no template fits. Comes into view when it is chosen: in a small window it would stand
 * below it.
 */
function OwnSchema({ values: { schemaName, fields }, onChange }: OwnSchemaProps): ReactNode {
  const { t } = useLanguage()
  const root = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Not returned: in newer browsers this is a promise, and React would take it for the cleanup.
    root.current?.scrollIntoView({ block: 'center' })
  }, [])
  // A field that has no name yet is not wrong: it is about to be typed.
  const problems = new Map([...problemsOf(fields)].filter(([, problem]) => problem !== 'nameMissing'))
  return (
    <div className="own-schema" ref={root}>
      <TextField label={t('schemas.name')} value={schemaName} onChange={(name) => onChange({ schemaName: name })} />
      <FieldList fields={fields} onChange={(next) => onChange({ fields: next })} problems={problems} />
    </div>
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
