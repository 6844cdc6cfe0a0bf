import type { ReactNode } from 'react'
import { useKeyNames } from '../../components/key-names.ts'
import { KeysButton } from '../../components/keys-button.tsx'
import type { KeyRow } from '../../components/keys-button.tsx'
import { maxAlternatives, useAlternativeKeys } from './alternatives.tsx'

/** A button that shows all keys of the check. */
export function ReviewKeys(): ReactNode {
  const { command, alt, shift, enter } = useKeyNames()
  const { modifier } = useAlternativeKeys()
  const rows: KeyRow[] = [
    [[enter], 'keys.confirm'],
    [[`${command} ${enter}`], 'keys.approve'],
    [['F8', `${shift} F8`], 'keys.nextFlag'],
    [Array.from({ length: maxAlternatives }, (_, index) => `${modifier.shown} ${index + 1}`), 'keys.alternatives'],
    [['↑', '↓'], 'keys.values'],
    [[`${alt} ↑`, `${alt} ↓`], 'keys.documents'],
    [['F2'], 'keys.cells'],
    [['F4'], 'keys.point'],
    [['F9'], 'keys.learned'],
    [[`${shift} ↑ ↓ ← →`, `${command} A`], 'keys.range'],
    [[`${command} C`, `${command} X`, `${command} V`], 'keys.clipboard'],
    [[`${command} Z`, `${command} ${shift} Z`], 'keys.undo'],
    [[`${alt} ${enter}`, `${alt} ⌫`], 'keys.rows'],
    [[`${alt} ${shift} ↑ ↓ ← →`], 'keys.moveRows'],
    [[`${command} +`, `${command} −`, `${command} 0`], 'keys.zoom'],
    [[`${command} K`], 'palette.title'],
    [['Esc'], 'keys.leave'],
    [['?'], 'keys.show'],
  ]
  return <KeysButton rows={rows} />
}
