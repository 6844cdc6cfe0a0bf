import { typeOf } from './schema.ts'
import type { FieldType, SchemaElement } from './schema.ts'

/** What happened to one field between two schemas. */
export type FieldMark = 'added' | 'removed' | 'renamed' | 'moved' | 'type' | 'description'

export type FieldSide = {
  name: string
  type: FieldType
  description: string
  /** The names of the lists it stands in, from outside to inside. */
  within: string[]
}

/** One field of two schemas beside each other; a side is null where it does not have it. No marks: it is the same. */
export type FieldPair = { before: FieldSide | null; after: FieldSide | null; depth: number; marks: FieldMark[] }

/**
 * A field that both schemas have, or only one of them. Their fields are told apart list by list, whatever moved between
 * lists.
 */
export type FieldMatch = { before: SchemaElement | null; after: SchemaElement | null; items: FieldMatch[] }

type Node = { element: SchemaElement; parent: Node | null; items: Node[]; index: number; counterpart: Node | null }

/**
 * Two schemas field by field, to any depth, in the order of the second; what only the first has stands where it stood
 * there. Fields are the same by their name within the same list; then, renamed, by format and description there; then,
 * moved to another list, by name, format and description. Among the fields of one list those have moved that others did
 * not keep their order with: as few as possible. Pure.
 */
export function compareSchemas(before: readonly SchemaElement[], after: readonly SchemaElement[]): FieldPair[] {
  const [one, other] = [nodesOf(before, null), nodesOf(after, null)]
  pairSiblings(one, other)
  pairElsewhere(one, other)
  return rowsOf(one, other, 0)
}

/**
 * Fields whose values can be held against each other: those of the second schema in their order, then what only the
 * first has. Pure.
 */
export function matchFields(before: readonly SchemaElement[], after: readonly SchemaElement[]): FieldMatch[] {
  const [one, other] = [nodesOf(before, null), nodesOf(after, null)]
  pairSiblings(one, other)
  return matchesIn(one, other)
}

function matchesIn(before: readonly Node[], after: readonly Node[]): FieldMatch[] {
  return [
    ...after.map(({ element, counterpart, items }) => ({
      before: counterpart?.element ?? null,
      after: element,
      items: matchesIn(counterpart?.items ?? [], items),
    })),
    ...before
      .filter(({ counterpart }) => counterpart === null)
      .map(({ element, items }) => ({ before: element, after: null, items: matchesIn(items, []) })),
  ]
}

/** How many fields carry each mark. Pure. */
export function countMarks(pairs: readonly FieldPair[]): Record<FieldMark, number> {
  const counts: Record<FieldMark, number> = { added: 0, removed: 0, renamed: 0, moved: 0, type: 0, description: 0 }
  for (const { marks } of pairs) for (const mark of marks) counts[mark] += 1
  return counts
}

function nodesOf(elements: readonly SchemaElement[], parent: Node | null): Node[] {
  return elements.map((element, index) => {
    const node: Node = { element, parent, items: [], index, counterpart: null }
    node.items = nodesOf(element.items ?? [], node)
    return node
  })
}

function pairSiblings(before: readonly Node[], after: readonly Node[]): void {
  pairBy(before, after, ({ element }) => element.name)
  // A description usually stays when a field is renamed; without one only the position is left to match by.
  pairBy(before, after, ({ element: { format, description }, index }) =>
    JSON.stringify([format, description, description === '' ? index : null]),
  )
}

/**
 * What is left over on both sides, wherever it stands. A list takes its fields along before they are looked for
 * elsewhere. In the order of the keys, so that it is the same whichever schema is the second.
 */
function pairElsewhere(before: readonly Node[], after: readonly Node[]): void {
  const keyOf = ({ element: { name, format, description } }: Node): string =>
    JSON.stringify([format === 'list' ? 0 : 1, name, format, description])
  const inOrder = unpaired(after).toSorted(
    (left, right) => Number(keyOf(left) > keyOf(right)) - Number(keyOf(left) < keyOf(right)),
  )
  pairBy(unpaired(before), inOrder, keyOf)
}

function unpaired(nodes: readonly Node[]): Node[] {
  return nodes.flatMap((node) => (node.counterpart === null ? [node, ...unpaired(node.items)] : unpaired(node.items)))
}

/**
 * Pairs what has the same key and no counterpart yet, the first with the first; their fields at once, so that nobody
 * else takes those.
 */
function pairBy(before: readonly Node[], after: readonly Node[], keyOf: (node: Node) => string): void {
  const waiting = new Map<string, Node[]>()
  for (const node of before)
    if (node.counterpart === null) waiting.set(keyOf(node), [...(waiting.get(keyOf(node)) ?? []), node])
  for (const node of after) {
    if (node.counterpart !== null) continue
    const counterpart = waiting.get(keyOf(node))?.find((candidate) => candidate.counterpart === null)
    if (counterpart === undefined) continue
    node.counterpart = counterpart
    counterpart.counterpart = node
    pairSiblings(counterpart.items, node.items)
  }
}

/**
 * Rows of the fields of one list, or of a pair of lists: those of `after` in their order, what only `before` has behind
 * what it followed.
 */
function rowsOf(before: readonly Node[], after: readonly Node[], depth: number): FieldPair[] {
  const staying = longestIncreasingSubsequence(
    after.filter(({ counterpart }) => counterpart !== null && before.includes(counterpart)),
  )
  const rows: FieldPair[] = []
  const removedAfter = new Map<Node | null, Node[]>()
  let last: Node | null = null
  for (const node of before) {
    if (node.counterpart === null) removedAfter.set(last, [...(removedAfter.get(last) ?? []), node])
    else if (after.includes(node.counterpart)) last = node.counterpart
  }
  const removed = (behind: Node | null): void => {
    for (const node of removedAfter.get(behind) ?? [])
      rows.push({ before: sideOf(node), after: null, depth, marks: ['removed'] }, ...rowsOf(node.items, [], depth + 1))
  }
  removed(null)
  for (const node of after) {
    rows.push(
      {
        before: node.counterpart && sideOf(node.counterpart),
        after: sideOf(node),
        depth,
        marks: marksOf(node, staying),
      },
      ...rowsOf(node.counterpart?.items ?? [], node.items, depth + 1),
    )
    removed(node)
  }
  return rows
}

function marksOf(node: Node, staying: ReadonlySet<Node>): FieldMark[] {
  const { counterpart, element } = node
  if (counterpart === null) return ['added']
  return [
    ...(counterpart.element.name === element.name ? [] : ['renamed' as const]),
    ...(staying.has(node) ? [] : ['moved' as const]),
    ...(typeOf(counterpart.element) === typeOf(element) ? [] : ['type' as const]),
    ...(counterpart.element.description === element.description ? [] : ['description' as const]),
  ]
}

/** As many as possible of the fields, in their order, whose counterparts stand in the same order. */
function longestIncreasingSubsequence(nodes: readonly Node[]): Set<Node> {
  // For each length, the end of the subsequence that ends with the smallest index (patience sorting).
  const ends: Node[] = []
  const previous = new Map<Node, Node | null>()
  for (const node of nodes) {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (ends[middle]!.counterpart!.index < node.counterpart!.index) low = middle + 1
      else high = middle
    }
    previous.set(node, low === 0 ? null : ends[low - 1]!)
    ends[low] = node
  }
  const subsequence = new Set<Node>()
  for (let node: Node | null = ends.at(-1) ?? null; node !== null; node = previous.get(node) ?? null)
    subsequence.add(node)
  return subsequence
}

function sideOf({ element, parent }: Node): FieldSide {
  const { name, description } = element
  const within: string[] = []
  for (let list = parent; list !== null; list = list.parent) within.unshift(list.element.name)
  return { name, type: typeOf(element), description, within }
}
