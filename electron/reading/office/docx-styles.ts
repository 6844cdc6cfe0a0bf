import { child, childrenOf, onOff } from './xml.ts'
import type { XmlElement } from './xml.ts'

/** What a run or paragraph looks like, as far as reading needs it. Sizes are points, places are twips (1/20 point). */
export type Look = { bold: boolean; size: number; hidden: boolean; font: string }
export type TabStop = { at: number; align: 'left' | 'right' | 'center' }
export type ParagraphLook = {
  align: 'left' | 'center' | 'right'
  indent: number
  firstLine: number
  tabs: TabStop[]
  breakBefore: boolean
}

type Style = {
  basedOn: string | undefined
  run: XmlElement | undefined
  paragraph: XmlElement | undefined
  heading: boolean
}

export type Styles = {
  look(styleId: string | undefined, start: Look): Look
  paragraph(styleId: string | undefined): ParagraphLook
  defaultStyle: string | undefined
  base: Look
}

const plain: Look = { bold: false, size: 11, hidden: false, font: '' }

/** The styles of word/styles.xml (ECMA-376 Part 1, 17.7), with what they are based on applied first. */
export function readStyles(root: XmlElement | null): Styles {
  const styles = new Map<string, Style>()
  let defaultStyle: string | undefined
  for (const element of childrenOf(root ?? undefined, 'style')) {
    const id = element.attributes.styleId
    if (id === undefined) continue
    if (element.attributes.type === 'paragraph' && ['1', 'true', 'on'].includes(element.attributes.default ?? ''))
      defaultStyle = id
    styles.set(id, {
      basedOn: child(element, 'basedOn')?.attributes.val,
      run: child(element, 'rPr'),
      paragraph: child(element, 'pPr'),
      heading: /^heading \d|^title$/i.test(child(element, 'name')?.attributes.val ?? ''),
    })
  }
  const chain = (id: string | undefined): Style[] => {
    const found: Style[] = []
    for (let next = id; next !== undefined && found.length < 20; next = styles.get(next)?.basedOn) {
      const style = styles.get(next)
      if (style === undefined) break
      found.unshift(style)
    }
    return found
  }
  const base = applyRun(plain, child(child(child(root ?? undefined, 'docDefaults'), 'rPrDefault'), 'rPr'))
  return {
    base,
    defaultStyle,
    look: (id, start) =>
      chain(id).reduce((look, style) => applyRun(style.heading ? { ...look, bold: true } : look, style.run), start),
    paragraph: (id) => chain(id).reduce((look, style) => applyParagraph(look, style.paragraph), noParagraph),
  }
}

const noParagraph: ParagraphLook = { align: 'left', indent: 0, firstLine: 0, tabs: [], breakBefore: false }

/** A look with the properties of a w:rPr put on top. */
export function applyRun(look: Look, properties: XmlElement | undefined): Look {
  if (properties === undefined) return look
  const halfPoints = Number(child(properties, 'sz')?.attributes.val)
  const fonts = child(properties, 'rFonts')?.attributes
  return {
    bold: onOff(child(properties, 'b')) ?? look.bold,
    size: Number.isFinite(halfPoints) && halfPoints > 0 ? halfPoints / 2 : look.size,
    hidden: onOff(child(properties, 'vanish')) ?? look.hidden,
    font: fonts?.ascii ?? fonts?.hAnsi ?? look.font,
  }
}

/** A paragraph's look with the properties of a w:pPr put on top. */
export function applyParagraph(look: ParagraphLook, properties: XmlElement | undefined): ParagraphLook {
  if (properties === undefined) return look
  const indent = child(properties, 'ind')?.attributes
  const justification = child(properties, 'jc')?.attributes.val
  const hanging = twips(indent?.hanging)
  return {
    align: justification === undefined ? look.align : (alignments.get(justification) ?? 'left'),
    indent: twips(indent?.left ?? indent?.start) ?? look.indent,
    firstLine: hanging !== undefined ? -hanging : (twips(indent?.firstLine) ?? look.firstLine),
    tabs: applyTabs(look.tabs, childrenOf(child(properties, 'tabs'), 'tab')),
    breakBefore: onOff(child(properties, 'pageBreakBefore')) ?? look.breakBefore,
  }
}

/** ST_Jc (ECMA-376 Part 1, 17.18.44); every other value is set from the left. */
const alignments = new Map<string, 'center' | 'right'>([
  ['center', 'center'],
  ['right', 'right'],
  ['end', 'right'],
])

/** ST_TabJc (17.18.84): a decimal tab ends its number at the stop, nearly as a right one does. */
const tabAlignments = new Map([...alignments, ['decimal', 'right'] as const])

/** Tab stops with those of a w:tabs put on top; `clear` takes one away, and `bar` draws a line only. */
function applyTabs(stops: readonly TabStop[], tabs: readonly XmlElement[]): TabStop[] {
  const byPlace = new Map(stops.map((stop) => [stop.at, stop]))
  for (const tab of tabs) {
    const at = twips(tab.attributes.pos) ?? 0
    const kind = tab.attributes.val ?? 'left'
    byPlace.delete(at)
    if (kind !== 'clear' && kind !== 'bar') byPlace.set(at, { at, align: tabAlignments.get(kind) ?? 'left' })
  }
  return [...byPlace.values()].sort((one, other) => one.at - other.at)
}

function twips(value: string | undefined): number | undefined {
  const number = Number(value)
  return value !== undefined && Number.isFinite(number) ? number : undefined
}
