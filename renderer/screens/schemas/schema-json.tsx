import { useEffect, useRef, useState } from 'react'
import type { ChangeEvent, ReactNode } from 'react'
import type { SchemaElement } from '../../../shared/schema.ts'
import { call } from '../../client/client.ts'
import { saveJson } from '../../client/files.ts'
import { Button, TextField } from '../../components/controls.tsx'
import { notify } from '../../components/notices.tsx'
import { useLanguage } from '../../messages/language.tsx'

const checkDelayMs = 250
/** A schema of the most fields that core takes is far smaller. */
const mostBytes = 5 * 1024 * 1024

type Props = { name: string; elements: SchemaElement[]; onElements: (elements: SchemaElement[]) => void; onProblem: (problem: string | null) => void }

/** The schema as the text that the service and other programs take; what is typed here becomes the fields when it is right. */
export function SchemaJson({ name, elements, onElements, onProblem }: Props): ReactNode {
  const { t, sentence, errorSentence } = useLanguage()
  const [text, setText] = useState(() => JSON.stringify(elements, null, 2))
  const [problem, setProblem] = useState<string | null>(null)
  const file = useRef<HTMLInputElement>(null)
  const apply = useRef(onElements)
  const report = useRef(onProblem)
  useEffect(() => {
    apply.current = onElements
    report.current = onProblem
  })
  // What is wrong here must not be saved as if it were what the fields say; leaving the text leaves the problem behind.
  useEffect(() => {
    report.current(problem)
  }, [problem])
  useEffect(() => () => report.current(null), [])
  const edited = useRef(false)
  useEffect(() => {
    if (!edited.current) return
    let stale = false
    const timer = setTimeout(() => {
      call('schemas.parse', { text })
        .then((answer) => {
          if (stale) return
          setProblem(answer.problem)
          if (answer.problem === null) apply.current(answer.elements)
        })
        .catch((error: unknown) => !stale && setProblem(errorSentence(error)))
    }, checkDelayMs)
    return () => {
      stale = true
      clearTimeout(timer)
    }
  }, [text, errorSentence, sentence])

  function change(next: string): void {
    edited.current = true
    setText(next)
  }
  async function open(event: ChangeEvent<HTMLInputElement>): Promise<void> {
    const chosen = event.target.files?.[0]
    event.target.value = ''
    if (!chosen) return
    if (chosen.size > mostBytes) notify('problem', sentence({ code: 'schema_file_unreadable', details: { file: chosen.name, problem: t('schemas.fileTooLarge') } }))
    else change(await chosen.text())
  }
  async function copy(): Promise<void> {
    await navigator.clipboard.writeText(text)
    notify('done', t('schemas.copied'))
  }
  function download(): void {
    saveJson(text, `${name.trim().replace(/[^\p{L}\p{N} _-]+/gu, '') || 'schema'}.json`)
  }
  return (
    <div className="schema-json">
      <TextField label={t('schemas.json')} value={text} onChange={change} multiline={22} mono problem={problem} hint={t('schemas.jsonHint')} />
      <div className="form__row">
        <Button icon="copy" onPress={() => void copy()}>
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
