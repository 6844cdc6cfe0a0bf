import { useEffect, useRef, useState } from 'react'
import type { KeyboardEvent, ReactNode, RefObject } from 'react'
import {
  Button as AriaButton,
  Checkbox,
  GridList,
  GridListItem,
  Menu,
  MenuItem,
  MenuTrigger,
  Popover,
  useDragAndDrop,
} from 'react-aria-components'
import type { DragAndDropHooks } from 'react-aria-components'
import { abouts } from '../../../shared/contract/exports.ts'
import type { ExportColumn } from '../../../shared/contract/exports.ts'
import { Button, CheckMark, IconButton } from '../../components/controls.tsx'
import { useLanguage } from '../../messages/language.tsx'
import type { MessageId, Translate } from '../../messages/language.tsx'
import { ColumnEditor } from './column-editor.tsx'
import { movedBy, movedTo, withColumn } from './columns.ts'
import type { ColumnDraft } from './columns.ts'

const metadataLabels: Record<(typeof abouts)[number], MessageId> = {
  fileName: 'exports.aboutFile',
  link: 'exports.aboutLink',
  schemaName: 'exports.aboutSchema',
  folderName: 'exports.aboutFolder',
  state: 'exports.aboutState',
  receivedOn: 'exports.aboutReceived',
  approvedOn: 'exports.aboutApproved',
  approvedBy: 'exports.aboutPerson',
  partnerNumber: 'exports.aboutPartnerNumber',
  partnerAccount: 'exports.aboutPartnerAccount',
  mailSender: 'exports.aboutMailSender',
  mailSubject: 'exports.aboutMailSubject',
}

/** What a column is called when a person gave it no name of their own. */
function ownName(column: ExportColumn, t: Translate): string {
  if (column.kind === 'field') return column.field.at(-1)!
  return column.kind === 'about' ? t(metadataLabels[column.about]) : column.header
}

function nameOf(column: ExportColumn, t: Translate): string {
  return column.header ?? ownName(column, t)
}

type Props = {
  columns: ColumnDraft[]
  /** They are those of a schema for which nothing was chosen. */
  isUsual: boolean
  /** Null: the usual ones again. */
  onChange: (columns: ColumnDraft[] | null) => void
}

/**
 * The columns in their order: moved by drag or by Alt and an arrow, renamed in place, switched off, and others added.
 */
export function ColumnList({ columns, isUsual, onChange }: Props): ReactNode {
  const { t } = useLanguage()
  const [edited, setEdited] = useState<string | null>(null)
  const { root, focusAfterChange } = useRowFocus(columns, edited)
  const dragAndDropHooks = useColumnDrag(columns, onChange)

  function change(key: string, next: Partial<ColumnDraft>): void {
    onChange(columns.map((draft) => (draft.key === key ? { ...draft, ...next } : draft)))
  }
  function add(kind: string): void {
    const about = abouts.find((each) => each === kind)
    const { drafts, key } = withColumn(
      columns,
      about === undefined
        ? { kind: 'constant', header: t('exports.constant'), value: '' }
        : { kind: 'about', about, header: null },
    )
    onChange(drafts)
    if (about === undefined) setEdited(key)
    else focusAfterChange(key)
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    const key =
      event.target instanceof Element ? event.target.closest<HTMLElement>('[data-key]')?.dataset['key'] : undefined
    if (key === undefined) return
    event.preventDefault()
    event.stopPropagation()
    focusAfterChange(key)
    onChange(movedBy(columns, key, event.key === 'ArrowUp' ? -1 : 1))
  }
  function endEdit(key: string, column: ExportColumn | null): void {
    focusAfterChange(key)
    setEdited(null)
    if (column !== null) change(key, { column })
  }
  return (
    <div className="columns" ref={root} onKeyDownCapture={onKeyDown}>
      <GridList
        className="columns__list"
        aria-label={t('exports.columns')}
        items={columns.map((draft) => ({ ...draft, id: draft.key }))}
        dependencies={[edited]}
        dragAndDropHooks={dragAndDropHooks}
        keyboardNavigationBehavior="tab"
        disallowTypeAhead
        onAction={(key) => setEdited(String(key))}
      >
        {(draft) => {
          const { key, column, isOn } = draft
          return (
            <GridListItem id={key} textValue={nameOf(column, t)} className="column" data-off={!isOn || undefined}>
              <ColumnContent
                draft={draft}
                isEdited={edited === key}
                onEdit={() => setEdited(key)}
                onEndEdit={(next) => endEdit(key, next)}
                onSwitch={(next) => change(key, { isOn: next })}
                onRemove={() => onChange(columns.filter((other) => other.key !== key))}
              />
            </GridListItem>
          )
        }}
      </GridList>
      <div className="form__row">
        <AddColumn columns={columns} onAdd={add} />
        {!isUsual && (
          <Button variant="quiet" icon="undo" onPress={() => onChange(null)}>
            {t('exports.columnsReset')}
          </Button>
        )}
      </div>
      <p className="hint">{t('exports.columnsHint')}</p>
    </div>
  )
}

/** Keeps the focus on a row that is moved in the document, or whose field is closed: it would lose it. */
function useRowFocus(
  columns: ColumnDraft[],
  edited: string | null,
): { root: RefObject<HTMLDivElement | null>; focusAfterChange: (key: string) => void } {
  const root = useRef<HTMLDivElement>(null)
  const focusKey = useRef<string | null>(null)
  useEffect(() => {
    if (focusKey.current === null || edited !== null) return
    root.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(focusKey.current)}"]`)?.focus()
    focusKey.current = null
  }, [columns, edited])
  return {
    root,
    focusAfterChange(key) {
      focusKey.current = key
    },
  }
}

function useColumnDrag(columns: ColumnDraft[], onChange: Props['onChange']): DragAndDropHooks {
  const { t } = useLanguage()
  const nameAt = (key: unknown): string => {
    const column = columns.find((draft) => draft.key === key)?.column
    return column === undefined ? '' : nameOf(column, t)
  }
  return useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ 'text/plain': nameAt(key) })),
    onReorder({ keys, target }) {
      if (target.dropPosition !== 'on')
        onChange(movedTo(columns, new Set([...keys].map(String)), String(target.key), target.dropPosition))
    },
  }).dragAndDropHooks
}

type ContentProps = {
  draft: ColumnDraft
  isEdited: boolean
  onEdit: () => void
  /** Null: nothing was changed. */
  onEndEdit: (column: ExportColumn | null) => void
  onSwitch: (isOn: boolean) => void
  onRemove: () => void
}

function ColumnContent({ draft, isEdited, onEdit, onEndEdit, onSwitch, onRemove }: ContentProps): ReactNode {
  const { t } = useLanguage()
  const { column, isOn } = draft
  const name = nameOf(column, t)
  // What the schema and every file have is only switched off.
  const isRemovable = column.kind === 'constant' || (column.kind === 'about' && column.about !== 'fileName')
  return (
    <>
      <AriaButton slot="drag" className="column__grip" aria-label={t('exports.moveColumn', { name })}>
        <Grip />
      </AriaButton>
      {isEdited ? (
        <ColumnEditor column={column} ownName={ownName(column, t)} onEnd={onEndEdit} />
      ) : (
        <>
          <Checkbox className="checkbox" isSelected={isOn} onChange={onSwitch} aria-label={name}>
            <CheckMark />
          </Checkbox>
          <div className="column__words">
            <AriaButton
              className="column__name ellipsis"
              aria-label={t('exports.renameColumn', { name })}
              onPress={onEdit}
            >
              {name}
            </AriaButton>
            <ColumnOrigin column={column} t={t} />
          </div>
          {isRemovable && <IconButton icon="trash" label={t('exports.removeColumn', { name })} onPress={onRemove} />}
        </>
      )}
    </>
  )
}

function AddColumn({ columns, onAdd }: { columns: ColumnDraft[]; onAdd: (kind: string) => void }): ReactNode {
  const { t } = useLanguage()
  const unused = abouts.filter(
    (about) => !columns.some(({ column }) => column.kind === 'about' && column.about === about),
  )
  return (
    <MenuTrigger>
      <Button icon="plus">{t('exports.addColumn')}</Button>
      <Popover className="popover" offset={4}>
        <Menu className="list-box" onAction={(key) => onAdd(String(key))}>
          <MenuItem id="constant" className="list-box__item menu__item">
            {t('exports.constant')}
          </MenuItem>
          {unused.map((about) => (
            <MenuItem key={about} id={about} className="list-box__item menu__item">
              {t(metadataLabels[about])}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}

/** Where a column's cells come from, when its name does not say so. */
function ColumnOrigin({ column, t }: { column: ExportColumn; t: Translate }): ReactNode {
  const from =
    column.kind === 'constant'
      ? t('exports.quoted', { value: column.value })
      : column.header !== null
        ? ownName(column, t)
        : column.kind === 'field'
          ? column.field.slice(0, -1).join(' › ')
          : ''
  return from === '' ? null : <small className="ellipsis">{from}</small>
}

/** Six dots: the drag handle. */
function Grip(): ReactNode {
  return (
    <svg className="icon" viewBox="0 0 16 16" width={14} height={14} aria-hidden="true" focusable="false">
      <path d="M6 4v.1M10 4v.1M6 8v.1M10 8v.1M6 12v.1M10 12v.1" />
    </svg>
  )
}
