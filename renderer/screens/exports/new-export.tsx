import { useState } from 'react'
import type { ReactNode } from 'react'
import type { AppState, CallOutput } from '../../../shared/contract/contract.ts'
import type { SchemaRow } from '../../../shared/contract/schemas.ts'
import { bookFormats } from '../../../shared/contract/exports.ts'
import type { ExportRow, ExportSpec } from '../../../shared/contract/exports.ts'
import { AppError } from '../../../shared/domain/errors.ts'
import { useAction, useCall } from '../../client/queries.ts'
import { navigate } from '../../client/route.ts'
import { Button } from '../../components/controls.tsx'
import { notify } from '../../components/notices.tsx'
import { Callout } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { useKeyNames } from '../../components/key-names.ts'
import { useDebounced } from '../../components/use-debounced.ts'
import { useWindowKeys } from '../../components/use-window-keys.ts'
import { ExportForm } from './export-form.tsx'
import { ExportPreview } from './export-preview.tsx'
import { isComplete, stateChoiceOf } from './plan.ts'
import type { ExportPlan, ResolvedPlan } from './plan.ts'
import { downloadExport } from './export-download.tsx'
import { ExportResult } from './export-result.tsx'
import type { LeftOutOfIt } from './export-result.tsx'
import { listFlagged } from './list-flagged.ts'

const previewRows = 50
/** How long the choice stays as it is before the preview follows. */
const previewDelayMs = 180

type Props = {
  plan: ResolvedPlan
  spec: ExportSpec
  schemas: SchemaRow[]
  host: AppState['host']
  onChange: (change: Partial<ExportPlan>) => void
}

/** Chooses what is exported and how, shows beside it what will stand in the file, and writes it. */
export function NewExport({ plan, spec, schemas, host, onChange }: Props): ReactNode {
  const { t, errorSentence } = useLanguage()
  const { command } = useKeyNames()
  const [written, setWritten] = useState<({ row: ExportRow; asked: string } & LeftOutOfIt) | null>(null)
  // Said of one choice, and of no other that follows it.
  const [bookedAgain, setBookedAgain] = useState<string | null>(null)
  const run = useAction('exports.run')
  const asked = JSON.stringify(spec)
  const alsoBooked = bookedAgain === asked
  const settled = useDebounced(spec, previewDelayMs)
  const preview = useCall(
    'exports.preview',
    { ...settled, alsoBooked, limit: previewRows },
    { enabled: isComplete(settled), keepPrevious: true },
  )
  const isEmpty =
    preview.error instanceof AppError ? preview.error.code === 'export_empty' : preview.data?.documents === 0
  // A period is looked for and not counted: whether there really is nothing is for the export to say. With bills that are
  // booked already, nothing is written that was not seen.
  const isOff =
    !isComplete(spec) || run.isPending || (alsoBooked && preview.isFetching) || (isEmpty && plan.span === 'any')

  function write(): void {
    setWritten(null)
    run.mutate(
      { ...spec, alsoBooked, askWhere: host === 'electron' },
      {
        onSuccess: ({ export: row, ...left }) => {
          setWritten(row && { row, ...left, asked })
          if (row !== null) setBookedAgain(null)
          if (host === 'browser' && row !== null)
            downloadExport(row).catch((error: unknown) => notify('problem', errorSentence(error)))
        },
        onError: (error) => notify('problem', errorSentence(error)),
      },
    )
  }
  // Before the focused button handles the key.
  useWindowKeys((event) => {
    const isOurs =
      event.key === 'Enter' &&
      (event.ctrlKey || event.metaKey) &&
      !document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]')
    // A column name that is being typed is committed first.
    if (!isOurs || isOff || (event.target instanceof Element && event.target.closest('.column__editor') !== null))
      return
    event.preventDefault()
    event.stopPropagation()
    write()
  }, true)
  return (
    <div className="exports">
      <section className="exports__form" aria-label={t('exports.what')}>
        <div className="exports__choices">
          <ExportForm plan={plan} schemas={schemas} chosen={spec.schemaId} onChange={onChange} />
        </div>
        <div className="exports__run">
          <Button variant="primary" icon="export" isDisabled={isOff} keys={`${command} ↵`} onPress={write}>
            {run.isPending ? t('exports.running') : t('exports.run')}
          </Button>
          <div role="status">
            {written?.asked === asked && <ExportResult {...written} written={written.row} host={host} />}
          </div>
        </div>
      </section>
      <div className="exports__side" aria-busy={preview.isFetching}>
        <WhatIsExported
          preview={isComplete(spec) ? preview : null}
          isEmpty={isEmpty}
          spec={settled}
          onChange={onChange}
          alsoBooked={alsoBooked}
          onAlsoBooked={(isOn) => setBookedAgain(isOn ? asked : null)}
        />
      </div>
    </div>
  )
}

type WhatProps = Pick<Props, 'spec' | 'onChange'> & {
  /** Null: something is still to be chosen. */
  preview: { data?: CallOutput<'exports.preview'> | undefined; error: unknown } | null
  isEmpty: boolean
  /** With documents whose bookings an earlier export has. */
  alsoBooked: boolean
  onAlsoBooked: (alsoBooked: boolean) => void
}

/** The preview, or why there is none. */
function WhatIsExported({ preview, isEmpty, spec, onChange, alsoBooked, onAlsoBooked }: WhatProps): ReactNode {
  const { t, errorSentence } = useLanguage()
  if (preview === null)
    return <Callout kind="info">{t(spec.columns?.length === 0 ? 'exports.noColumns' : 'bookings.missing')}</Callout>
  if (isEmpty) return <NothingToExport flagged={preview.data?.flagged ?? 0} spec={spec} onChange={onChange} />
  if (preview.error) return <Callout kind="bad">{errorSentence(preview.error)}</Callout>
  if (preview.data === undefined) return null
  return (
    <>
      {alsoBooked && bookFormats.some((each) => each === spec.format) && (
        <Callout
          kind="flag"
          action={<Button onPress={() => onAlsoBooked(false)}>{t('bookings.bookAgainLeave')}</Button>}
        >
          {t('bookings.bookAgainOn')}
        </Callout>
      )}
      <ExportPreview
        preview={preview.data}
        spec={spec}
        onBookAgain={alsoBooked ? undefined : () => onAlsoBooked(true)}
      />
    </>
  )
}

type NothingProps = { flagged: number; spec: ExportSpec; onChange: Props['onChange'] }

/** Why there is nothing, and what can be done about it. */
function NothingToExport({ flagged, spec, onChange }: NothingProps): ReactNode {
  const { t, formats } = useLanguage()
  // Where other states are chosen, others than these may be missing.
  if (flagged === 0 || stateChoiceOf(spec.reviews) !== 'unflagged')
    return <Callout kind="info">{t('exports.nothing')}</Callout>
  return (
    <Callout
      kind="flag"
      action={
        <span className="callout__actions">
          <Button
            variant="primary"
            onPress={() => {
              listFlagged(spec)
              navigate({ screen: 'documents' })
            }}
          >
            {t('exports.toFlagged')}
          </Button>
          <Button onPress={() => onChange({ states: [] })}>{t('exports.withFlagged')}</Button>
        </span>
      }
    >
      {t('exports.onlyFlagged', { count: flagged, shown: formats.count(flagged) })}
    </Callout>
  )
}
