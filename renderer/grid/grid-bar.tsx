import { memo } from 'react'
import type { ReactNode } from 'react'
import { Toolbar } from 'react-aria-components'
import { IconButton } from '../components/controls.tsx'
import { useKeyNames } from '../components/key-names.ts'
import { useLanguage } from '../messages/language.tsx'
import type { GridStore } from './use-grid-state.ts'

type Props = {
  label: string
  description: string
  count: number
  dispatch: GridStore['dispatch']
  isEditable: boolean
  canMoveUp: boolean
  canMoveDown: boolean
  canUndo: boolean
  canRedo: boolean
}

/**
 * The name of a list, how long it is, and what can be done with its rows. Typing in its cells does not draw it again.
 */
export const GridBar = memo(function GridBar(props: Props): ReactNode {
  const { label, description, count, dispatch, isEditable, canMoveUp, canMoveDown, canUndo, canRedo } = props
  const { t, formats } = useLanguage()
  const { command, alt, shift } = useKeyNames()
  return (
    <div className="list-values__head">
      <h2 className="ellipsis" title={description}>
        {label}
      </h2>
      <span className="hint tabular">{t('document.rows', { count, shown: formats.count(count) })}</span>
      {isEditable && (
        <Toolbar className="grid-bar" aria-label={t('grid.tools', { list: label })}>
          <IconButton
            icon="plus"
            label={t('grid.addRow')}
            keys={`${alt} ↵`}
            onPress={() => dispatch({ type: 'addRow' })}
          />
          <IconButton
            icon="trash"
            label={t('grid.removeRows')}
            keys={`${alt} ⌫`}
            isDisabled={count === 0}
            onPress={() => dispatch({ type: 'removeRows' })}
          />
          <IconButton
            icon="up"
            label={t('grid.moveUp')}
            keys={`${alt} ${shift} ↑`}
            isDisabled={!canMoveUp}
            onPress={() => dispatch({ type: 'moveRows', step: -1 })}
          />
          <IconButton
            icon="down"
            label={t('grid.moveDown')}
            keys={`${alt} ${shift} ↓`}
            isDisabled={!canMoveDown}
            onPress={() => dispatch({ type: 'moveRows', step: 1 })}
          />
          <IconButton
            icon="undo"
            label={t('grid.undo')}
            keys={`${command} Z`}
            isDisabled={!canUndo}
            onPress={() => dispatch({ type: 'undo' })}
          />
          <IconButton
            icon="redo"
            label={t('grid.redo')}
            keys={`${command} ${shift} Z`}
            isDisabled={!canRedo}
            onPress={() => dispatch({ type: 'redo' })}
          />
        </Toolbar>
      )}
    </div>
  )
})
