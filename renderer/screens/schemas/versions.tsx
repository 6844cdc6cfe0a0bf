import { useState } from 'react'
import type { ReactNode } from 'react'
import type { CallOutput } from '../../../shared/contract/contract.ts'
import type { SchemaRow } from '../../../shared/contract/schemas.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { call } from '../../client/client.ts'
import { useCall } from '../../client/queries.ts'
import { Button, Checkbox, Select } from '../../components/controls.tsx'
import { notify } from '../../components/notices.tsx'
import { Callout } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'
import type { Language } from '../../messages/language.tsx'
import { Comparison } from './schema-comparison.tsx'

type Props = {
  saved: SchemaRow
  /** The fields as they stand in the editor. */
  elements: SchemaElement[]
  onRestore: (elements: SchemaElement[], version: number) => void
}

/** A version by its number, or the fields as they stand in the editor. */
type Side = number | 'editor'

/** Every version of a schema that was saved, and two of them beside each other. */
export function Versions({ saved, elements, onRestore }: Props): ReactNode {
  const { t } = useLanguage()
  const versions = useCall('schemas.versions', { id: saved.id }).data?.versions
  const isEdited = JSON.stringify(elements) !== JSON.stringify(saved.elements)
  const [chosen, setChosen] = useState<{ before: Side | null; after: Side | null }>({ before: null, after: null })
  if (!versions) return null
  const sides: Side[] = [...(isEdited ? ['editor' as const] : []), ...versions.map(({ version }) => version)]
  const isThere = (side: Side | null): side is Side => side !== null && sides.includes(side)
  const after = isThere(chosen.after) ? chosen.after : sides[0]!
  const before = isThere(chosen.before) ? chosen.before : (sides[1] ?? after)
  return (
    <div className="versions">
      <section className="versions__saved" aria-label={t('versions.saved')}>
        <h2>{t('versions.saved')}</h2>
        <ul className="versions__list">
          {versions.map((version) => (
            <VersionItem
              key={version.version}
              version={version}
              saved={saved}
              isEdited={isEdited}
              onRestore={onRestore}
            />
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
              <SideSelect
                label={t('versions.before')}
                sides={sides}
                value={before}
                onChange={(side) => setChosen({ before: side, after })}
              />
              <SideSelect
                label={t('versions.after')}
                sides={sides}
                value={after}
                onChange={(side) => setChosen({ before, after: side })}
              />
            </div>
            <Compared id={saved.id} before={before} after={after} elements={elements} />
          </>
        )}
      </section>
    </div>
  )
}

type ItemProps = Pick<Props, 'saved' | 'onRestore'> & {
  version: CallOutput<'schemas.versions'>['versions'][number]
  /** The editor's fields are not those of the newest version. */
  isEdited: boolean
}

function VersionItem({
  version: { version, savedAt, resultCount, fieldCount },
  saved,
  isEdited,
  onRestore,
}: ItemProps): ReactNode {
  const language = useLanguage()
  const { t, formats, errorSentence } = language
  const name = nameOf(version, language)
  const isNewest = version === saved.version
  const use = {
    fields: fieldCount,
    shownFields: formats.count(fieldCount),
    count: resultCount,
    shown: formats.count(resultCount),
  }
  async function restore(): Promise<void> {
    try {
      onRestore((await call('schemas.version', { id: saved.id, version })).elements, version)
    } catch (error) {
      notify('problem', errorSentence(error))
    }
  }
  return (
    <li className="version" aria-label={name}>
      <div className="version__words">
        <strong>{name}</strong>
        <span className="hint">{formats.dateTime(savedAt)}</span>
        <span className="hint">{fieldCount === 0 ? t('versions.fieldsLost') : t('versions.use', use)}</span>
      </div>
      {isNewest && <span className="chip">{t('versions.newest')}</span>}
      {fieldCount > 0 && (!isNewest || isEdited) && (
        <Button onPress={() => void restore()} ariaLabel={t('versions.takeName', { version: formats.count(version) })}>
          {t('versions.take')}
        </Button>
      )}
    </li>
  )
}

function nameOf(side: Side, { t, formats }: Language): string {
  return side === 'editor' ? t('versions.editor') : t('versions.number', { version: formats.count(side) })
}

type SideSelectProps = { label: string; sides: Side[]; value: Side; onChange: (side: Side) => void }

function SideSelect({ label, sides, value, onChange }: SideSelectProps): ReactNode {
  const language = useLanguage()
  return (
    <Select
      label={label}
      choices={sides.map((side) => ({ key: String(side), label: nameOf(side, language) }))}
      value={String(value)}
      onChange={(key) => onChange(key === 'editor' ? key : Number(key))}
    />
  )
}

type ComparedProps = {
  id: number
  before: Side
  after: Side
  elements: SchemaElement[]
}

function Compared({ id, before, after, elements }: ComparedProps): ReactNode {
  const language = useLanguage()
  const { t, errorSentence } = language
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
      <Comparison
        before={one.elements}
        after={other.elements}
        names={[nameOf(before, language), nameOf(after, language)]}
        showsAll={showsAll}
      />
    </>
  )
}

function useElements(
  id: number,
  side: Side,
  edited: SchemaElement[],
): { elements: SchemaElement[] | null; error: Error | null } {
  const { data, error } = useCall(
    'schemas.version',
    { id, version: side === 'editor' ? 1 : side },
    { enabled: side !== 'editor' },
  )
  return side === 'editor' ? { elements: edited, error: null } : { elements: data?.elements ?? null, error }
}
