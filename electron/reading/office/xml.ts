import { SaxesParser } from 'saxes'
import { AppError } from '../../../shared/domain/errors.ts'

/** An element by its local name; attributes by their local name too, since Office's prefixes are free to differ. */
export type XmlElement = { name: string; attributes: Record<string, string>; children: XmlElement[]; text: string }

type XmlHandler = {
  open(name: string, attributes: Record<string, string>): void
  text(text: string): void
  close(name: string): void
}

const maxDepth = 250

/**
 * Reads XML without ever building it whole. Office files have no document type (ECMA-376 Part 2, 8.1.4),
 * so one is refused, and with it every entity. Throws `file_damaged`, or `file_too_complex` when
 * elements nest deeper than 250.
 */
export function scanXml(xml: string, handler: XmlHandler): void {
  const parser = new SaxesParser({ xmlns: false, position: false })
  let depth = 0
  parser.on('doctype', () => {
    throw new AppError('file_damaged', { problem: 'document type' })
  })
  parser.on('error', (error) => {
    throw new AppError('file_damaged', {}, { cause: error })
  })
  parser.on('opentag', (tag) => {
    if (++depth > maxDepth) throw new AppError('file_too_complex', { depth, maxDepth })
    const attributes: Record<string, string> = Object.create(null) as Record<string, string>
    for (const [name, value] of Object.entries(tag.attributes)) {
      // r:id and id are different things on one element, so an unprefixed name wins
      const local = localName(name)
      if (name === local || attributes[local] === undefined) attributes[local] = String(value)
      if (name !== local) attributes[name] = String(value)
    }
    handler.open(localName(tag.name), attributes)
  })
  parser.on('text', (text) => handler.text(text))
  parser.on('cdata', (text) => handler.text(text))
  parser.on('closetag', (tag) => {
    depth--
    handler.close(localName(tag.name))
  })
  parser.write(xml).close()
}

/** Reads XML into a tree. Same errors as `scanXml`. */
export function parseXml(xml: string): XmlElement {
  const top: XmlElement = { name: '', attributes: {}, children: [], text: '' }
  const open: XmlElement[] = [top]
  scanXml(xml, {
    open(name, attributes) {
      const element: XmlElement = { name, attributes, children: [], text: '' }
      open.at(-1)?.children.push(element)
      open.push(element)
    },
    text(text) {
      const element = open.at(-1)
      if (element !== undefined) element.text += text
    },
    close() {
      open.pop()
    },
  })
  const root = top.children[0]
  if (root === undefined) throw new AppError('file_damaged')
  return root
}

export function child(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((candidate) => candidate.name === name)
}

export function childrenOf(element: XmlElement | undefined, name: string): XmlElement[] {
  return element?.children.filter((candidate) => candidate.name === name) ?? []
}

/** The first element of that name anywhere below. */
export function descendant(element: XmlElement | undefined, name: string): XmlElement | undefined {
  for (const candidate of element?.children ?? []) {
    const found = candidate.name === name ? candidate : descendant(candidate, name)
    if (found !== undefined) return found
  }
  return undefined
}

/** ST_OnOff (ECMA-376 Part 1, 22.9.2.7): present without a value is on. Undefined when the element is absent. */
export function onOff(element: XmlElement | undefined): boolean | undefined {
  if (element === undefined) return undefined
  const value = element.attributes.val
  return value === undefined || !['0', 'false', 'off', 'none'].includes(value)
}

function localName(name: string): string {
  const colon = name.indexOf(':')
  return colon < 0 ? name : name.slice(colon + 1)
}
