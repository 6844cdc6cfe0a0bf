import { useState } from 'react'
import type { ReactNode } from 'react'
import type { SchemaRow } from '../../../shared/contract/schemas.ts'
import { useAction, useCall } from '../../client/queries.ts'
import { hrefOf, navigate } from '../../client/route.ts'
import { Button, IconButton } from '../../components/controls.tsx'
import { Confirm, Dialog } from '../../components/dialog.tsx'
import { Icon } from '../../components/icon.tsx'
import { notify } from '../../components/notices.tsx'
import { EmptyState, PageHead } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { labelOf } from '../../messages/values.ts'
import { DraftDialog } from './draft-dialog.tsx'
import { prepareSchema } from './field-draft.ts'
import type { NewSchema } from './field-draft.ts'
import { UnsavedSchemaGuard } from './unsaved-schema-guard.tsx'
import { saveUnsaved } from './unsaved-edits.ts'

/** What is read out of documents: one schema for each kind of them. */
export function SchemasScreen(): ReactNode {
  const { t, errorSentence } = useLanguage()
  const schemas = useCall('schemas.list', {}).data?.schemas
  const remove = useAction('schemas.remove')
  const [choosing, setChoosing] = useState(false)
  const [drafting, setDrafting] = useState(false)
  const [removed, setRemoved] = useState<SchemaRow | null>(null)
  return (
    <div className="screen">
      <PageHead title={t('schemas.title')}>
        <Button onPress={() => setDrafting(true)}>{t('draft.open')}</Button>
        <Button variant="primary" onPress={() => setChoosing(true)}>
          {t('schemas.new')}
        </Button>
      </PageHead>
      {schemas?.length === 0 ? (
        <EmptyState icon="schema" title={t('schemas.none')} text={t('schemas.noneHint')}>
          <Button variant="primary" onPress={() => setChoosing(true)}>
            {t('schemas.new')}
          </Button>
          <Button onPress={() => setDrafting(true)}>{t('draft.open')}</Button>
        </EmptyState>
      ) : (
        <ul className="screen__scroll cards" aria-label={t('schemas.title')}>
          {schemas?.map((schema) => (
            <SchemaCard key={schema.id} schema={schema} onRemove={() => setRemoved(schema)} />
          ))}
        </ul>
      )}
      {drafting && (
        <UnsavedSchemaGuard onClose={() => setDrafting(false)}>
          <DraftDialog document={null} onClose={() => setDrafting(false)} />
        </UnsavedSchemaGuard>
      )}
      {choosing && (
        <UnsavedSchemaGuard onClose={() => setChoosing(false)}>
          <TemplateDialog onClose={() => setChoosing(false)} />
        </UnsavedSchemaGuard>
      )}
      {removed && (
        <Confirm
          title={t('schemas.removeTitle', { name: removed.name })}
          confirm={t('schemas.removeConfirm')}
          danger
          onConfirm={() =>
            remove.mutate(
              { id: removed.id },
              {
                onSuccess: () => saveUnsaved(removed.id, null),
                onError: (error) => notify('problem', errorSentence(error)),
              },
            )
          }
          onClose={() => setRemoved(null)}
        >
          <p>{t('schemas.removeText')}</p>
        </Confirm>
      )}
    </div>
  )
}

const fieldsShown = 7

function SchemaCard({ schema, onRemove }: { schema: SchemaRow; onRemove: () => void }): ReactNode {
  const { t, formats } = useLanguage()
  const rest = schema.elements.length - fieldsShown
  return (
    <li className="card" aria-label={schema.name}>
      <div className="card__head">
        <Icon name="schema" />
        <h2 className="ellipsis">
          <a className="card__link" href={hrefOf({ screen: 'schema', id: schema.id })} title={schema.name}>
            {schema.name}
          </a>
        </h2>
        <IconButton icon="trash" label={t('schemas.remove', { name: schema.name })} onPress={onRemove} />
      </div>
      <ul className="chips" aria-label={t('schemas.fields')}>
        {schema.elements.slice(0, fieldsShown).map((element) => (
          <li key={element.name} className="chip ellipsis" title={element.description}>
            {element.format === 'list' && <Icon name="schema" size={11} />}
            {labelOf(element.name)}
          </li>
        ))}
        {rest > 0 && <li className="chip chip--more">{t('schemas.moreFields', { shown: formats.count(rest) })}</li>}
      </ul>
      <div className="card__foot">
        <span className="hint">
          {t('schemas.use', {
            fields: schema.fieldCount,
            count: schema.resultCount,
            results: formats.count(schema.resultCount),
            version: schema.version,
          })}
        </span>
        <Button onPress={() => navigate({ screen: 'schema', id: schema.id })}>{t('schemas.edit')}</Button>
      </div>
    </li>
  )
}

function TemplateDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { t, locale } = useLanguage()
  const templates = useCall('schemas.templates', { locale }).data?.templates ?? []
  function start(from: NewSchema): void {
    prepareSchema(from)
    navigate({ screen: 'schema', id: null })
  }
  return (
    <Dialog
      title={t('schemas.newTitle')}
      width="wide"
      onClose={onClose}
      actions={<Button onPress={onClose}>{t('action.cancel')}</Button>}
    >
      <ul className="choices">
        {templates.map((template) => (
          <li key={template.key}>
            <button
              type="button"
              className="choice"
              onClick={() => start({ name: template.name, elements: template.elements, rules: template.rules })}
            >
              <strong>{template.name}</strong>
              <span>{template.description}</span>
            </button>
          </li>
        ))}
        <li>
          <button type="button" className="choice" onClick={() => start({ name: '', elements: [] })}>
            <strong>{t('schemas.empty')}</strong>
            <span>{t('schemas.emptyText')}</span>
          </button>
        </li>
      </ul>
    </Dialog>
  )
}
