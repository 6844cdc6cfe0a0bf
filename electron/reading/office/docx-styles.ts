import { child, childrenOf, onOff } from './xml.ts'
import type { XmlElement } from './xml.ts'

/** What a run or paragraph looks like, as far as reading needs it. Sizes are points, places are twips (1/20 point). */
export type Look = { bold: boolean; size: number; hidden: boolean; font: string }
export type TabStop = { at: number; align: 'left' | 'right' | 'center' }
export type ParagraphLook = { align: 'left' | 'center' | 'right'; indent: number; firstLine: number; tabs: TabStop[]; breakBefore: boolean }

type Style = { basedOn: string | undefined; run: XmlElement | undefined; paragraph: XmlElement | undefined; heading: boolean }

export type Styles = { look(styleId: string | undefined, start: Look): Look; paragraph(styleId: string | undefined): ParagraphLook; defaultStyle: string | undefined; base: Look }

const plain: Look = { bold: false, size: 11, hidden: false, font: '' }

/** The styles of word/styles.xml (ECMA-376 Part 1, 17.7), with what they are based on applied first. */
export function readStyles(root: XmlElement | null): Styles {
  const styles = new Map<string, Style>()
  let defaultStyle: string | undefined
  for (const element of childrenOf(root ?? undefined, 'style')) {
    const id = element.attributes.styleId
    if (id === undefined) continue
    if (element.attributes.type === 'paragraph' && ['1', 'true', 'on'].includes(element.attributes.default ?? '')) defaultStyle = id
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
    look: (id, start) => chain(id).reduce((look, style) => applyRun(style.heading ? { ...look, bold: true } : look, style.run), start),
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
  const justified = child(properties, 'jc')?.attributes.val
  const left = twips(indent?.left ?? indent?.start)
  const hanging = twips(indent?.hanging)
  const first = twips(indent?.firstLine)
  let tabs = look.tabs
  for (const tab of childrenOf(child(properties, 'tabs'), 'tab')) {
    const at = twips(tab.attributes.pos) ?? 0
    const kind = tab.attributes.val ?? 'left'
    tabs = tabs.filter((stop) => stop.at !== at)
    if (kind === 'clear' || kind === 'bar') continue
    tabs = [...tabs, { at, align: kind === 'right' || kind === 'end' || kind === 'decimal' ? 'right' : kind === 'center' ? 'center' : 'left' }]
  }
  return {
    align: justified === 'center' ? 'center' : justified === 'right' || justified === 'end' ? 'right' : justified === undefined ? look.align : 'left',
    indent: left ?? look.indent,
    firstLine: hanging !== undefined ? -hanging : (first ?? look.firstLine),
    tabs: tabs.toSorted((one, other) => one.at - other.at),
    breakBefore: onOff(child(properties, 'pageBreakBefore')) ?? look.breakBefore,
  }
}

function twips(value: string | undefined): number | undefined {
  const number = Number(value)
  return value !== undefined && Number.isFinite(number) ? number : undefined
}
