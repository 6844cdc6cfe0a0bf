import { useState } from 'react'
import type { ReactNode } from 'react'
import { maxChangedDocuments } from '../../../shared/contract/reextraction.ts'
import type { Offer } from '../../../shared/contract/lessons.ts'
import { call } from '../../client/client.ts'
import { useAction, useCall } from '../../client/queries.ts'
import { Button } from '../../components/controls.tsx'
import { ChangedDocument, ChangedDocuments, ValueChange, useValueText } from '../../components/changed-documents.tsx'
import { Dialog, isPopupOpen } from '../../components/dialog.tsx'
import { notify } from '../../components/notices.tsx'
import { Callout } from '../../components/page.tsx'
import { useWindowKeys } from '../../components/use-window-keys.ts'
import { useLanguage } from '../../messages/language.tsx'
import { labelOf } from '../../messages/values.ts'

/** Says that what was just learned would change documents that wait, shows how, and does it by one key. */
export function LearnedOffers(): ReactNode {
  const { t, formats, errorSentence } = useLanguage()
  const documents = useCall('lessons.offers', {}).data?.documents ?? []
  const apply = useAction('lessons.applyOffers')
  const [isShown, setShown] = useState(false)
  const onError = (error: unknown): void => notify('problem', errorSentence(error))
  const amount = (count: number): { count: number; shown: string } => ({ count, shown: formats.count(count) })
  function takeBack(): void {
    void call('lessons.takeBackOffers', {}).then(
      ({ changed }) => notify('done', t('offers.takenBack', amount(changed))),
      onError,
    )
  }
  function run(): void {
    setShown(false)
    apply.mutate(
      {},
      {
        onSuccess: ({ changed }) =>
          notify('done', t('offers.applied', amount(changed)), { label: t('check.undo'), run: takeBack }),
        onError,
      },
    )
  }
  const canRun = documents.length > 0 && !apply.isPending
  useWindowKeys((event) => {
    if (event.key !== 'F9' || !canRun || isPopupOpen()) return
    event.preventDefault()
    run()
  })
  if (documents.length === 0) return null
  return (
    <div className="offers">
      <Callout
        kind="info"
        action={
          <>
            <Button variant="quiet" onPress={() => setShown(true)}>
              {t('offers.show')}
            </Button>
            <Button onPress={run} isDisabled={!canRun} keys="F9">
              {t('offers.apply')}
            </Button>
          </>
        }
      >
        {t('offers.text', amount(documents.length))}
      </Callout>
      {isShown && (
        <Dialog
          title={t('offers.title')}
          width="wide"
          onClose={() => setShown(false)}
          actions={
            <>
              <Button onPress={() => setShown(false)}>{t('action.close')}</Button>
              <Button variant="primary" onPress={run} isDisabled={!canRun}>
                {t('offers.apply')}
              </Button>
            </>
          }
        >
          <ChangedDocuments label={t('offers.title')} count={documents.length}>
            {documents.slice(0, maxChangedDocuments).map((offer) => (
              <OfferItem key={offer.documentId} offer={offer} />
            ))}
          </ChangedDocuments>
        </Dialog>
      )}
    </div>
  )
}

function OfferItem({ offer: { name, changes } }: { offer: Offer }): ReactNode {
  const { t } = useLanguage()
  const text = useValueText()
  return (
    <ChangedDocument name={name}>
      {changes.map(({ field, from, to, isFlag }, index) => (
        <ValueChange
          key={index}
          label={field === '' ? t('offers.document') : labelOf(field)}
          from={isFlag || from === null ? null : text(field, from)}
          to={isFlag ? t('offers.flagged', { value: text(field, to) }) : <ins>{text(field, to)}</ins>}
        />
      ))}
    </ChangedDocument>
  )
}
