import type { ReactNode } from 'react'
import { Button as AriaButton, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { Icon } from '../../components/icon.tsx'
import { useLanguage } from '../../messages/language.tsx'

export type SchemaAction = 'change' | 'extract' | 'sort'

/** By what selected documents are read: another schema instead of theirs or beside it, or their file in parts. */
export function SchemaMenu({
  canSort,
  onAction,
}: {
  canSort: boolean
  onAction: (action: SchemaAction) => void
}): ReactNode {
  const { t } = useLanguage()
  const actions = [
    ['change', t('change.action'), t('change.menuHint')],
    ['extract', t('with.action'), t('with.menuHint')],
    ...(canSort ? [['sort', t('sort.action'), t('sort.menuHint')] as const] : []),
  ] as const
  return (
    <MenuTrigger>
      <AriaButton className="button button--quiet">
        <Icon name="schema" size={14} />
        <span className="button__text">{t('field.schema')}</span>
        <Icon name="chevron" size={12} />
      </AriaButton>
      <Popover className="popover" placement="bottom end" offset={4}>
        <Menu className="list-box" onAction={(key) => onAction(key as SchemaAction)}>
          {actions.map(([id, words, hint]) => (
            <MenuItem key={id} id={id} className="list-box__item menu__item" textValue={words}>
              <span className="menu__words">
                {words}
                <small className="hint">{hint}</small>
              </span>
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
