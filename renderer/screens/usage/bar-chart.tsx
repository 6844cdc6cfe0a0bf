import { useEffect, useId, useRef, useState } from 'react'
import type { KeyboardEvent, PointerEvent, ReactNode, RefObject } from 'react'
import { useLanguage } from '../../messages/language.tsx'
import { dayText, roundTop } from './days.ts'

type Bar = { day: string; value: number }
type Props = { title: string; total: string; bars: Bar[]; words: (value: number) => string }

const height = 168
const axisWidth = 48
const axisHeight = 22
const topSpace = 8
const plotHeight = height - axisHeight - topSpace
/** So much room has the name of a day. */
const dayLabelWidth = 64

/** A number for each day as a bar. One day is told in words: where the pointer is, or the arrow keys. */
export function BarChart({ title, total, bars, words }: Props): ReactNode {
  const { t, formats } = useLanguage()
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const heading = useId()
  const [active, setActive] = useState<number | null>(null)
  const top = roundTop(Math.max(...bars.map(({ value }) => value)))
  const plotWidth = Math.max(width - axisWidth, 0)
  const step = plotWidth / bars.length
  const barWidth = Math.max(Math.min(step * 0.72, 34), 1)
  const yOf = (value: number): number => topSpace + plotHeight * (1 - value / top)
  const every = Math.ceil(dayLabelWidth / Math.max(step, 1))
  const shown = active === null ? undefined : bars[active]
  const most = bars.reduce((best, bar) => (bar.value > best.value ? bar : best), bars[0] ?? { day: '', value: 0 })

  function onKeyDown(event: KeyboardEvent): void {
    const last = bars.length - 1
    const at = active ?? bars.length
    const to = { ArrowLeft: Math.max(at - 1, 0), ArrowRight: Math.min(at + 1, last), Home: 0, End: last }[event.key]
    if (to === undefined) return
    event.preventDefault()
    setActive(to)
  }
  function onPointerMove(event: PointerEvent): void {
    const left = event.clientX - (box.current?.getBoundingClientRect().left ?? 0) - axisWidth
    const index = Math.floor(left / Math.max(step, 1))
    setActive(index >= 0 && index < bars.length ? index : null)
  }
  return (
    <section className="panel chart">
      <div className="panel__head">
        <h2 id={heading}>{title}</h2>
        <span className="hint tabular" role="status">
          {shown ? `${dayText(shown.day, formats)}: ${words(shown.value)}` : total}
        </span>
      </div>
      <div
        ref={box}
        className="chart__plot"
        role="group"
        aria-labelledby={heading}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onPointerMove={onPointerMove}
        onPointerLeave={() => setActive(null)}
        onBlur={() => setActive(null)}
      >
        <svg role="img" aria-label={t('usage.chartLabel', { title, total, most: words(most.value), day: dayText(most.day, formats) })} width={width} height={height}>
          {[0, top / 2, top].map((mark) => (
            <g key={mark}>
              <line className="chart__line" x1={axisWidth} x2={width} y1={yOf(mark)} y2={yOf(mark)} />
              <text className="chart__number" x={axisWidth - 8} y={yOf(mark)} dy="0.35em">
                {formats.compact(mark)}
              </text>
            </g>
          ))}
          {bars.map((bar, index) => {
            const x = axisWidth + step * index + (step - barWidth) / 2
            const high = bar.value === 0 ? 0 : Math.max(yOf(0) - yOf(bar.value), 2)
            return (
              <g key={bar.day} data-active={index === active || undefined}>
                {index === active && <rect className="chart__band" x={axisWidth + step * index} y={topSpace} width={step} height={plotHeight} />}
                <rect className="chart__bar" x={x} y={yOf(0) - high} width={barWidth} height={high} rx={Math.min(2, barWidth / 3)} />
                {(bars.length - 1 - index) % every === 0 && step * (index + 0.5) > dayLabelWidth / 3 && (
                  <text className="chart__day" x={Math.min(axisWidth + step * (index + 0.5), width - dayLabelWidth / 3)} y={height - 5}>
                    {formats.dayOfMonth(bar.day)}
                  </text>
                )}
              </g>
            )
          })}
        </svg>
      </div>
    </section>
  )
}

/** The width of an element, followed, in CSS pixels. */
function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const box = element.current
    if (!box) return
    const observer = new ResizeObserver(() => setWidth(box.clientWidth))
    observer.observe(box)
    return () => observer.disconnect()
  }, [element])
  return width
}
