import { useRef, useState } from 'react'
import type { ChangeEvent, ReactNode } from 'react'
import { RadioGroup } from 'react-aria-components'
import { useQueries } from '@tanstack/react-query'
import type { ConnectionRow } from '../../../shared/contract.ts'
import { supportedExtensions } from '../../../shared/limits.ts'
import { call } from '../../client/client.ts'
import { uploadForDraft } from '../../client/files.ts'
import { callKey, useCall } from '../../client/queries.ts'
import { navigate } from '../../client/route.ts'
import { connectionName } from '../../components/connection-choices.ts'
import { Button, Select } from '../../components/controls.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Icon } from '../../components/icon.tsx'
import { Callout } from '../../components/page.tsx'
import { RadioCard } from '../../components/radio-card.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { prepareSchema } from './draft.ts'

type Job = { id: number; name: string }

/** Makes the fields of a new schema from a document: one that is chosen here, or one that Sheaf has. Opens them unsaved. */
export function DraftDialog({ job, onClose }: { job: Job | null; onClose: () => void }): ReactNode {
  const { t, locale, formats, errorSentence } = useLanguage()
  const offers = useModelOffers()
  const [file, setFile] = useState<File | null>(null)
  const [by, setBy] = useState<'rules' | 'model'>('rules')
  const [chosen, setChosen] = useState<string | null>(null)
  const [drafting, setDrafting] = useState(false)
  const [problem, setProblem] = useState<unknown>(null)
  const input = useRef<HTMLInputElement>(null)
  const accept = Object.keys(supportedExtensions).map((extension) => `.${extension}`).join(',')
  const offer = by === 'model' ? (offers.find(({ key }) => key === chosen) ?? offers[0]) : undefined
  const ready = (job !== null || file !== null) && !drafting

  async function draft(): Promise<void> {
    if (!ready) return
    setDrafting(true)
    setProblem(null)
    try {
      const source = job ? { jobId: job.id } : file ? { uploadId: await uploadForDraft(file) } : null
      if (!source) return
      const made = await call('schemas.draft', { source, connectionId: offer?.connection.id ?? null, model: offer?.model ?? null, locale })
      prepareSchema({ name: made.name, elements: made.elements, origin: { from: job?.name ?? file?.name ?? '', by: made.by, model: offer?.model ?? '', note: made.note } })
      navigate({ screen: 'schema', id: null })
      onClose()
    } catch (error) {
      setProblem(error)
      setDrafting(false)
    }
  }
  function choose(event: ChangeEvent<HTMLInputElement>): void {
    setFile(event.target.files?.[0] ?? null)
    setProblem(null)
    event.target.value = ''
  }
  return (
    <Dialog
      title={t('draft.title')}
      width="wide"
      onClose={onClose}
      onSubmit={() => void draft()}
      actions={
        <>
          <Button onPress={onClose}>{t('action.cancel')}</Button>
          <Button variant="primary" type="submit" isDisabled={!ready}>
            {drafting ? t('draft.drafting') : t('draft.confirm')}
          </Button>
        </>
      }
    >
      <p>{t(job ? 'draft.jobText' : 'draft.text')}</p>
      <div className="chosen-file">
        <Icon name="document" />
        <span className="ellipsis chosen-file__name" title={job?.name ?? file?.name}>
          {job || file ? <bdi>{job?.name ?? file?.name}</bdi> : <span className="hint">{t('draft.noFile')}</span>}
        </span>
        {file && <span className="hint tabular">{formats.size(file.size)}</span>}
        {!job && (
          <Button icon="folder" onPress={() => input.current?.click()}>
            {t('draft.choose')}
          </Button>
        )}
        <input ref={input} type="file" accept={accept} hidden onChange={choose} data-testid="draft-file" />
      </div>
      {offers.length > 0 && (
        <RadioGroup className="radio-cards" aria-label={t('draft.how')} value={by} onChange={(value) => setBy(value as typeof by)}>
          <RadioCard value="rules" icon="computer" title={t('draft.byRules')} text={t('draft.byRulesText')} />
          <RadioCard value="model" icon="ask" title={t('draft.byModel')} text={t('draft.byModelText')} />
        </RadioGroup>
      )}
      {offer && offers.length > 1 && <Select label={t('draft.model')} value={offer.key} onChange={setChosen} choices={offers.map(({ key, model, connection }) => ({ key, label: `${model} · ${connectionName(connection, t)}` }))} />}
      {offer?.connection.kind === 'platform' && <Callout kind="info">{t('draft.leaves', { name: connectionName(offer.connection, t) })}</Callout>}
      {problem !== null && <Callout kind="bad">{errorSentence(problem)}</Callout>}
    </Dialog>
  )
}

type Offer = { key: string; connection: ConnectionRow; model: string }

/** The models of every connection that has some just now. */
function useModelOffers(): Offer[] {
  const connections = useCall('connections.list', {}).data?.connections ?? []
  return useQueries({
    queries: connections.map(({ id }) => ({ queryKey: callKey('models.list', { connectionId: id }), queryFn: () => call('models.list', { connectionId: id }) })),
    combine: (answers) => answers.flatMap(({ data }, index) => (connections[index] ? (data?.models ?? []).map((model) => ({ key: `${index}:${model}`, connection: connections[index]!, model })) : [])),
  })
}
