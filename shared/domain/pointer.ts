/** JSON Pointer (RFC 6901) into the records of a result. Pure; what comes from outside never reaches a prototype. */

export function tokensOf(pointer: string): string[] {
  if (pointer === '') return []
  const tokens = pointer.slice(1).split('/')
  // Nearly every pointer is without an escape, and a document can have a hundred thousand places.
  return pointer.includes('~') ? tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~')) : tokens
}

export function pointerOf(tokens: readonly (string | number)[]): string {
  return tokens.map((token) => `/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** The value that stands there; undefined where nothing does. */
export function valueAt(root: unknown, pointer: string): unknown {
  let value = root
  for (const token of tokensOf(pointer)) {
    if (Array.isArray(value)) value = isIndex(token) ? (value[Number(token)] as unknown) : undefined
    else if (typeof value === 'object' && value !== null && Object.hasOwn(value, token))
      value = (value as Record<string, unknown>)[token]
    else return undefined
  }
  return value
}

/**
 * A copy of `root` for many changes: each array and object on their ways is copied once, not for each of them, and none
 * for what stands there already. `put` says whether there is such a place; where there is none nothing changes. Only
 * the last step may be new: a key of an object, or the one index behind an array's end.
 */
export function copyOnWrite<T>(root: T): { put: (pointer: string, value: unknown) => boolean; root: () => T } {
  let copied: unknown = root
  const own = new Set<unknown>()
  const put = (into: unknown, tokens: readonly string[], value: unknown): unknown => {
    const [token, ...rest] = tokens
    if (token === undefined) return value
    if (Array.isArray(into)) {
      if (!isIndex(token) || Number(token) > into.length - (rest.length > 0 ? 1 : 0)) return undefined
      const inner = put(into[Number(token)], rest, value)
      if (inner === undefined) return undefined
      if (inner === into[Number(token)]) return into
      const array = own.has(into) ? (into as unknown[]) : [...(into as unknown[])]
      own.add(array)
      array[Number(token)] = inner
      return array
    }
    if (typeof into !== 'object' || into === null) return undefined
    const there = Object.hasOwn(into, token) ? (into as Record<string, unknown>)[token] : undefined
    const inner = put(there, rest, value)
    if (inner === undefined) return undefined
    if (inner === there) return into
    const object = own.has(into) ? into : { ...into }
    own.add(object)
    // A key called __proto__ is one like any other.
    return Object.defineProperty(object, token, { value: inner, enumerable: true, configurable: true, writable: true })
  }
  return {
    put(pointer, value) {
      const next = put(copied, tokensOf(pointer), value)
      if (next === undefined) return false
      copied = next
      return true
    },
    root: () => copied as T,
  }
}

/**
 * Whether two values are the same JSON. What both share is not looked into, so a copy is compared with its original by
 * what differs.
 */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (
    typeof one !== 'object' ||
    typeof other !== 'object' ||
    one === null ||
    other === null ||
    Array.isArray(one) !== Array.isArray(other)
  )
    return false
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((each, index) => isSameJson(each, other[index]))
  const keys = Object.keys(one)
  if (keys.length !== Object.keys(other).length) return false
  return keys.every(
    (key) =>
      Object.hasOwn(other, key) &&
      isSameJson((one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]),
  )
}

/**
 * Tells of a pointer whether what is put at these places can change what stands there: it is one of them, lies in one,
 * or holds one.
 */
export function overlapsAny(places: readonly string[]): (pointer: string) => boolean {
  const put = new Set(places)
  const ancestors = new Set(places.flatMap(ancestorsOf))
  // Asked about all corrections of a document: an ancestor is only cut out where it is as long as one of the places.
  const lengths = new Set(places.map(({ length }) => length))
  const liesInOne = (pointer: string): boolean => {
    for (let end = pointer.lastIndexOf('/'); end >= 0; end = end === 0 ? -1 : pointer.lastIndexOf('/', end - 1))
      if (lengths.has(end) && put.has(pointer.slice(0, end))) return true
    return false
  }
  return (pointer) => put.has(pointer) || ancestors.has(pointer) || liesInOne(pointer)
}

/** The pointers to all that a place lies in. */
function ancestorsOf(pointer: string): string[] {
  const ancestors: string[] = []
  for (let end = pointer.lastIndexOf('/'); end >= 0; end = end === 0 ? -1 : pointer.lastIndexOf('/', end - 1))
    ancestors.push(pointer.slice(0, end))
  return ancestors
}

function isIndex(token: string): boolean {
  return /^(?:0|[1-9]\d{0,8})$/.test(token)
}
