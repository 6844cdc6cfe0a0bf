import { memo, useEffect, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import type { FieldSource } from '../../../shared/domain/result.ts'
import { whenIdle } from '../../client/idle.ts'
import { labelOf } from '../../messages/values.ts'
import type { Active } from './pointer.ts'
import { rotateBox } from './rotation.ts'
import type { Rotation } from './rotation.ts'

/** `sources`: those of the page, or of a part of it; `shown`: the active one, null where that is elsewhere. */
type Props = {
  sources: readonly FieldSource[]
  shown: string | null
  rotation: Rotation
  onActive: (active: Active) => void
}

/**
 * A page of figures has a thousand marks. They are drawn group by group, the first ones at once and others whenever the
 * window has nothing else to do, and when one mark changes the browser paints its group alone: more would be felt while
 * typing.
 */
const groupSize = 75
const groupsAtOnce = 2

/** How far a mark reaches beyond the letters, as a fraction of the text's height. */
const air = 0.18

/** The marks over one page: where each value was read. The active value has the strong one. */
export const Marks = memo(function Marks({ sources, shown, rotation, onActive }: Props): ReactNode {
  const groups = useMemo(
    () =>
      Array.from({ length: Math.ceil(sources.length / groupSize) }, (_, index) =>
        sources.slice(index * groupSize, (index + 1) * groupSize),
      ),
    [sources],
  )
  const [drawn, setDrawn] = useState(groupsAtOnce)
  const isComplete = drawn >= groups.length
  useEffect(() => {
    if (isComplete) return
    return whenIdle(() => setDrawn((count) => count + 1))
  }, [drawn, isComplete])
  const active = shown === null ? -1 : groups.findIndex((group) => group.some(({ pointer }) => pointer === shown))
  return groups.map(
    (group, index) =>
      (index < drawn || index === active) && (
        <MarkGroup
          key={index}
          sources={group}
          shown={index === active ? shown : null}
          rotation={rotation}
          onActive={onActive}
        />
      ),
  )
})

const MarkGroup = memo(function MarkGroup({ sources, shown, rotation, onActive }: Props): ReactNode {
  return (
    <div className="marks">
      {sources.map((source) => (
        <Mark
          key={source.pointer}
          source={source}
          isShown={shown === source.pointer}
          rotation={rotation}
          onActive={onActive}
        />
      ))}
    </div>
  )
})

/** One of up to a thousand: drawn again only when it becomes the strong one, or is it no more. */
const Mark = memo(function Mark({
  source,
  isShown,
  rotation,
  onActive,
}: Pick<Props, 'rotation' | 'onActive'> & { source: FieldSource; isShown: boolean }): ReactNode {
  const { x, y, width, height } = source.box
  const pad = height * air
  const box = rotateBox({ x: x - pad * 0.6, y: y - pad, width: width + pad * 1.2, height: height + pad * 2 }, rotation)
  return (
    <button
      type="button"
      // Values are the way by keyboard; a mark is the same thing for the pointer.
      tabIndex={-1}
      className="mark"
      data-mark={source.pointer}
      data-on={isShown || undefined}
      aria-label={`${nameOf(source.pointer)}: ${source.text}`}
      style={{ left: percent(box.x), top: percent(box.y), width: percent(box.width), height: percent(box.height) }}
      onClick={() => onActive({ pointer: source.pointer, from: 'mark' })}
    />
  )
})

function percent(fraction: number): string {
  return `${(fraction * 100).toFixed(3)}%`
}

/** The label of the field that a pointer names. Pure. */
export function nameOf(pointer: string): string {
  return labelOf((pointer.split('/').at(-1) ?? '').replaceAll('~1', '/').replaceAll('~0', '~'))
}
