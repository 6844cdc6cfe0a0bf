import type { ReactNode } from 'react'
import type { FieldSource } from '../../../shared/result.ts'
import { labelOf } from '../../messages/values.ts'
import type { Active } from './pointer.ts'

type Props = { sources: FieldSource[]; page: number; active: Active; onActive: (active: Active) => void }

/** How far a mark reaches beyond the letters, as a fraction of the text's height. */
const air = 0.18

/** The marks over one page: where each value was read. The value in hand has the strong one. */
export function Marks({ sources, page, active, onActive }: Props): ReactNode {
  return (
    <div className="marks">
      {sources
        .filter((source) => source.page === page)
        .map((source) => {
          const { x, y, width, height } = source.box
          const pad = height * air
          return (
            <button
              key={source.pointer}
              type="button"
              // Values are the way by keyboard; a mark is the same thing for the pointer.
              tabIndex={-1}
              className="mark"
              data-mark={source.pointer}
              data-on={active?.pointer === source.pointer || undefined}
              aria-label={`${nameOf(source.pointer)}: ${source.text}`}
              style={{ left: percent(x - pad * 0.6), top: percent(y - pad), width: percent(width + pad * 1.2), height: percent(height + pad * 2) }}
              onClick={() => onActive({ pointer: source.pointer, from: 'mark' })}
            />
          )
        })}
    </div>
  )
}

function percent(fraction: number): string {
  return `${(fraction * 100).toFixed(3)}%`
}

/** The label of the field that a pointer names. Pure. */
export function nameOf(pointer: string): string {
  return labelOf((pointer.split('/').at(-1) ?? '').replaceAll('~1', '/').replaceAll('~0', '~'))
}
