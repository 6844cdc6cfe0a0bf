import type { ReactNode, RefObject } from 'react'
import type { DocumentDetail } from '../../../shared/contract/documents.ts'
import { Button } from '../../components/controls.tsx'
import { Icon } from '../../components/icon.tsx'
import { useKeyNames } from '../../components/key-names.ts'
import { useLanguage } from '../../messages/language.tsx'
import type { Review } from './use-review.ts'

type Props = {
  document: DocumentDetail
  review: Review
  button: RefObject<HTMLButtonElement | null>
  onApprove: () => void
}

/** The end of a review: what is left, the keys, and the one action. */
export function ApproveBar({ document, review, button, onApprove }: Props): ReactNode {
  const { t, formats } = useLanguage()
  const keys = useKeyNames()
  const { state, flags, approved } = document.check
  if (state === 'approved' && approved !== null) {
    const time = formats.dateTime(approved.at)
    return (
      <footer className="approve-bar approve-bar--approved">
        <span className="approve-bar__state">
          <Icon name="check" size={14} />
          {approved.person === ''
            ? t('check.approvedAt', { time })
            : t('check.approvedBy', { person: approved.person, time })}
        </span>
        <Button icon="undo" onPress={review.reopen}>
          {t('check.takeBack')}
        </Button>
      </footer>
    )
  }
  return (
    <footer className="approve-bar">
      <span className={`approve-bar__state${flags.length > 0 ? ' approve-bar__state--flagged' : ''}`}>
        <Icon name={flags.length > 0 ? 'flag' : 'check'} size={14} />
        {flags.length > 0
          ? t('check.flagCount', { count: flags.length, shown: formats.count(flags.length) })
          : t('check.noFlags')}
      </span>
      <Button variant="primary" onPress={onApprove} ref={button} keys={`${keys.command} ↵`}>
        {flags.length > 0
          ? t('check.approveFlags', { count: flags.length, shown: formats.count(flags.length) })
          : t('check.approve')}
      </Button>
    </footer>
  )
}
