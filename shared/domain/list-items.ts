/**
 * A list's value as objects, whatever the service made of it: a lone object is one item, a plain value an item with one
 * field.
 */
export function listItems(record: Record<string, unknown>, name: string): Record<string, unknown>[] {
  const value = Object.hasOwn(record, name) ? record[name] : null
  const values = Array.isArray(value) ? (value as unknown[]) : [value]
  return values
    .filter((item) => item !== null && item !== undefined)
    .map((item) =>
      typeof item === 'object' && !Array.isArray(item) ? (item as Record<string, unknown>) : { [name]: item },
    )
}
