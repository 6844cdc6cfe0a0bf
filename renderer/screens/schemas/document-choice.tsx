import { useState } from 'react'
import type { ReactNode } from 'react'
import { CheckboxGroup, Checkbox } from 'react-aria-components'
import { maxTried } from '../../../shared/contract/schemas.ts'
import type { DocumentRow } from '../../../shared/contract/documents.ts'
import { useCall } from '../../client/queries.ts'
import { Button, CheckMark, TextField } from '../../components/controls.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Icon } from '../../components/icon.tsx'
import { StateBadge } from '../../components/state-badge.tsx'
import { useLanguage } from '../../messages/language.tsx'

const maxListed = 50

type Props = { schemaId: number; documents: DocumentRow[]; onChange: (documents: DocumentRow[]) => void }

/** The documents that are tried, and the way to others. */
export function DocumentChoice({ schemaId, documents, onChange }: Props): ReactNode {
  const { t } = useLanguage()
  const [choosing, setChoosing] = useState(false)
  return (
    <div className="try-it__documents">
      <ul className="chips" aria-label={t('try.documents')}>
        {documents.map(({ id, name }) => (
          <li key={id} className="chip" title={name}>
            <Icon name="document" size={11} />
            <bdi className="ellipsis">{name}</bdi>
          </li>
        ))}
      </ul>
      <Button onPress={() => setChoosing(true)}>{t('try.choose')}</Button>
      {choosing && (
        <ChoiceDialog
          schemaId={schemaId}
          documents={documents}
          onChoose={onChange}
          onClose={() => setChoosing(false)}
        />
      )}
    </div>
  )
}

function ChoiceDialog({
  schemaId,
  documents,
  onChoose,
  onClose,
}: {
  schemaId: number
  documents: DocumentRow[]
  onChoose: (documents: DocumentRow[]) => void
  onClose: () => void
}): ReactNode {
  const { t, formats } = useLanguage()
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState(documents)
  const found =
    useCall('documents.list', { schemaId, search, limit: maxListed }, { keepPrevious: true }).data?.rows ?? []
  // What was chosen stays in sight, whatever is searched for.
  const listed = [...chosen, ...found.filter(({ id }) => !chosen.some((document) => document.id === id))]
  const isFull = chosen.length >= maxTried
  return (
    <Dialog
      title={t('try.chooseTitle', { shown: formats.count(maxTried) })}
      width="wide"
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t('action.cancel')}</Button>
          <Button
            variant="primary"
            isDisabled={chosen.length === 0}
            onPress={() => {
              onChoose(chosen)
              onClose()
            }}
          >
            {t('try.chosen', { count: chosen.length, shown: formats.count(chosen.length) })}
          </Button>
        </>
      }
    >
      <TextField label={t('try.search')} value={search} onChange={setSearch} autoFocus />
      <CheckboxGroup
        className="document-choice"
        aria-label={t('try.documents')}
        value={chosen.map(({ id }) => String(id))}
        onChange={(keys) => setChosen(listed.filter(({ id }) => keys.includes(String(id))).slice(0, maxTried))}
      >
        {listed.map((document) => (
          <Checkbox
            key={document.id}
            className="checkbox document-choice__row"
            value={String(document.id)}
            isDisabled={isFull && !chosen.some(({ id }) => id === document.id)}
          >
            <CheckMark />
            <span className="document-choice__words">
              <bdi className="ellipsis" title={document.path}>
                {document.name}
              </bdi>
              {document.folderName !== null && <small className="hint ellipsis">{document.folderName}</small>}
            </span>
            <StateBadge document={document} />
          </Checkbox>
        ))}
      </CheckboxGroup>
      {listed.length === 0 && <p className="hint">{t('try.notFound')}</p>}
      {isFull && <p className="hint">{t('try.full', { shown: formats.count(maxTried) })}</p>}
    </Dialog>
  )
}
