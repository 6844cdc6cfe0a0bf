import type { ReactNode } from 'react'
import { archiveName, fieldsIn } from '../../../shared/domain/archive-name.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { useCall } from '../../client/queries.ts'
import { Button, TextField } from '../../components/controls.tsx'
import { typingMs, useDebounced } from '../../components/use-debounced.ts'
import { useLanguage } from '../../messages/language.tsx'
import type { FolderForm } from './use-folder-form.ts'

/** What files are called in `Done`: typed, or put together of fields, with what that makes of documents that are there. */
export function ArchiveNamePart({ form }: { form: FolderForm }): ReactNode {
  const { t } = useLanguage()
  const { values, change, schemas, templates } = form
  const name = values.archiveName
  const own = values.template === null && form.schemaId !== null ? [form.schemaId] : []
  const ids = [...new Set([...own, ...values.otherSchemaIds])]
  const all = [
    ...templates
      .filter(({ key }) => key === values.template || values.otherTemplates.includes(key))
      .flatMap((template) => template.elements),
    ...ids.flatMap((id) => schemas.find((schema) => schema.id === id)?.elements ?? []),
  ]
  const fields = [...new Map(all.filter(isOneValue).map((element) => [element.name, element])).values()]
  const unknown = fieldsIn(name).filter((field) => fields.every((element) => element.name !== field))
  const isWrong = !archiveName.safeParse(name).success
  return (
    <div className="archive-name">
      <TextField
        label={t('archiveName.label')}
        value={name}
        onChange={(next) => change({ archiveName: next })}
        placeholder={t('archiveName.none')}
        hint={t('archiveName.hint')}
        problem={
          isWrong
            ? t('archiveName.noField', { example: `{${fields[0]?.name ?? ''}}` })
            : unknown.length > 0
              ? t('archiveName.unknown', { field: unknown[0]! })
              : null
        }
      />
      <div className="archive-name__fields" role="group" aria-label={t('archiveName.fields')}>
        {fields.map((element) => (
          <Button key={element.name} onPress={() => change({ archiveName: withField(name, element) })}>
            {element.name}
          </Button>
        ))}
      </div>
      {!isWrong && name.trim() !== '' && ids.length > 0 && <Names schemaIds={ids} name={name} />}
    </div>
  )
}

function isOneValue({ format }: SchemaElement): boolean {
  return format === 'text' || format === 'number'
}

/** The name with a field behind it; of a day its year and month are folders, where nothing stands before it. Pure. */
function withField(name: string, { name: field, kind }: SchemaElement): string {
  if (name.trim() === '' && kind === 'date') return `{${field}:yyyy}/{${field}:mm}/`
  return `${name}${name === '' || /[\s/]$/.test(name) ? '' : ' '}{${field}}`
}

function Names({ schemaIds, name }: { schemaIds: number[]; name: string }): ReactNode {
  const { t } = useLanguage()
  const asked = useDebounced({ schemaIds, archiveName: name }, typingMs)
  const names = useCall('folders.previewNames', asked, { keepPrevious: true }).data?.names ?? []
  if (names.length === 0) return null
  return (
    <ul className="archive-name__names" aria-label={t('archiveName.preview')}>
      {names.map(({ id, from, to }) => (
        <li key={id}>
          <bdi className="ellipsis">{from}</bdi>
          <span aria-hidden="true">→</span>
          <bdi className={to === null ? 'hint' : 'ellipsis'}>{to ?? t('archiveName.stays')}</bdi>
        </li>
      ))}
    </ul>
  )
}
