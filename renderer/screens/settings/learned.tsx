import { useState } from 'react'
import type { ReactNode } from 'react'
import type { LearnedForm } from '../../../shared/contract/lessons.ts'
import { useAction, useCall } from '../../client/queries.ts'
import { hrefOf } from '../../client/route.ts'
import { Button } from '../../components/controls.tsx'
import { Confirm } from '../../components/dialog.tsx'
import { Icon } from '../../components/icon.tsx'
import { notify } from '../../components/notices.tsx'
import { useLanguage } from '../../messages/language.tsx'

/** What was learned of senders by corrections and approvals, to be looked at and forgotten. */
export function LearnedPanel(): ReactNode {
  const { t, errorSentence } = useLanguage()
  const forms = useCall('lessons.list', {}).data?.forms
  const forget = useAction('lessons.forget')
  const [isAsking, setAsking] = useState(false)
  const onError = (error: unknown): void => notify('problem', errorSentence(error))
  return (
    <section className="panel" aria-label={t('learned.title')}>
      <div className="panel__head">
        <div>
          <h2>{t('learned.title')}</h2>
          <p className="hint">{t('learned.text')}</p>
        </div>
        {forms !== undefined && forms.length > 0 && (
          <Button onPress={() => setAsking(true)}>{t('learned.forgetAll')}</Button>
        )}
      </div>
      {forms?.length === 0 && <p className="hint">{t('learned.none')}</p>}
      {forms !== undefined && forms.length > 0 && (
        <ul className="rows" aria-label={t('learned.title')}>
          {forms.map((form) => (
            <FormItem
              key={form.form}
              form={form}
              onForget={() =>
                forget.mutate(
                  { form: form.form },
                  { onSuccess: () => notify('done', t('learned.forgotten', { name: form.name })), onError },
                )
              }
            />
          ))}
        </ul>
      )}
      {isAsking && (
        <Confirm
          title={t('learned.forgetAllTitle')}
          confirm={t('learned.forget')}
          danger
          onConfirm={() => forget.mutate({ form: null }, { onError })}
          onClose={() => setAsking(false)}
        >
          <p>{t('learned.forgetAllText')}</p>
        </Confirm>
      )}
    </section>
  )
}

function FormItem({ form, onForget }: { form: LearnedForm; onForget: () => void }): ReactNode {
  const { t, formats } = useLanguage()
  const { name, schemaName, documents, newestDocumentId, learnedAt } = form
  return (
    <li className="rows__item">
      <div className="rows__line">
        <Icon name="document" />
        <div className="rows__words">
          <strong className="ellipsis" title={name}>
            {name}
          </strong>
          <small className="ellipsis">
            {t('learned.from', {
              schema: schemaName,
              count: documents,
              shown: formats.count(documents),
              time: formats.dateTime(learnedAt),
            })}
          </small>
        </div>
        {newestDocumentId !== null && (
          <a
            className="button button--quiet"
            href={hrefOf({ screen: 'document', id: newestDocumentId })}
            aria-label={`${t('learned.open')}: ${name}`}
          >
            <span className="button__text">{t('learned.open')}</span>
          </a>
        )}
        <Button variant="quiet" ariaLabel={`${t('learned.forget')}: ${name}`} onPress={onForget}>
          {t('learned.forget')}
        </Button>
      </div>
    </li>
  )
}
