import type { ReactNode } from 'react'
import { useKeyNames } from '../../components/key-names.ts'
import { KeysButton } from '../../components/keys-button.tsx'
import type { KeyRow } from '../../components/keys-button.tsx'

/** A button that shows all keys of sorting. */
export function SortKeys(): ReactNode {
  const { command, alt, enter, space } = useKeyNames()
  const rows: KeyRow[] = [
    [['←', '→', '↑', '↓'], 'keys.pages'],
    [[enter, space], 'keys.cut'],
    [[`${alt} ←`, `${alt} →`], 'keys.moveCut'],
    [['1 … 9'], 'keys.schema'],
    [['0'], 'sort.noDocument'],
    [[`${command} ${enter}`], 'keys.sorted'],
    [[`${command} K`], 'palette.title'],
    [['Esc'], 'document.back'],
    [['?'], 'keys.show'],
  ]
  return <KeysButton rows={rows} />
}
