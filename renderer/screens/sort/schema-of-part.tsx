import { memo } from 'react'
import type { ReactNode } from 'react'
import type { SortedFile } from '../../../shared/contract/sorting.ts'
import { Select } from '../../components/controls.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { choicesFor, noDocument } from './parts.ts'
import type { Part } from './parts.ts'

type Props = Pick<Part, 'schemaId' | 'likely'> & {
  /** The first one of the part. */
  page: number
  schemas: SortedFile['schemas']
  choose: (page: number, schemaId: number) => void
}

/** By which schema a part is read: the likely ones first, each with its digit. */
export const SchemaOfPart = memo(function SchemaOfPart({ page, schemaId, likely, schemas, choose }: Props): ReactNode {
  const { t } = useLanguage()
  return (
    <Select
      label={t('field.schema')}
      labelHidden
      value={schemaId === null ? null : String(schemaId)}
      onChange={(key) => choose(page, Number(key))}
      placeholder={t('sort.unsure')}
      choices={[
        ...choicesFor(likely, schemas).map(({ id, name, digit }) => ({
          key: String(id),
          label: name,
          ...(digit === null ? {} : { keys: String(digit) }),
        })),
        { key: String(noDocument), label: t('sort.noDocument'), keys: '0' },
      ]}
    />
  )
})

/** The digits by which schemas are chosen, while the lists that have them are closed. */
export function SchemaDigits({ schemas }: { schemas: SortedFile['schemas'] }): ReactNode {
  const { t } = useLanguage()
  return (
    <ul className="schema-digits" aria-label={t('sort.digits')}>
      {schemas.slice(0, 9).map(({ id, name }, index) => (
        <li key={id} title={name}>
          <kbd>{index + 1}</kbd>
          <span className="ellipsis">
            <bdi>{name}</bdi>
          </span>
        </li>
      ))}
      <li>
        <kbd>0</kbd>
        <span>{t('sort.noDocument')}</span>
      </li>
    </ul>
  )
}
