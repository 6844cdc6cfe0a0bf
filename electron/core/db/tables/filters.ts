/** A part of a statement with the values of its question marks, in their order. */
export type Condition = { sql: string; parameters: (string | number)[] }

/** What narrows a choice of documents; null: nothing is asked of that. */
type DocumentScope = {
  folderId: number | null
  /** Versions of schemas. */
  versionIds: readonly number[] | null
  /** Ids from this one on, and below that one. */
  fromId: number | null
  beforeId: number | null
  inBin: boolean | null
}

/** One of some values. Of a single value SQLite makes an equation: what follows in the index is in order. Pure. */
export function among(column: string, values: readonly (string | number)[]): Condition {
  return { sql: `${column} IN (${values.map(() => '?').join(', ')})`, parameters: [...values] }
}

/** The conditions of a scope on the table of documents. Pure. */
export function conditionsOf({
  folderId = null,
  versionIds = null,
  fromId = null,
  beforeId = null,
  inBin = null,
}: Partial<DocumentScope>): Condition[] {
  return [
    ...(inBin === null ? [] : [{ sql: `in_bin = ${Number(inBin)}`, parameters: [] }]),
    ...(folderId === null ? [] : [among('folder_id', [folderId])]),
    // Of a schema without versions there is nothing: none has the id 0.
    ...(versionIds === null ? [] : [among('schema_version_id', versionIds.length === 0 ? [0] : versionIds)]),
    ...idsBetween('id', fromId, beforeId),
  ]
}

/** From one id on, and below another. Pure. */
export function idsBetween(column: 'id' | 'rowid', fromId: number | null, beforeId: number | null): Condition[] {
  return [
    ...(fromId === null ? [] : [{ sql: `${column} >= ?`, parameters: [fromId] }]),
    ...(beforeId === null ? [] : [{ sql: `${column} < ?`, parameters: [beforeId] }]),
  ]
}

/** All of the conditions, with what stands before and after them. Pure. */
export function query(before: string, conditions: readonly Condition[], after = ''): Condition {
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`
  return { sql: `${before} ${where} ${after}`, parameters: conditions.flatMap(({ parameters }) => parameters) }
}

/** The rows of all parts. Pure. */
export function unionAll(parts: readonly Condition[], after: string): Condition {
  return {
    sql: `${parts.map(({ sql }) => sql).join(' UNION ALL ')} ${after}`,
    parameters: parts.flatMap(({ parameters }) => parameters),
  }
}
