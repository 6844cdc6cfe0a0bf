import type { Document } from '../../../shared/domain/document.ts'
import { AppError } from '../../../shared/domain/errors.ts'
import { blocksOf } from './docx-blocks.ts'
import type { Block } from './docx-blocks.ts'
import { readStyles } from './docx-styles.ts'
import type { Styles } from './docx-styles.ts'
import { layOut } from './flow-layout.ts'
import { mainPartName, relationsOf } from './relations.ts'
import type { Relation } from './relations.ts'
import { child, childrenOf, descendant, parseXml } from './xml.ts'
import type { XmlElement } from './xml.ts'
import { openParts } from './zip.ts'
import type { Parts } from './zip.ts'

// the text width of A4 with margins of an inch, in twips
const usualTextWidth = 9026

/**
 * A DOCX as flowing text on pages of 100 cells: headers, body, footnotes, footers, in this order.
 * Throws `file_encrypted`, `file_damaged`, `file_too_complex`.
 */
export async function readDocx(bytes: Uint8Array): Promise<Document> {
  const parts = await openParts(bytes)
  try {
    const main = await mainPartName(parts, 'word/document.xml')
    const relations = await relationsOf(parts, main)
    const root = await rootOf(parts, main)
    const body = child(root ?? undefined, 'body')
    if (body === undefined) throw new AppError('file_damaged', { missing: 'w:body' })
    const styles = readStyles(await rootOf(parts, relations.find((relation) => relation.type === 'styles')?.target))
    const blocks: Block[] = [
      ...(await linked(parts, relations, 'header', styles)),
      ...blocksOf(body, styles),
      ...(await notes(parts, relations, styles)),
      ...(await linked(parts, relations, 'footer', styles)),
    ]
    return { kind: 'docx', pages: layOut(blocks, textWidthOf(body)) }
  } finally {
    parts.close()
  }
}

async function rootOf(parts: Parts, name: string | undefined): Promise<XmlElement | null> {
  const xml = name === undefined ? null : await parts.text(name)
  return xml === null ? null : parseXml(xml)
}

// Headers and footers repeat on every page: each distinct one is read once, empty lines aside.
async function linked(
  parts: Parts,
  relations: readonly Relation[],
  type: 'header' | 'footer',
  styles: Styles,
): Promise<Block[]> {
  const seen = new Set<string>()
  const blocks: Block[] = []
  for (const relation of relations.filter((candidate) => candidate.type === type)) {
    const root = await rootOf(parts, relation.target)
    if (root === null) continue
    const found = blocksOf(root, styles).filter(
      (block) => block.kind === 'table' || block.pieces.some((piece) => piece.kind === 'text'),
    )
    const key = JSON.stringify(found)
    if (seen.has(key)) continue
    seen.add(key)
    blocks.push(...found)
  }
  return blocks
}

async function notes(parts: Parts, relations: readonly Relation[], styles: Styles): Promise<Block[]> {
  const blocks: Block[] = []
  for (const relation of relations.filter(
    (candidate) => candidate.type === 'footnotes' || candidate.type === 'endnotes',
  )) {
    const root = await rootOf(parts, relation.target)
    for (const note of root?.children ?? []) {
      // separators are notes too, marked by a type (ECMA-376 Part 1, 17.11.10)
      if (note.attributes.type === undefined || note.attributes.type === 'normal')
        blocks.push(...blocksOf(note, styles))
    }
  }
  return blocks
}

function textWidthOf(body: XmlElement): number {
  const section = childrenOf(body, 'sectPr').at(-1) ?? descendant(body, 'sectPr')
  const width = Number(child(section, 'pgSz')?.attributes.w)
  const margins = child(section, 'pgMar')?.attributes
  const text = width - (Number(margins?.left) || 0) - (Number(margins?.right) || 0)
  return Number.isFinite(text) && text > 2000 ? text : usualTextWidth
}
