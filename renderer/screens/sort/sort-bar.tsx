import type { ReactNode } from 'react'
import type { SortedFile } from '../../../shared/contract/sorting.ts'
import { Button } from '../../components/controls.tsx'
import { Icon } from '../../components/icon.tsx'
import { useKeyNames } from '../../components/key-names.ts'
import { useLanguage } from '../../messages/language.tsx'
import { noDocument, outcomeOf } from './parts.ts'
import type { Part } from './parts.ts'

type Props = { file: SortedFile; parts: readonly Part[]; isPending: boolean; onConfirm: () => void }

/** What confirming comes to, and the one action. */
export function SortBar({ file, parts, isPending, onConfirm }: Props): ReactNode {
  const { t, formats } = useLanguage()
  const { command } = useKeyNames()
  const { unsure, added, removed } = outcomeOf(parts, file)
  const isNone = removed === 0 && parts.every(({ schemaId }) => schemaId === noDocument)
  const counted = (count: number) => ({ count, shown: formats.count(count) })
  return (
    <footer className="sort-bar">
      <p className="sort-bar__words" role="status">
        <Icon name={unsure > 0 ? 'question' : 'check'} size={14} />
        {unsure > 0 ? (
          <strong>{parts.length === 1 ? t('sort.chooseSchema') : t('sort.withoutSchema', counted(unsure))}</strong>
        ) : (
          <span>
            <strong>
              {isNone
                ? t('sort.noneRead', counted(parts.length))
                : t(file.bills ? 'sort.sends' : 'sort.reads', counted(added))}
            </strong>{' '}
            {removed > 0 && `${t('sort.removes', counted(removed))} ${t('sort.notAgain')}`}
          </span>
        )}
      </p>
      <Button variant="primary" keys={`${command} ↵`} isDisabled={unsure > 0} isPending={isPending} onPress={onConfirm}>
        {t('sort.confirm')}
      </Button>
    </footer>
  )
}
