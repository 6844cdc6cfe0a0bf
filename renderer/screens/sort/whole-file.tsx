import { useState } from 'react'
import type { ReactNode } from 'react'
import type { SortedFile } from '../../../shared/contract/sorting.ts'
import type { FieldSource } from '../../../shared/domain/result.ts'
import { extensionOf, shownKind } from '../../../shared/domain/limits.ts'
import { DocumentView } from '../review/document-view.tsx'
import type { Active } from '../review/pointer.ts'
import { SchemaDigits, SchemaOfPart } from './schema-of-part.tsx'
import type { Sorting } from './use-sorting.ts'

/** One array, so that the document is not drawn again for another one. */
const noSources: FieldSource[] = []

/** A file that is one document: what it looks like, and its schema. */
export function WholeFile({ file, sorting, head }: { file: SortedFile; sorting: Sorting; head: ReactNode }): ReactNode {
  const [active, onActive] = useState<Active>(null)
  const part = sorting.parts[0]!
  return (
    <>
      <header className="sort-file__head">
        {head}
        <SchemaDigits schemas={file.schemas} />
        <div className="sort-file__schema" data-unsure={part.schemaId === null || undefined}>
          <SchemaOfPart
            page={part.pages.first}
            schemaId={part.schemaId}
            likely={part.likely}
            schemas={file.schemas}
            choose={sorting.choose}
          />
        </div>
      </header>
      <DocumentView
        documentId={file.id}
        kind={shownKind(extensionOf(file.name))}
        sources={noSources}
        active={active}
        onActive={onActive}
        pointing={null}
        pick={null}
        onPick={null}
      />
    </>
  )
}
