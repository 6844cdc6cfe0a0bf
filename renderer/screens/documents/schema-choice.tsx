import { useState } from 'react'
import type { ReactNode } from 'react'
import type { CallOutput } from '../../../shared/contract/contract.ts'
import { useCall } from '../../client/queries.ts'
import { Select } from '../../components/controls.tsx'
import { useLanguage } from '../../messages/language.tsx'

type SchemaChoice = {
  /** Undefined as long as there is none. */
  schema: CallOutput<'schemas.list'>['schemas'][number] | undefined
  select: ReactNode
}

const none: never[] = []

/**
 * Another schema for documents of `schemaId`, and the list that it is chosen from. `isReplaced`: it is to stand in the
 * place of theirs, which is none of the choices then.
 */
export function useSchemaChoice(schemaId: number | undefined, { isReplaced = false } = {}): SchemaChoice {
  const { t } = useLanguage()
  const all = useCall('schemas.list', {}).data?.schemas ?? none
  const schemas = isReplaced ? all.filter(({ id }) => id !== schemaId) : all
  const [chosen, choose] = useState<number | null>(null)
  const schema = schemas.find(({ id }) => id === chosen) ?? schemas.find(({ id }) => id !== schemaId) ?? schemas[0]
  const select = (
    <Select
      label={t('field.schema')}
      value={schema ? String(schema.id) : null}
      onChange={(key) => choose(Number(key))}
      choices={schemas.map(({ id, name }) => ({ key: String(id), label: name }))}
      {...(all.length === 1 ? { hint: t('with.onlyOne') } : {})}
    />
  )
  return { schema, select }
}
