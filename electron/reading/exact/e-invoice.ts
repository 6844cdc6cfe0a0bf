import type { ExactSource } from '../../../shared/domain/document.ts'
import { child, scanXml } from '../office/xml.ts'
import type { XmlElement } from '../office/xml.ts'
import { ciiValues } from './cii.ts'
import { ublValues } from './ubl.ts'

/** An invoice of 10,000 rows in the longest profile has 15 MB; to parse so much takes half a second. */
const maxXmlBytes = 16 * 1024 * 1024
/** Each takes about 250 bytes: together 100 MB. */
const maxElements = 400_000

/**
 * What an electronic invoice says: UN/CEFACT Cross Industry Invoice (ZUGFeRD 1.0 to 2.x, Factur-X, XRechnung, Order-X)
 * or UBL 2.1 (Invoice, CreditNote). Values have the terms of EN 16931 in plain words (`cii.ts`, `ubl.ts`). Null when
 * the bytes are something else, too large, or no XML: what the page shows is read all the same.
 */
export function eInvoiceFrom(bytes: Uint8Array, name: string): ExactSource | null {
  if (bytes.length > maxXmlBytes) return null
  try {
    const root = treeOf(textOf(bytes))
    const values = valuesOf(root)
    return values.length === 0 ? null : { kind: 'e-invoice', name, values }
  } catch {
    return null // a document type, an unknown encoding, elements without end: nothing of it is believed
  }
}

function valuesOf(root: XmlElement): ExactSource['values'] {
  const isCii = root.children.some((element) => /^(?:Header)?ExchangedDocument$/.test(element.name))
  if (isCii) return ciiValues(root)
  const isUbl = /^(?:Invoice|CreditNote)$/.test(root.name) && child(root, 'LegalMonetaryTotal') !== undefined
  return isUbl ? ublValues(root) : []
}

const declaredEncoding = /^\s*<\?xml[^>]{0,100}encoding\s*=\s*["']([\w.-]{1,40})["']/

/** Decodes as the byte order mark says, else as the declaration does, else as UTF-8 (XML 1.0, appendix F). */
function textOf(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, 200)).toString('latin1')
  const sixteen = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe ? 'utf-16be' : undefined
  const marked = sixteen ?? (start.startsWith('\xef\xbb\xbf') ? 'utf-8' : undefined)
  return new TextDecoder(marked ?? declaredEncoding.exec(start)?.[1] ?? 'utf-8').decode(bytes)
}

function treeOf(xml: string): XmlElement {
  const top: XmlElement = { name: '', attributes: {}, children: [], text: '' }
  const open: XmlElement[] = [top]
  let elements = 0
  scanXml(xml, {
    open(name, attributes) {
      if (++elements > maxElements) throw new Error('too many elements')
      const element: XmlElement = { name, attributes, children: [], text: '' }
      open.at(-1)!.children.push(element)
      open.push(element)
    },
    text(text) {
      open.at(-1)!.text += text
    },
    close() {
      open.pop()
    },
  })
  return top.children[0]!
}
