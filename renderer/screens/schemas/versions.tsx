import { useState } from 'react'
import type { ReactNode } from 'react'
import type { SchemaRow } from '../../../shared/contract.ts'
import type { SchemaElement } from '../../../shared/schema.ts'
import { call } from '../../client/client.ts'
import { useCall } from '../../client/queries.ts'
import { Button, Checkbox, Select } from '../../components/controls.tsx'
import { notify } from '../../components/notices.tsx'
import { Callout } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { Comparison } from './comparison.tsx'

type Props = {
  saved: SchemaRow
  /** The fields as they stand in the editor. */
  elements: SchemaElement[]
  onTake: (elements: SchemaElement[], version: number) => void
}

/** A version by its number, or the fields as they stand in the editor. */
type Side = number | 'editor'

/** Every version of a schema that was saved, and two of them beside each other. */
export function Versions({ saved, elements, onTake }: Props): ReactNode {
  const { t, formats, errorSentence } = useLanguage()
  const versions = useCall('schemas.versions', { id: saved.id }).data?.versions
  const isEdited = JSON.stringify(elements) !== JSON.stringify(saved.elements)
  const [chosen, setChosen] = useState<{ before: Side | null; after: Side | null }>({ before: null, after: null })
  if (!versions) return null
  const sides: Side[] = [...(isEdited ? ['editor' as const] : []), ...versions.map(({ version }) => version)]
  const isThere = (side: Side | null): side is Side => side !== null && sides.includes(side)
  const after = isThere(chosen.after) ? chosen.after : sides[0]!
  const before = isThere(chosen.before) ? chosen.before : (sides[1] ?? after)
  const nameOf = (side: Side): string => (side === 'editor' ? t('versions.editor') : t('versions.number', { version: formats.count(side) }))
  const choices = sides.map((side) => ({ key: String(side), label: nameOf(side) }))
  const sideOf = (key: string): Side => (key === 'editor' ? key : Number(key))

  async function take(version: number): Promise<void> {
    try {
      onTake((await call('schemas.version', { id: saved.id, version })).elements, version)
    } catch (error) {
      notify('problem', errorSentence(error))
    }
  }
  return (
    <div className="versions">
      <section className="versions__saved" aria-label={t('versions.saved')}>
        <h2>{t('versions.saved')}</h2>
        <ul className="versions__list">
          {versions.map(({ version, savedAt, resultCount, fieldCount }) => (
            <li key={version} className="version" aria-label={nameOf(version)}>
              <div className="version__words">
                <strong>{nameOf(version)}</strong>
                <span className="hint">{formats.dateTime(savedAt)}</span>
                <span className="hint">
                  {fieldCount === 0
                    ? t('versions.fieldsLost')
                    : t('versions.use', { fields: fieldCount, shownFields: formats.count(fieldCount), count: resultCount, shown: formats.count(resultCount) })}
                </span>
              </div>
              {version === saved.version && <span className="chip">{t('versions.newest')}</span>}
              {fieldCount > 0 && (version !== saved.version || isEdited) && (
                <Button onPress={() => void take(version)} title={t('versions.takeName', { version: formats.count(version) })}>
                  {t('versions.take')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      </section>
      <section className="versions__compare" aria-label={t('versions.compare')}>
        <h2>{t('versions.compare')}</h2>
        {sides.length < 2 ? (
          <p className="hint">{t('versions.onlyOne')}</p>
        ) : (
          <>
            <div className="versions__sides">
              <Select label={t('versions.before')} choices={choices} value={String(before)} onChange={(key) => setChosen({ before: sideOf(key), after })} />
              <Select label={t('versions.after')} choices={choices} value={String(after)} onChange={(key) => setChosen({ before, after: sideOf(key) })} />
            </div>
            <Compared id={saved.id} before={before} after={after} elements={elements} nameOf={nameOf} />
          </>
        )}
      </section>
    </div>
  )
}

type ComparedProps = { id: number; before: Side; after: Side; elements: SchemaElement[]; nameOf: (side: Side) => string }

function Compared({ id, before, after, elements, nameOf }: ComparedProps): ReactNode {
  const { t, errorSentence } = useLanguage()
  const [showsAll, setShowsAll] = useState(false)
  const one = useElements(id, before, elements)
  const other = useElements(id, after, elements)
  const error = one.error ?? other.error
  if (error !== null) return <Callout kind="bad">{errorSentence(error)}</Callout>
  if (one.elements === null || other.elements === null) return null
  return (
    <>
      <Checkbox isSelected={showsAll} onChange={setShowsAll}>
        {t('versions.showAll')}
      </Checkbox>
      <Comparison before={one.elements} after={other.elements} names={[nameOf(before), nameOf(after)]} showsAll={showsAll} />
    </>
  )
}

function useElements(id: number, side: Side, edited: SchemaElement[]): { elements: SchemaElement[] | null; error: Error | null } {
  const { data, error } = useCall('schemas.version', { id, version: side === 'editor' ? 1 : side }, { enabled: side !== 'editor' })
  return side === 'editor' ? { elements: edited, error: null } : { elements: data?.elements ?? null, error }
}
