import { AppError } from '../../../shared/domain/errors.ts'
import { parseXml } from './xml.ts'
import type { Parts } from './zip.ts'

/** One relationship of a part (ECMA-376 Part 2, 9.3): its type's last word and the part it points to. */
export type Relation = { id: string; type: string; target: string }

/** The relationships of a part; those that point outside the file are left out and never followed. */
export async function relationsOf(parts: Parts, part: string): Promise<Relation[]> {
  const slash = part.lastIndexOf('/')
  const folder = part.slice(0, slash + 1)
  const xml = await parts.text(`${folder}_rels/${part.slice(slash + 1)}.rels`)
  if (xml === null) return []
  return parseXml(xml).children.flatMap((relation) => {
    const { Id: id, Type: type, Target: target, TargetMode: mode } = relation.attributes
    if (id === undefined || type === undefined || target === undefined || mode === 'External') return []
    return [{ id, type: type.slice(type.lastIndexOf('/') + 1), target: resolvePart(folder, target) }]
  })
}

/** The name of the part that holds the document itself. Throws `file_damaged` when the file has none. */
export async function mainPartName(parts: Parts, usual: string): Promise<string> {
  const relation = (await relationsOf(parts, '')).find((candidate) => candidate.type === 'officeDocument')
  const name = relation?.target ?? usual
  if (!parts.has(name)) throw new AppError('file_damaged', { missing: usual })
  return name
}

function resolvePart(folder: string, target: string): string {
  const steps = target.startsWith('/') ? [] : folder.split('/').filter((step) => step !== '')
  for (const step of target.split('/')) {
    if (step === '..') steps.pop()
    else if (step !== '' && step !== '.') steps.push(step)
  }
  return steps.join('/')
}
