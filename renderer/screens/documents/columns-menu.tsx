import type { ReactNode } from 'react'
import {
  Button as AriaButton,
  Menu,
  MenuItem,
  MenuSection,
  MenuTrigger,
  Popover,
  Separator,
} from 'react-aria-components'
import { documentColumns } from '../../../shared/domain/document-columns.ts'
import type { DocumentColumn } from '../../../shared/domain/document-columns.ts'
import { CheckMark } from '../../components/controls.tsx'
import { Icon } from '../../components/icon.tsx'
import { useLanguage } from '../../messages/language.tsx'
import type { MessageId } from '../../messages/language.tsx'
import type { Columns } from './column-choice.ts'
import { shownColumns } from './table-columns.ts'
import type { TableColumn } from './table-columns.ts'

/** What a column is called, but for those of single values. */
export const columnWords: Record<Exclude<TableColumn['kind'], 'value'>, MessageId> = {
  name: 'column.document',
  folder: 'column.folder',
  schema: 'field.schema',
  state: 'column.state',
  values: 'column.values',
  sizeBytes: 'column.size',
  durationMs: 'column.duration',
  tokensConsumed: 'usage.tokens',
  finishedAt: 'column.finished',
  receivedAt: 'column.received',
}

/** Which columns the table shows. */
export function ColumnsMenu({ columns }: { columns: Columns }): ReactNode {
  const { t } = useLanguage()
  const shown = shownColumns(columns.choice)
  return (
    <MenuTrigger>
      <AriaButton className="button button--quiet columns-button">
        <Icon name="columns" size={14} />
        <span className="button__text">{t('columns.button')}</span>
      </AriaButton>
      <Popover className="popover" placement="bottom end" offset={4}>
        <Menu
          className="list-box"
          aria-label={t('columns.button')}
          onAction={(key) => key === 'reset' && columns.reset()}
        >
          <MenuSection
            aria-label={t('columns.button')}
            selectionMode="multiple"
            selectedKeys={['name', ...shown]}
            onSelectionChange={(keys) =>
              columns.show(documentColumns.filter((column) => keys === 'all' || keys.has(column)))
            }
          >
            {(['name', ...documentColumns] as const).map((column) => (
              <ColumnItem key={column} column={column} />
            ))}
          </MenuSection>
          <Separator className="menu__line" />
          <MenuItem id="reset" className="list-box__item menu__item" textValue={t('columns.reset')}>
            <span className="menu__words">{t('columns.reset')}</span>
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}

function ColumnItem({ column }: { column: 'name' | DocumentColumn }): ReactNode {
  const { t } = useLanguage()
  return (
    <MenuItem
      id={column}
      isDisabled={column === 'name'}
      className="list-box__item menu__item"
      textValue={t(columnWords[column])}
    >
      {({ isSelected }) => (
        <>
          <CheckMark state={isSelected ? 'on' : 'off'} />
          <span className="menu__words">{t(columnWords[column])}</span>
        </>
      )}
    </MenuItem>
  )
}
