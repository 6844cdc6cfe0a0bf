import type { ReactNode } from 'react'
import type { AppState } from '../../../shared/contract/contract.ts'
import type { DocumentDetail } from '../../../shared/contract/documents.ts'
import { isWithoutSchema } from '../../../shared/domain/sorting.ts'
import { useAction } from '../../client/queries.ts'
import { hrefOf, navigate } from '../../client/route.ts'
import type { Route } from '../../client/route.ts'
import { Button, IconButton } from '../../components/controls.tsx'
import { Icon } from '../../components/icon.tsx'
import { notify } from '../../components/notices.tsx'
import { RevealButton } from '../../components/reveal-button.tsx'
import { StateBadge } from '../../components/state-badge.tsx'
import { documentName } from '../../messages/document-name.ts'
import { useLanguage } from '../../messages/language.tsx'
import type { Language } from '../../messages/language.tsx'
import { useBin } from '../documents/bin.ts'
import { isSortable } from '../documents/sortable.ts'
import { ReviewKeys } from './keys.tsx'
import type { Neighbour, Neighbours } from './neighbours.ts'

/** What is asked about a whole document. */
export type DocumentDialogKind = 'draft' | 'extract' | 'change'

type Props = {
  document: DocumentDetail
  /** Its file is where it was. */
  isHere: boolean
  host: AppState['host']
  home: Route
  neighbours: Neighbours
  onGo: (target: Neighbour | null) => void
  onDialog: (dialog: DocumentDialogKind) => void
  /** Commits what is typed; false: it is not valid. */
  canLeave: () => boolean
  /** It was moved to the bin. */
  onGone: () => void
}

/** What a document is, and what can be done with all of it. */
export function DocumentHead(props: Props): ReactNode {
  const { document, isHere, host, home, onDialog, canLeave, onGone } = props
  const { t, errorSentence } = useLanguage()
  const reveal = useAction('documents.reveal')
  const bin = useBin()
  function moveToBin(): void {
    if (!canLeave()) return
    bin.move([document.id])
    if (document.status !== 'submitting' && document.status !== 'waiting') onGone()
  }
  return (
    <header className="page-head review__head">
      <a
        className="icon-button review__back"
        href={hrefOf(home)}
        aria-label={t('document.back')}
        title={t('document.back')}
      >
        <Icon name="left" />
      </a>
      <DocumentTitle document={document} />
      <StateBadge document={document} />
      <div className="page-head__actions">
        {host === 'electron' && (
          <RevealButton
            quiet
            onPress={() =>
              reveal.mutate({ id: document.id }, { onError: (error) => notify('problem', errorSentence(error)) })
            }
          />
        )}
        {isHere && (
          <Button variant="quiet" icon="plus" onPress={() => onDialog('draft')}>
            {t('draft.fromDocument')}
          </Button>
        )}
        {document.inBin && (
          <Button icon="undo" onPress={() => bin.restore([document.id])}>
            {t('bin.restore')}
          </Button>
        )}
        <Position {...props.neighbours} />
        {isHere && !document.inBin && (
          <IconButton icon="copy" label={t('with.action')} onPress={() => onDialog('extract')} />
        )}
        {isHere && !document.inBin && (
          <IconButton icon="schema" label={t('change.action')} onPress={() => onDialog('change')} />
        )}
        {isHere && isSortable(document) && (
          <IconButton
            icon="sort"
            label={t('sort.action')}
            onPress={() => navigate({ screen: 'sort', id: document.id })}
          />
        )}
        {!document.inBin && <IconButton icon="trash" label={t('bin.move')} onPress={moveToBin} />}
        <ReviewKeys />
        <Steps {...props.neighbours} onGo={props.onGo} />
      </div>
    </header>
  )
}

function DocumentTitle({ document }: { document: DocumentDetail }): ReactNode {
  const { t, formats } = useLanguage()
  const { path, inBin, folderName, reason, sizeBytes, mail } = document
  const schemaName = isWithoutSchema(reason?.code ?? null) ? null : document.schemaName
  const parts = [inBin ? t('bin.isIn') : null, folderName, schemaName, formats.size(sizeBytes), mailText(mail, t)]
  return (
    <div className="review__title">
      <h1 title={path}>
        <bdi>{documentName(document, t)}</bdi>
      </h1>
      <span className="review__sub ellipsis">{parts.filter((part) => part !== null).join(' · ')}</span>
    </div>
  )
}

function mailText(mail: DocumentDetail['mail'], t: Language['t']): string | null {
  if (mail === null) return null
  const { sender, subject } = mail
  if (sender !== null && subject !== null) return t('document.mail', { sender, subject })
  if (subject !== null) return t('document.mailSubject', { subject })
  return sender === null ? null : t('document.mailSender', { sender })
}

/** Where it stands in the list that a person goes through. */
function Position({ index, total }: Neighbours): ReactNode {
  const { t, formats } = useLanguage()
  if (index === null || total === null) return null
  return (
    <span className="hint tabular">
      {t('document.position', { index: formats.count(index + 1), total: formats.count(total) })}
    </span>
  )
}

function Steps({ previous, next, onGo }: Neighbours & Pick<Props, 'onGo'>): ReactNode {
  const { t } = useLanguage()
  return (
    <>
      <IconButton
        icon="up"
        label={t('document.previous')}
        keys="Alt ↑"
        isDisabled={previous === null}
        onPress={() => onGo(previous)}
      />
      <IconButton
        icon="down"
        label={t('document.next')}
        keys="Alt ↓"
        isDisabled={next === null}
        onPress={() => onGo(next)}
      />
    </>
  )
}
