import type { FieldFormat, SchemaElement } from '../../../shared/domain/schema.ts'

/** A schema from short notes: `'total: number'`, or a name alone for text; lists take their sub-fields. */
export function schemaOf(...notes: (string | SchemaElement)[]): SchemaElement[] {
  return notes.map((note) => {
    if (typeof note !== 'string') return note
    const [head = '', description = ''] = note.split(' | ')
    const [name = '', format = 'text'] = head.split(': ')
    return { name, format: format as FieldFormat, description }
  })
}

export function listOf(name: string, ...items: string[]): SchemaElement {
  return { name, format: 'list', description: '', items: schemaOf(...items) }
}
