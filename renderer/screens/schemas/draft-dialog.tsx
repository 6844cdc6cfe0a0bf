import { useRef, useState } from 'react'
import type { ChangeEvent, ReactNode } from 'react'
import { RadioGroup } from 'react-aria-components'
import { useQueries } from '@tanstack/react-query'
import type { ConnectionRow } from '../../../shared/contract/connections.ts'
import { documentExtensions } from '../../../shared/domain/limits.ts'
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
import { prepareSchema } from './field-draft.ts'

type StoredDocument = { id: number; name: string }

type DraftForm = {
  file: File | null
  choose: (file: File | null) => void
  isDrafting: boolean
  /** Why drafting failed; null when it did not. */
  problem: unknown
  /** Drafts the fields, by a model or (undefined) by rules, and opens them unsaved. */
  draft: (model: ModelOffer | undefined) => Promise<void>
}

function useDraftForm(document: StoredDocument | null, onClose: () => void): DraftForm {
  const { locale } = useLanguage()
  const [file, setFile] = useState<File | null>(null)
  const [isDrafting, setIsDrafting] = useState(false)
  const [problem, setProblem] = useState<unknown>(null)

  async function draft(offer: ModelOffer | undefined): Promise<void> {
    const source = document ?? file
    if (source === null || isDrafting) return
    setIsDrafting(true)
    setProblem(null)
    try {
      const model = offer?.model
      const made = await call('schemas.draft', {
        source: source instanceof File ? { uploadId: await uploadForDraft(source) } : { documentId: source.id },
        connectionId: offer?.connection.id ?? null,
        model: model ?? null,
        locale,
      })
      const { name, elements, by, note } = made
      prepareSchema({ name, elements, origin: { from: source.name, by, model: model ?? '', note } })
      navigate({ screen: 'schema', id: null })
      onClose()
    } catch (error) {
      setProblem(error)
      setIsDrafting(false)
    }
  }
  return {
    file,
    choose(chosen) {
      setFile(chosen)
      setProblem(null)
    },
    isDrafting,
    problem,
    draft,
  }
}

type Props = { document: StoredDocument | null; onClose: () => void }

/**
 * Makes the fields of a new schema from a document: one that is chosen here, or one that Sheaf has. Opens them unsaved.
 */
export function DraftDialog({ document, onClose }: Props): ReactNode {
  const { t, errorSentence } = useLanguage()
  const form = useDraftForm(document, onClose)
  const offers = useModelOffers()
  const [by, setBy] = useState<'rules' | 'model'>('rules')
  const [chosen, setChosen] = useState<string | null>(null)
  const offer = by === 'model' ? (offers.find(({ key }) => key === chosen) ?? offers[0]) : undefined
  const isReady = (document !== null || form.file !== null) && !form.isDrafting
  return (
    <Dialog
      title={t('draft.title')}
      width="wide"
      onClose={onClose}
      onSubmit={() => void form.draft(offer)}
      actions={
        <>
          <Button onPress={onClose}>{t('action.cancel')}</Button>
          <Button variant="primary" type="submit" isDisabled={!isReady}>
            {form.isDrafting ? t('draft.drafting') : t('draft.confirm')}
          </Button>
        </>
      }
    >
      <p>{t(document ? 'draft.documentText' : 'draft.text')}</p>
      <ChosenFile document={document} file={form.file} onChoose={form.choose} />
      {offers.length > 0 && (
        <RadioGroup
          className="radio-cards"
          aria-label={t('draft.how')}
          value={by}
          onChange={(value) => setBy(value as typeof by)}
        >
          <RadioCard value="rules" icon="computer" title={t('draft.byRules')} text={t('draft.byRulesText')} />
          <RadioCard value="model" icon="ask" title={t('draft.byModel')} text={t('draft.byModelText')} />
        </RadioGroup>
      )}
      {offer && offers.length > 1 && (
        <Select
          label={t('draft.model')}
          value={offer.key}
          onChange={setChosen}
          choices={offers.map(({ key, model, connection }) => ({
            key,
            label: `${model} · ${connectionName(connection, t)}`,
          }))}
        />
      )}
      {offer?.connection.kind === 'platform' && (
        <Callout kind="info">{t('draft.leaves', { name: connectionName(offer.connection, t) })}</Callout>
      )}
      {form.problem !== null && <Callout kind="bad">{errorSentence(form.problem)}</Callout>}
    </Dialog>
  )
}

const acceptedTypes = documentExtensions.map((extension) => `.${extension}`).join(',')

type ChosenFileProps = Pick<Props, 'document'> & Pick<DraftForm, 'file'> & { onChoose: DraftForm['choose'] }

/** The document that is drafted from; without one that Sheaf has, a file to choose. */
function ChosenFile({ document, file, onChoose }: ChosenFileProps): ReactNode {
  const { t, formats } = useLanguage()
  const input = useRef<HTMLInputElement>(null)
  const name = (document ?? file)?.name
  function choose(event: ChangeEvent<HTMLInputElement>): void {
    onChoose(event.target.files?.[0] ?? null)
    event.target.value = ''
  }
  return (
    <div className="chosen-file">
      <Icon name="document" />
      <span className="ellipsis chosen-file__name" title={name}>
        {name === undefined ? <span className="hint">{t('draft.noFile')}</span> : <bdi>{name}</bdi>}
      </span>
      {file && <span className="hint tabular">{formats.size(file.size)}</span>}
      {!document && (
        <Button icon="folder" onPress={() => input.current?.click()}>
          {t('draft.choose')}
        </Button>
      )}
      <input ref={input} type="file" accept={acceptedTypes} hidden onChange={choose} data-testid="draft-file" />
    </div>
  )
}

type ModelOffer = { key: string; connection: ConnectionRow; model: string }

/** The models of every connection that has some just now. */
function useModelOffers(): ModelOffer[] {
  const connections = useCall('connections.list', {}).data?.connections ?? []
  return useQueries({
    queries: connections.map(({ id }) => ({
      queryKey: callKey('models.list', { connectionId: id }),
      queryFn: () => call('models.list', { connectionId: id }),
    })),
    combine: (answers) =>
      answers.flatMap(({ data }, index) =>
        connections[index]
          ? (data?.models ?? []).map((model) => ({ key: `${index}:${model}`, connection: connections[index]!, model }))
          : [],
      ),
  })
}
