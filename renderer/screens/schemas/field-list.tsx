import { useEffect, useRef } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import { ToggleButton } from 'react-aria-components'
import { fieldTypes } from '../../../shared/domain/schema.ts'
import { Button, IconButton, Select, TextField } from '../../components/controls.tsx'
import { Icon } from '../../components/icon.tsx'
import { useLanguage } from '../../messages/language.tsx'
import type { MessageId } from '../../messages/language.tsx'
import { addField, changeField, moveField, newField, removeField } from './field-draft.ts'
import type { FieldDraft, FieldProblem } from './field-draft.ts'
import { typeLabels } from './type-labels.ts'

const problemMessages: Record<FieldProblem, MessageId> = {
  nameMissing: 'problem.nameMissing',
  nameTwice: 'problem.nameTwice',
  itemsMissing: 'problem.itemsMissing',
}

/** How deep lists may be nested. The specification names no limit; core refuses more. */
const maxListDepth = 9

/** `place`: where a person types, the same from letter to letter. */
type Props = {
  fields: FieldDraft[]
  onChange: (fields: FieldDraft[], place?: string) => void
  problems: Map<string, FieldProblem>
}

/** The fields of a schema, lists with their sub-fields below them. Alt and an arrow moves a field. */
export function FieldList({ fields, onChange, problems }: Props): ReactNode {
  const { t } = useLanguage()
  const root = useRef<HTMLDivElement>(null)
  const focusKey = useRef<string | null>(null)
  useEffect(() => {
    if (focusKey.current === null) return
    root.current?.querySelector<HTMLInputElement>(`[data-field="${focusKey.current}"] input`)?.focus()
    focusKey.current = null
  }, [fields])

  function add(parentKey: string | null): void {
    const added = newField()
    focusKey.current = added.key
    onChange(addField(fields, parentKey, added))
  }
  function move(key: string, step: -1 | 1): void {
    focusKey.current = key
    onChange(moveField(fields, key, step))
  }
  const rows: RowActions = {
    change: (key, change) =>
      onChange(
        changeField(fields, key, (field) => ({ ...field, ...change })),
        'name' in change || 'description' in change ? `${key} ${Object.keys(change).join()}` : undefined,
      ),
    remove: (key) => onChange(removeField(fields, key)),
    move,
    add,
    problems,
  }
  return (
    <div className="field-list" ref={root}>
      <div className="field-list__head" aria-hidden="true">
        <span>{t('fields.name')}</span>
        <span>{t('fields.type')}</span>
        <span>{t('fields.description')}</span>
      </div>
      <FieldRows fields={fields} depth={1} actions={rows} label={t('schemas.fields')} />
      <div className="form__row">
        <Button icon="plus" onPress={() => add(null)}>
          {t('fields.add')}
        </Button>
        <span className="hint">
          {t('fields.moveHint')} {t('fields.inTablesHint')}
        </span>
      </div>
    </div>
  )
}

type RowActions = {
  change: (key: string, change: Partial<FieldDraft>) => void
  remove: (key: string) => void
  move: (key: string, step: -1 | 1) => void
  add: (parentKey: string | null) => void
  problems: Map<string, FieldProblem>
}

function FieldRows({
  fields,
  depth,
  actions,
  label,
}: {
  fields: FieldDraft[]
  depth: number
  actions: RowActions
  label: string
}): ReactNode {
  return (
    <ol className="field-rows" aria-label={label}>
      {fields.map((field, index) => (
        <FieldRow
          key={field.key}
          field={field}
          depth={depth}
          actions={actions}
          first={index === 0}
          last={index === fields.length - 1}
        />
      ))}
    </ol>
  )
}

type FieldRowProps = { field: FieldDraft; depth: number; actions: RowActions; first: boolean; last: boolean }

function FieldRow(props: FieldRowProps): ReactNode {
  const { field, depth, actions } = props
  const { t } = useLanguage()
  function onKeyDown(event: KeyboardEvent): void {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    // The format select opens with Alt and an arrow.
    if ((event.target as Element).closest('.select')) return
    event.preventDefault()
    event.stopPropagation()
    actions.move(field.key, event.key === 'ArrowUp' ? -1 : 1)
  }
  return (
    <li className="field-row" data-field={field.key} onKeyDown={onKeyDown}>
      <FieldLine {...props} />
      {field.format === 'list' && (
        <div className="field-row__items">
          <FieldRows
            fields={field.items}
            depth={depth + 1}
            actions={actions}
            label={t('fields.itemsOf', { name: field.name.trim() || t('fields.unnamed') })}
          />
          <Button variant="quiet" icon="plus" onPress={() => actions.add(field.key)}>
            {t('fields.addItem')}
          </Button>
        </div>
      )}
    </li>
  )
}

/** What a field is called, its format, its description, and the buttons for it. */
function FieldLine(props: FieldRowProps): ReactNode {
  const { field, depth, actions } = props
  const { t } = useLanguage()
  const problem = actions.problems.get(field.key)
  return (
    <div className="field-row__line">
      <TextField
        label={t('fields.name')}
        labelHidden
        value={field.name}
        onChange={(name) => actions.change(field.key, { name })}
        problem={problem ? t(problemMessages[problem]) : null}
        placeholder={t('fields.namePlaceholder')}
      />
      <Select
        label={t('fields.type')}
        labelHidden
        value={field.format}
        onChange={(format) =>
          actions.change(field.key, {
            format,
            ...(format === 'list' && field.items.length === 0 ? { items: [newField()] } : {}),
          })
        }
        choices={fieldTypes
          .filter((type) => type !== 'list' || depth <= maxListDepth)
          .map((key) => ({ key, label: t(typeLabels[key]) }))}
      />
      <TextField
        label={t('fields.description')}
        labelHidden
        value={field.description}
        onChange={(description) => actions.change(field.key, { description })}
        placeholder={t('fields.descriptionPlaceholder')}
      />
      <FieldButtons {...props} />
    </div>
  )
}

function FieldButtons({
  field: { key, name: typed, format, inTables },
  depth,
  actions,
  first,
  last,
}: FieldRowProps): ReactNode {
  const { t } = useLanguage()
  const name = typed.trim() || t('fields.unnamed')
  return (
    <div className="field-row__buttons">
      {depth === 1 && format !== 'list' && (
        <ToggleButton
          className="icon-button"
          aria-label={t('fields.inTables', { name })}
          isSelected={inTables}
          onChange={(isSelected) => actions.change(key, { inTables: isSelected })}
        >
          <Icon name="eye" />
        </ToggleButton>
      )}
      <IconButton
        icon="up"
        label={t('fields.up', { name })}
        keys="Alt ↑"
        isDisabled={first}
        onPress={() => actions.move(key, -1)}
      />
      <IconButton
        icon="down"
        label={t('fields.down', { name })}
        keys="Alt ↓"
        isDisabled={last}
        onPress={() => actions.move(key, 1)}
      />
      <IconButton icon="trash" label={t('fields.remove', { name })} onPress={() => actions.remove(key)} />
    </div>
  )
}
