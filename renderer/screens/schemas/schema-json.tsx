import { useMemo, useRef, useState } from 'react'
import type { ChangeEvent, ReactNode } from 'react'
import { toAppError } from '../../../shared/domain/errors.ts'
import { parseSchemaText } from '../../../shared/domain/schema.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { saveJson } from '../../client/files.ts'
import { Button, TextField } from '../../components/controls.tsx'
import { notify } from '../../components/notices.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { useCopy } from '../use-copy.ts'

/** A schema of the most fields that core takes is far smaller. */
const maxBytes = 5 * 1024 * 1024

type Props = {
  name: string
  elements: SchemaElement[]
  /** What was typed before and is no schema; null where the fields say it all. */
  pending: string | null
  onElements: (elements: SchemaElement[]) => void
  onPending: (text: string) => void
}

/**
 * The schema as the text that the service and other programs take; what is typed here becomes the fields when it is
 * right.
 */
export function SchemaJson({ name, elements, pending, onElements, onPending }: Props): ReactNode {
  const { t, sentence } = useLanguage()
  // As it was typed, however the fields would be written.
  const [text, setText] = useState(() => pending ?? JSON.stringify(elements, null, 2))
  const problem = useMemo(() => (pending === null ? null : readSchema(pending).problem), [pending])
  const copy = useCopy()
  const file = useRef<HTMLInputElement>(null)

  function change(next: string): void {
    setText(next)
    const read = readSchema(next)
    if (read.problem === null) onElements(read.elements)
    else onPending(next)
  }
  async function open(event: ChangeEvent<HTMLInputElement>): Promise<void> {
    const chosen = event.target.files?.[0]
    event.target.value = ''
    if (!chosen) return
    if (chosen.size > maxBytes)
      notify(
        'problem',
        sentence({
          code: 'schema_file_unreadable',
          details: { file: chosen.name, problem: t('schemas.fileTooLarge') },
        }),
      )
    else change(await chosen.text())
  }
  function download(): void {
    saveJson(text, `${name.trim().replace(/[^\p{L}\p{N} _-]+/gu, '') || 'schema'}.json`)
  }
  return (
    <div className="schema-json">
      <TextField
        label={t('schemas.json')}
        value={text}
        onChange={change}
        multiline={22}
        mono
        problem={problem}
        hint={t('schemas.jsonHint')}
      />
      <div className="form__row">
        <Button icon="copy" onPress={() => void copy(text)}>
          {t('schemas.copy')}
        </Button>
        <Button icon="export" onPress={download}>
          {t('schemas.download')}
        </Button>
        <Button icon="folder" onPress={() => file.current?.click()}>
          {t('schemas.open')}
        </Button>
        <input ref={file} type="file" accept=".json,application/json" hidden onChange={(event) => void open(event)} />
      </div>
    </div>
  )
}

/** The fields that a text stands for, or what is wrong with it. Pure. */
function readSchema(text: string): { problem: null; elements: SchemaElement[] } | { problem: string } {
  try {
    return { problem: null, elements: parseSchemaText(text) }
  } catch (error) {
    return { problem: String(toAppError(error).details['problem'] ?? '') }
  }
}
