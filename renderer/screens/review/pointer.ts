import type { Alternative, FieldSource } from '../../../shared/domain/result.ts'

/** Null: not looked up yet, or the document cannot be looked at. */
export type Sources = ReadonlyMap<string, FieldSource> | null

/** The places of values, by pointer; the first one counts when a service names two. Pure. */
export function sourcesByPointer(sources: readonly FieldSource[]): NonNullable<Sources> {
  const map = new Map<string, FieldSource>()
  for (const source of sources) if (!map.has(source.pointer)) map.set(source.pointer, source)
  return map
}

/**
 * The value that a person is looking at, and from which side it was chosen: the other side follows. `other`: the one of
 * its alternatives that is looked at.
 */
export type Active = { pointer: string; from: 'value' | 'mark'; other?: Alternative } | null

/** Among the marks an alternative has a pointer of its own, which ends in the name of its field. Pure. */
export function withAlternative(
  sources: FieldSource[],
  active: Active,
  isFirst: boolean,
): { sources: FieldSource[]; active: Active } {
  if (!active?.other) return { sources, active }
  const { pointer, from, other } = active
  const source = { pointer: `other:${pointer}`, page: other.page, box: other.box, text: other.text }
  return {
    sources: isFirst ? [source, ...sources] : [...sources, source],
    active: { pointer: source.pointer, from },
  }
}

/** The sources of each page, so that a page does not look through those of all. Pure. */
export function sourcesByPage(sources: readonly FieldSource[]): ReadonlyMap<number, readonly FieldSource[]> {
  const map = new Map<number, FieldSource[]>()
  for (const source of sources) {
    const page = map.get(source.page)
    if (page === undefined) map.set(source.page, [source])
    else page.push(source)
  }
  return map
}
