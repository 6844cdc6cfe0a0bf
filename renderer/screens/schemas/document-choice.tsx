import { useState } from 'react'
import type { ReactNode } from 'react'
import { CheckboxGroup, Checkbox } from 'react-aria-components'
import { mostTried } from '../../../shared/contract-schemas.ts'
import type { JobRow } from '../../../shared/contract-jobs.ts'
import { useCall } from '../../client/queries.ts'
import { Button, CheckMark, TextField } from '../../components/controls.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Icon } from '../../components/icon.tsx'
import { StateBadge } from '../../components/state-badge.tsx'
import { useLanguage } from '../../messages/language.tsx'

const mostListed = 50

type Props = { schemaId: number; jobs: JobRow[]; onChange: (jobs: JobRow[]) => void }

/** The documents that are tried, and the way to others. */
export function DocumentChoice({ schemaId, jobs, onChange }: Props): ReactNode {
  const { t } = useLanguage()
  const [choosing, setChoosing] = useState(false)
  return (
    <div className="try-it__documents">
      <ul className="chips" aria-label={t('try.documents')}>
        {jobs.map(({ id, name }) => (
          <li key={id} className="chip" title={name}>
            <Icon name="document" size={11} />
            <bdi className="ellipsis">{name}</bdi>
          </li>
        ))}
      </ul>
      <Button onPress={() => setChoosing(true)}>{t('try.choose')}</Button>
      {choosing && <ChoiceDialog schemaId={schemaId} jobs={jobs} onChoose={onChange} onClose={() => setChoosing(false)} />}
    </div>
  )
}

function ChoiceDialog({ schemaId, jobs, onChoose, onClose }: { schemaId: number; jobs: JobRow[]; onChoose: (jobs: JobRow[]) => void; onClose: () => void }): ReactNode {
  const { t, formats } = useLanguage()
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState(jobs)
  const found = useCall('jobs.list', { schemaId, search, limit: mostListed }, { keepPrevious: true }).data?.rows ?? []
  // What was chosen stays in sight, whatever is searched for.
  const listed = [...chosen, ...found.filter(({ id }) => !chosen.some((job) => job.id === id))]
  const isFull = chosen.length >= mostTried
  return (
    <Dialog
      title={t('try.chooseTitle', { shown: formats.count(mostTried) })}
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
        onChange={(keys) => setChosen(listed.filter(({ id }) => keys.includes(String(id))).slice(0, mostTried))}
      >
        {listed.map((job) => (
          <Checkbox key={job.id} className="checkbox document-choice__row" value={String(job.id)} isDisabled={isFull && !chosen.some(({ id }) => id === job.id)}>
            <CheckMark />
            <span className="document-choice__words">
              <bdi className="ellipsis" title={job.path}>
                {job.name}
              </bdi>
              {job.folderName !== null && <small className="hint ellipsis">{job.folderName}</small>}
            </span>
            <StateBadge job={job} />
          </Checkbox>
        ))}
      </CheckboxGroup>
      {listed.length === 0 && <p className="hint">{t('try.notFound')}</p>}
      {isFull && <p className="hint">{t('try.full', { shown: formats.count(mostTried) })}</p>}
    </Dialog>
  )
}
