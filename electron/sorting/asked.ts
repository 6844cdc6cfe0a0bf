import type { SchemaElement } from '../../shared/domain/schema.ts'
import type { SchemaChoice } from '../../shared/domain/sorting.ts'
import { understand } from '../service/extraction/field.ts'
import type { Phrase } from '../service/extraction/field.ts'
import { meanings } from '../service/extraction/words.ts'
import { isKindWord } from '../service/finding/kind.ts'
import { nameMeanings, nameWords } from './words.ts'

/** A field as it may be found on a page: `key` is the same for fields that ask for the same. */
export type AskedField = { phrases: readonly Phrase[]; key: string; kinds: readonly string[]; inList: boolean }

/** A schema as it is compared with documents. */
export type Asked = {
  id: number
  name: readonly string[]
  nameWords: readonly string[]
  /** Words of the name that name a kind of paper. */
  nameKinds: readonly string[]
  fields: readonly AskedField[]
  hasList: boolean
  wants: { iban: boolean; mail: boolean; box: boolean }
  /** What speaks for the kind of paper it asks for (`profiles.ts`). */
  kindWords: ReadonlySet<string>
}

type Elements = readonly SchemaElement[]
const known = new WeakMap<Elements, Omit<Asked, 'id' | 'name' | 'nameWords' | 'nameKinds'>>()

/** No paper has more than so many fields that tell what it is. */
const maxFields = 120

export function ask({ id, name, elements }: SchemaChoice): Asked {
  let fields = known.get(elements)
  if (!fields) known.set(elements, (fields = readFields(elements)))
  const words = nameWords(name)
  const named = nameMeanings(name)
  return {
    ...fields,
    id,
    name: named,
    nameWords: words,
    nameKinds: named.filter(isKindWord),
    kindWords: new Set([...fields.kindWords, ...named, ...words.map((word) => `title ${word}`)]),
  }
}

function readFields(elements: Elements): Omit<Asked, 'id' | 'name' | 'nameWords' | 'nameKinds'> {
  const leaves = elements.flatMap((element): [SchemaElement, boolean][] =>
    element.format === 'list' ? (element.items ?? []).map((item) => [item, true]) : [[element, false]],
  )
  const fields = leaves.slice(0, maxFields).map(([element, inList]): AskedField & { kind: string } => {
    const { phrases, concept, kind } = understand(element, inList ? 'list' : 'document')
    const words = meanings(element.name)
    const key = `${inList ? 'list ' : ''}${concept ?? words.toSorted().join(' ')}`
    return { phrases, key, kinds: words.filter(isKindWord), inList, kind }
  })
  const has = (kind: string): boolean => fields.some((field) => field.kind === kind)
  return {
    fields,
    hasList: elements.some(({ format }) => format === 'list'),
    wants: { iban: has('iban'), mail: has('email'), box: has('boolean') },
    kindWords: new Set(leaves.slice(0, maxFields).flatMap(([{ name }]) => meanings(name))),
  }
}
