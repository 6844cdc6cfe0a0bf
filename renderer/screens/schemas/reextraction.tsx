import { useRef, useState } from 'react'
import type { ReactNode, Ref } from 'react'
import type { ReextractionState } from '../../../shared/contract/reextraction.ts'
import type { SchemaRow } from '../../../shared/contract/schemas.ts'
import { call } from '../../client/client.ts'
import { useAction, useCall } from '../../client/queries.ts'
import {
  ChangedDocument,
  ChangedDocuments,
  ValueChange,
  placeLabel,
  useValueText,
} from '../../components/changed-documents.tsx'
import { connectionName } from '../../components/connection-choices.ts'
import { Button } from '../../components/controls.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { EstimateText } from '../../components/estimate.tsx'
import { notify } from '../../components/notices.tsx'
import { Callout } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'

/** Says that documents have the values of earlier versions, and extracts them again by the newest one. */
export function Reextraction({ saved }: { saved: SchemaRow }): ReactNode {
  const { t, formats, errorSentence } = useLanguage()
  const state = useCall('reextraction.get', { schemaId: saved.id }, { enabled: saved.earlierCount > 0 }).data?.state
  const begin = useAction('reextraction.begin')
  const [isOpen, setOpen] = useState(false)
  if (saved.earlierCount === 0 || state === undefined) return null
  function open(): void {
    setOpen(true)
    if (state === null)
      begin.mutate({ schemaId: saved.id }, { onError: (error) => notify('problem', errorSentence(error)) })
  }
  return (
    <>
      <Callout kind="info" action={<Button onPress={open}>{t('reextract.open')}</Button>}>
        {t('reextract.text', { count: saved.earlierCount, shown: formats.count(saved.earlierCount) })}
      </Callout>
      {isOpen && state !== null && <ReextractionDialog saved={saved} state={state} onClose={() => setOpen(false)} />}
    </>
  )
}

type DialogProps = { saved: SchemaRow; state: ReextractionState; onClose: () => void }

/** What would change, and what it costs; closed it goes on. */
function ReextractionDialog({ saved, state, onClose }: DialogProps): ReactNode {
  const { t, formats, errorSentence } = useLanguage()
  const { id: schemaId, version } = saved
  const amount = (count: number): { count: number; shown: string } => ({ count, shown: formats.count(count) })
  const onError = (error: unknown): void => notify('problem', errorSentence(error))
  function takeBack(): void {
    void call('reextraction.takeBack', { schemaId }).then(
      ({ changed }) => notify('done', t('offers.takenBack', amount(changed))),
      onError,
    )
  }
  // Without the hooks' own callbacks: those go with the dialog.
  function takeOver(): void {
    onClose()
    void call('reextraction.apply', { schemaId }).then(
      ({ changed }) =>
        notify('done', t('reextract.applied', { ...amount(changed), version: formats.count(version) }), {
          label: t('check.undo'),
          run: takeBack,
        }),
      onError,
    )
  }
  function discard(): void {
    onClose()
    void call('reextraction.discard', { schemaId }).catch(onError)
  }
  // The button that was pressed goes: the keys must not go with it.
  const summary = useRef<HTMLParagraphElement>(null)
  const canApply = state.answered > 0 && state.underWay === 0
  return (
    <Dialog
      title={t('reextract.title', { version: formats.count(version) })}
      width="wide"
      onClose={onClose}
      actions={
        <>
          <Button variant="quiet" onPress={discard}>
            {t('schemas.discard')}
          </Button>
          <Button onPress={onClose}>{t('action.close')}</Button>
          <Button variant="primary" onPress={takeOver} isDisabled={!canApply}>
            {t('reextract.apply', amount(state.answered))}
          </Button>
        </>
      }
    >
      <Asking schemaId={schemaId} asking={state.asking} onSent={() => summary.current?.focus()} />
      <Summary state={state} ref={summary} />
      <Changes changes={state.changes} changed={state.changed} />
      <Problems problems={state.problems} failed={state.failed} />
    </Dialog>
  )
}

/** What would be sent to connections that bill, before it is. */
function Asking({
  schemaId,
  asking,
  onSent,
}: Pick<ReextractionState, 'asking'> & { schemaId: number; onSent: () => void }): ReactNode {
  const { t, formats, errorSentence } = useLanguage()
  const connections = useCall('connections.list', {}).data?.connections
  const send = useAction('reextraction.send')
  return asking.map(({ connectionId, estimate }) => {
    const connection = connections?.find(({ id }) => id === connectionId)
    const counted = { count: estimate.documents, shown: formats.count(estimate.documents) }
    return (
      <Callout
        key={connectionId}
        kind="flag"
        action={
          <Button
            onPress={() =>
              send.mutate(
                { schemaId, connectionId },
                { onSuccess: onSent, onError: (error) => notify('problem', errorSentence(error)) },
              )
            }
            isDisabled={send.isPending}
          >
            {t('try.send', counted)}
          </Button>
        }
      >
        {connection && <p>{t('try.asks', { ...counted, name: connectionName(connection, t) })}</p>}
        <EstimateText estimate={estimate} />
      </Callout>
    )
  })
}

/** How far it is, then what it comes to. */
function Summary({ state, ref }: { state: ReextractionState; ref: Ref<HTMLParagraphElement> }): ReactNode {
  const { t, formats } = useLanguage()
  const { documents, underWay, answered, changed, approved, corrections } = state
  const amount = (count: number): { count: number; shown: string } => ({ count, shown: formats.count(count) })
  const done = formats.count(documents - underWay)
  const sentences = [
    t('reextract.changed', amount(changed)),
    corrections > 0 && t('reextract.corrections', amount(corrections)),
    approved > 0 && t('reextract.approved', amount(approved)),
  ].filter((sentence) => sentence !== false)
  return (
    <p role="status" ref={ref} tabIndex={-1}>
      {underWay > 0 ? t('try.progress', { done, all: formats.count(documents) }) : answered > 0 && sentences.join(' ')}
    </p>
  )
}

function Changes({ changes, changed }: Pick<ReextractionState, 'changes' | 'changed'>): ReactNode {
  const { t, formats } = useLanguage()
  const text = useValueText()
  if (changes.length === 0) return null
  const rows = (value: unknown): string => t('try.rows', { count: Number(value), shown: formats.count(Number(value)) })
  return (
    <ChangedDocuments label={t('offers.title')} count={changed}>
      {changes.map(({ documentId, name, changes: values, more }) => (
        <ChangedDocument key={documentId} name={name} more={more}>
          {values.map(({ place, from, to, isRows }, index) => {
            const read = (value: typeof from): string => (isRows ? rows(value) : text(String(place.at(-1)), value))
            return (
              <ValueChange
                key={index}
                label={placeLabel(place)}
                from={from === null ? null : read(from)}
                to={<ins>{read(to)}</ins>}
              />
            )
          })}
        </ChangedDocument>
      ))}
    </ChangedDocuments>
  )
}

/** Documents without an answer, each with its reason. */
function Problems({ problems, failed }: Pick<ReextractionState, 'problems' | 'failed'>): ReactNode {
  const { t, formats, trialSentence } = useLanguage()
  if (failed === 0) return null
  return (
    <Callout kind="flag">
      <p>{t('reextract.failed', { count: failed, shown: formats.count(failed) })}</p>
      <ul className="reextract__problems">
        {problems.map(({ documentId, name, reason }) => (
          <li key={documentId}>
            {name}: {trialSentence(reason)}
          </li>
        ))}
      </ul>
    </Callout>
  )
}
