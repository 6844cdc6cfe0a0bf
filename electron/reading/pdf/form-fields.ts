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

/**
 * The values of a page's form fields (ISO 32000-1, 12.7) as words at their place: typed text split
 * at spaces, the chosen option of a list, and ☒ or ☐ for check boxes and radio buttons.
 */
export async function formWords(page: PDFPageProxy, base: Matrix): Promise<Word[]> {
  const widgets = (await page.getAnnotations({ intent: 'display' })) as Widget[]
  return widgets.flatMap((widget) =>
    widget.subtype === 'Widget' && !widget.hidden && !widget.noView ? wordsOfWidget(widget, base) : [],
  )
}

function wordsOfWidget(widget: Widget, base: Matrix): Word[] {
  const [left, bottom, right, top] = widget.rect ?? []
  if (left === undefined || bottom === undefined || right === undefined || top === undefined) return []
  const bounds = boundsOf(base, left, bottom, right, top)
  if (widget.checkBox || widget.radioButton) {
    const on = widget.checkBox ? widget.exportValue : widget.buttonValue
    return [word(isOn(widget.fieldValue, on) ? boxTicked : boxEmpty, bounds, bounds.bottom - bounds.top)]
  }
  if ((widget.fieldType !== 'Tx' && widget.fieldType !== 'Ch') || widget.password) return []
  return lines(textOf(widget), bounds, widget)
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
