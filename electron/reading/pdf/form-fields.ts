import type { PDFPageProxy } from 'pdfjs-dist'
import { boxEmpty, boxTicked, cleanText } from '../symbols.ts'
import { boundsOf } from './matrix.ts'
import type { Bounds, Matrix } from './matrix.ts'
import { levelWord } from './words.ts'
import type { Word } from './words.ts'

type Widget = {
  subtype?: string
  rect?: number[]
  hidden?: boolean
  noView?: boolean
  fieldName?: string
  alternativeText?: string
  fieldType?: string
  fieldValue?: unknown
  checkBox?: boolean
  radioButton?: boolean
  exportValue?: string
  buttonValue?: string
  multiLine?: boolean
  password?: boolean
  options?: { exportValue: string; displayValue: string }[]
  defaultAppearanceData?: { fontSize?: number }
}

/** A form field as it stands on a page: its value, and the words that show it there. */
export type FormField = {
  /** What the file calls it, and what it tells a screen reader. */
  name: string
  tooltip: string
  /** A text or chosen option, a box to tick, or one of the answers of a group. */
  kind: 'text' | 'box' | 'answer'
  value: string | boolean
  bounds: Bounds
  words: Word[]
}

/**
 * A page's form fields (ISO 32000-1, 12.7), each with its value as words at its place: typed text split at spaces, the
 * chosen option of a list, and ☒ or ☐ for check boxes and radio buttons.
 */
export async function formFields(page: PDFPageProxy, base: Matrix): Promise<FormField[]> {
  const widgets = (await page.getAnnotations({ intent: 'display' })) as Widget[]
  return widgets.flatMap((widget) =>
    widget.subtype === 'Widget' && !widget.hidden && !widget.noView ? fieldOf(widget, base) : [],
  )
}

function fieldOf(widget: Widget, base: Matrix): FormField[] {
  const bounds = placeOf(widget, base)
  if (bounds === null) return []
  const called = { name: widget.fieldName ?? '', tooltip: widget.alternativeText ?? '', bounds }
  if (widget.checkBox || widget.radioButton) {
    const value = isOn(widget.fieldValue, widget.checkBox ? widget.exportValue : widget.buttonValue)
    const words = [word(value ? boxTicked : boxEmpty, bounds, bounds.bottom - bounds.top)]
    return [{ ...called, kind: widget.checkBox ? 'box' : 'answer', value, words }]
  }
  if ((widget.fieldType !== 'Tx' && widget.fieldType !== 'Ch') || widget.password) return []
  const text = textOf(widget)
  return [{ ...called, kind: 'text', value: cleanText(text).trim(), words: lines(text, bounds, widget) }]
}

function placeOf({ rect = [] }: Widget, base: Matrix): Bounds | null {
  const [left, bottom, right, top] = rect
  if (left === undefined || bottom === undefined || right === undefined || top === undefined) return null
  return boundsOf(base, left, bottom, right, top)
}

function isOn(value: unknown, on: string | undefined): boolean {
  return typeof value === 'string' && value !== 'Off' && value !== '' && (on === undefined || value === on)
}

function textOf(widget: Widget): string {
  const values = Array.isArray(widget.fieldValue) ? widget.fieldValue : [widget.fieldValue]
  return values
    .filter((value) => typeof value === 'string')
    .map((value) => widget.options?.find((option) => option.exportValue === value)?.displayValue ?? value)
    .join('\n')
}

function lines(text: string, bounds: Bounds, widget: Widget): Word[] {
  const rows = cleanText(text)
    .split(/\r\n|\r|\n/)
    .filter((row) => row.trim() !== '')
  if (rows.length === 0) return []
  const height = bounds.bottom - bounds.top
  const width = bounds.right - bounds.left
  const longest = Math.max(...rows.map((row) => row.length))
  const asked = widget.defaultAppearanceData?.fontSize ?? 0
  const size = Math.min(asked > 0 ? asked : 12, height, (height / rows.length) * 0.9)
  // the field's own type is unknown here: half an em for a character, less where the text would not fit
  const advance = Math.min(size * 0.5, width / longest)
  const top = rows.length === 1 && !widget.multiLine ? bounds.top + (height - size) / 2 : bounds.top
  return rows.flatMap((row, index) => {
    const lineTop = top + index * Math.min(size * 1.15, height / rows.length)
    return [...row.matchAll(/\S+/g)].map((match) => {
      const from = bounds.left + (match.index ?? 0) * advance
      return word(
        match[0],
        { left: from, top: lineTop, right: from + match[0].length * advance, bottom: lineTop + size },
        size,
      )
    })
  })
}

function word(text: string, bounds: Bounds, size: number): Word {
  return levelWord(text, bounds, size, size * 0.2)
}
