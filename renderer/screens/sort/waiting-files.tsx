import type { ReactNode } from 'react'
import type { CallOutput } from '../../../shared/contract/contract.ts'
import { hrefOf } from '../../client/route.ts'
import { Icon } from '../../components/icon.tsx'
import { documentName } from '../../messages/document-name.ts'
import { useLanguage } from '../../messages/language.tsx'

type Waiting = CallOutput<'sorting.list'>

/** The files that wait for a person to say what they are. */
export function WaitingFiles({ documents, total, current }: Waiting & { current: number }): ReactNode {
  const { t, formats } = useLanguage()
  const more = total - documents.length
  return (
    <nav className="sort-files" aria-label={t('sort.waiting')}>
      <ul>
        {documents.map((file) => (
          <WaitingFile key={file.id} file={file} isCurrent={file.id === current} />
        ))}
      </ul>
      {more > 0 && <p className="hint sort-files__more">{t('sort.more', { shown: formats.count(more) })}</p>}
    </nav>
  )
}

/** The file in hand is not opened anew by its link, which has taken the focus from its pages. */
function focusPageInHand(): void {
  document.querySelector<HTMLElement>('.sort-page[tabindex="0"]')?.focus()
}

function WaitingFile({ file, isCurrent }: { file: Waiting['documents'][number]; isCurrent: boolean }): ReactNode {
  const { t, formats, sentence } = useLanguage()
  const name = documentName(file, t)
  const count = file.parts
  return (
    <li>
      <a
        className="sort-files__file"
        href={hrefOf({ screen: 'sort', id: file.id })}
        aria-current={isCurrent ? 'page' : undefined}
        title={`${name}\n${sentence(file.reason)}`}
        onClick={isCurrent ? focusPageInHand : undefined}
      >
        <bdi className="sort-files__name">{name}</bdi>
        <small>
          <Icon name={file.asks === 'cut' ? 'cut' : 'question'} size={12} />
          {file.asks === 'cut' ? t('sort.asksCut', { count, shown: formats.count(count) }) : t('sort.asksKind')}
        </small>
      </a>
    </li>
  )
}
