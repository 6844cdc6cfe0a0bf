import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { TextField } from '../../components/controls.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { problemsOf } from '../schemas/draft.ts'
import type { FieldDraft } from '../schemas/draft.ts'
import { FieldList } from '../schemas/field-list.tsx'

type Props = { name: string; onName: (name: string) => void; fields: FieldDraft[]; onFields: (fields: FieldDraft[]) => void }

/** A schema made by hand, where no template fits. Comes into view when it is chosen: in a small window it would stand below it. */
export function OwnSchema({ name, onName, fields, onFields }: Props): ReactNode {
  const { t } = useLanguage()
  const root = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Not returned: newer browsers answer with a promise, which is no way to clean up.
    root.current?.scrollIntoView({ block: 'center' })
  }, [])
  // A field that has no name yet is not wrong: it is about to be typed.
  const problems = new Map([...problemsOf(fields)].filter(([, problem]) => problem !== 'nameMissing'))
  return (
    <div className="own-schema" ref={root}>
      <TextField label={t('schemas.name')} value={name} onChange={onName} />
      <FieldList fields={fields} onChange={onFields} problems={problems} />
    </div>
  )
}
