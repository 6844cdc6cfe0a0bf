import { useState } from 'react'
import type { ReactNode } from 'react'
import type { CallbackState } from '../../../shared/contract/callbacks.ts'
import { AppError } from '../../../shared/domain/errors.ts'
import type { ErrorCode } from '../../../shared/domain/errors.ts'
import { useAction } from '../../client/queries.ts'
import { Button, TextField } from '../../components/controls.tsx'
import { Confirm } from '../../components/dialog.tsx'
import { notify } from '../../components/notices.tsx'
import { Callout } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'

type Props = { saved: CallbackState; onChanged: (next: CallbackState) => void }

/** The mailbox: its pairing code before, its state after the pairing. */
export function MailboxFields({ saved, onChanged }: Props): ReactNode {
  return saved.mailbox === null ? (
    <Pairing onChanged={onChanged} />
  ) : (
    <Paired mailbox={saved.mailbox} awaited={saved.awaited} onChanged={onChanged} />
  )
}

/** The host of an address; the address itself when it is none. Pure. */
export function hostOf(address: string): string {
  return URL.parse(address)?.host || address
}

function Pairing({ onChanged }: Pick<Props, 'onChanged'>): ReactNode {
  const { t, errorSentence } = useLanguage()
  const pair = useAction('callbacks.pair')
  const [code, setCode] = useState('')
  const ready = code.trim() !== '' && !pair.isPending
  function run(): void {
    if (!ready) return
    pair.mutate(
      { code: code.trim() },
      {
        onSuccess(next) {
          notify('done', t('callbacks.paired', { host: next.mailbox ? hostOf(next.mailbox.url) : '' }))
          onChanged(next)
        },
      },
    )
  }
  return (
    <form
      className="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        run()
      }}
    >
      <div className="pairing">
        <TextField
          label={t('callbacks.code')}
          value={code}
          onChange={setCode}
          mono
          placeholder="sheaf-mailbox-…"
          hint={t('callbacks.codeHint')}
        />
        <Button variant="primary" type="submit" isDisabled={!ready}>
          {pair.isPending ? t('callbacks.pairing') : t('callbacks.pair')}
        </Button>
      </div>
      {pair.isError && <Callout kind="bad">{errorSentence(pair.error)}</Callout>}
    </form>
  )
}

/** Errors after which a person may unpair all the same: what waits there cannot be fetched now, and perhaps never. */
const discardableErrors: ReadonlySet<string> = new Set<ErrorCode>(['mailbox_unreachable', 'mailbox_key_unavailable'])

type PairedProps = { mailbox: NonNullable<CallbackState['mailbox']>; awaited: number } & Pick<Props, 'onChanged'>

function Paired({ mailbox, awaited, onChanged }: PairedProps): ReactNode {
  const { t, formats, sentence, errorSentence } = useLanguage()
  const unpair = useAction('callbacks.unpair')
  const [asking, setAsking] = useState(false)
  const [refusal, setRefusal] = useState<AppError | null>(null)
  const host = hostOf(mailbox.url)
  function run(discard: boolean): void {
    unpair.mutate(
      { discard },
      {
        onSuccess(next) {
          notify('done', t('callbacks.unpaired'))
          onChanged(next)
        },
        onError(error) {
          if (!discard && error instanceof AppError && discardableErrors.has(error.code)) setRefusal(error)
          else notify('problem', errorSentence(error))
        },
      },
    )
  }
  return (
    <>
      <div className="paired">
        <dl className="facts">
          <div>
            <dt>{t('callbacks.mailbox')}</dt>
            <dd className="selectable">{host}</dd>
          </div>
          <div>
            <dt>{t('callbacks.pairedSince')}</dt>
            <dd>{formats.dateTime(mailbox.pairedAt)}</dd>
          </div>
          <div>
            <dt>{t('callbacks.answered')}</dt>
            <dd>{mailbox.answeredAt === null ? t('callbacks.answeredNever') : formats.dateTime(mailbox.answeredAt)}</dd>
          </div>
        </dl>
        <Button variant="quiet" onPress={() => setAsking(true)} isDisabled={unpair.isPending}>
          {t('callbacks.unpair')}
        </Button>
      </div>
      {mailbox.problem && <Callout kind="flag">{sentence(mailbox.problem)}</Callout>}
      {asking && (
        <Confirm
          title={t('callbacks.unpairTitle', { host })}
          confirm={t('callbacks.unpairConfirm')}
          danger
          onConfirm={() => run(false)}
          onClose={() => setAsking(false)}
        >
          <p>{t('callbacks.unpairText')}</p>
          {awaited > 0 && <p>{t('callbacks.unpairAwaited', { count: awaited, shown: formats.count(awaited) })}</p>}
        </Confirm>
      )}
      {refusal !== null && (
        <Confirm
          title={t('callbacks.unpairTitle', { host })}
          confirm={t('callbacks.unpairAnyway')}
          danger
          onConfirm={() => run(true)}
          onClose={() => setRefusal(null)}
        >
          <p>{t('callbacks.unpairAnywayText')}</p>
          <p>{errorSentence(refusal)}</p>
        </Confirm>
      )}
    </>
  )
}
