import { useEffect, useId, useRef, useState } from 'react'
import type { KeyboardEvent, PointerEvent, ReactNode, RefObject } from 'react'
import { useLanguage } from '../../messages/language.tsx'
import { dayText, roundTop } from './days.ts'

type Bar = { day: string; value: number }
type Props = {
  title: string
  total: string
  bars: Bar[]
  /** A value with its unit, as text. */
  textOf: (value: number) => string
}

/** In pixels, as all below. */
const height = 168
const axisWidth = 48
const axisHeight = 22
const topSpace = 8
const plotHeight = height - axisHeight - topSpace
/** What the name of a day takes. */
const dayLabelWidth = 64

/** Where bars stand in a plot, in pixels. */
type Layout = {
  width: number
  /** The value at the top of the axis. */
  top: number
  /** From one day to the next. */
  step: number
  barWidth: number
  /** Of so many days, one is named. */
  labelEvery: number
  yOf: (value: number) => number
}

function layoutOf(bars: readonly Bar[], width: number): Layout {
  const top = roundTop(Math.max(...bars.map(({ value }) => value)))
  const step = Math.max(width - axisWidth, 0) / bars.length
  return {
    width,
    top,
    step,
    barWidth: Math.max(Math.min(step * 0.72, 34), 1),
    labelEvery: Math.ceil(dayLabelWidth / Math.max(step, 1)),
    yOf: (value) => topSpace + plotHeight * (1 - value / top),
  }
}

/** A number for each day as a bar. One day is told in words: where the pointer is, or the arrow keys. */
export function BarChart({ title, total, bars, textOf }: Props): ReactNode {
  const { t, formats } = useLanguage()
  const box = useRef<HTMLDivElement>(null)
  const layout = layoutOf(bars, useWidth(box))
  const heading = useId()
  const [active, setActive] = useState<number | null>(null)
  const shown = active === null ? undefined : bars[active]
  const largest = bars.reduce((best, bar) => (bar.value > best.value ? bar : best), bars[0] ?? { day: '', value: 0 })

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
    const index = Math.floor(left / Math.max(layout.step, 1))
    setActive(index >= 0 && index < bars.length ? index : null)
  }
  return (
    <section className="panel chart">
      <div className="panel__head">
        <h2 id={heading}>{title}</h2>
        <span className="hint tabular" role="status">
          {shown ? `${dayText(shown.day, formats)}: ${textOf(shown.value)}` : total}
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
        <svg
          role="img"
          aria-label={t('usage.chartLabel', {
            title,
            total,
            most: textOf(largest.value),
            day: dayText(largest.day, formats),
          })}
          width={layout.width}
          height={height}
        >
          <Axis layout={layout} />
          {bars.map((bar, index) => (
            <DayBar
              key={bar.day}
              bar={bar}
              index={index}
              isActive={index === active}
              isNamed={(bars.length - 1 - index) % layout.labelEvery === 0}
              layout={layout}
            />
          ))}
        </svg>
      </div>
    </section>
  )
}

/** Lines at nothing, the half and the top, with their values. */
function Axis({ layout: { width, top, yOf } }: { layout: Layout }): ReactNode {
  const { formats } = useLanguage()
  return [0, top / 2, top].map((mark) => (
    <g key={mark}>
      <line className="chart__line" x1={axisWidth} x2={width} y1={yOf(mark)} y2={yOf(mark)} />
      <text className="chart__number" x={axisWidth - 8} y={yOf(mark)} dy="0.35em">
        {formats.compact(mark)}
      </text>
    </g>
  ))
}

type DayBarProps = { bar: Bar; index: number; isActive: boolean; isNamed: boolean; layout: Layout }

function DayBar({ bar, index, isActive, isNamed, layout }: DayBarProps): ReactNode {
  const { formats } = useLanguage()
  const { width, step, barWidth, yOf } = layout
  const left = axisWidth + step * index
  const middle = step * (index + 0.5)
  // A day with little is seen as well.
  const barHeight = bar.value === 0 ? 0 : Math.max(yOf(0) - yOf(bar.value), 2)
  return (
    <g data-active={isActive || undefined}>
      {isActive && <rect className="chart__band" x={left} y={topSpace} width={step} height={plotHeight} />}
      <rect
        className="chart__bar"
        x={left + (step - barWidth) / 2}
        y={yOf(0) - barHeight}
        width={barWidth}
        height={barHeight}
        rx={Math.min(2, barWidth / 3)}
      />
      {isNamed && middle > dayLabelWidth / 3 && (
        <text className="chart__day" x={Math.min(axisWidth + middle, width - dayLabelWidth / 3)} y={height - 5}>
          {formats.dayOfMonth(bar.day)}
        </text>
      )}
    </g>
  )
}

/** The width of an element in CSS pixels, as it changes. */
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
