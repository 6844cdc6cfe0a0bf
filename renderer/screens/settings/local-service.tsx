import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import type { AppState, Settings } from '../../../shared/contract/contract.ts'
import { readingLanguages } from '../../../shared/domain/reading-languages.ts'
import type { ReadingLanguage } from '../../../shared/domain/reading-languages.ts'
import { storeSettings, useCall } from '../../client/queries.ts'
import { Checkbox, Switch } from '../../components/controls.tsx'
import { Confirm } from '../../components/dialog.tsx'
import { notify } from '../../components/notices.tsx'
import { Callout } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'
import type { MessageId } from '../../messages/language.tsx'

const languageLabels: Record<ReadingLanguage, MessageId> = {
  deu: 'ocr.deu',
  fra: 'ocr.fra',
  eng: 'ocr.eng',
  spa: 'ocr.spa',
}

/** This computer's service: whether it runs, and in which languages it reads pictures and scans. */
export function LocalServicePanel({ state }: { state: AppState }): ReactNode {
  const { t, formats, errorSentence } = useLanguage()
  const queryClient = useQueryClient()
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (part: Partial<Settings>) => storeSettings(queryClient, part),
    onError: (error) => notify('problem', errorSentence(error)),
  })
  const folders = useCall('folders.list', {}).data?.folders ?? []
  const [asking, setAsking] = useState(false)
  // What was just chosen counts before core has said so: the next box is checked on top of it.
  const settings: Settings = { ...state.settings, ...(isPending ? variables : {}) }
  // Two boxes may be pressed before the first one is drawn; the second one counts on top of it all the same.
  const latest = useRef(settings)
  latest.current = settings
  const local = state.connections.find(({ kind }) => kind === 'local')?.id
  const open = folders
    .filter(({ connectionId }) => connectionId === local)
    .reduce((sum, folder) => sum + folder.open, 0)
  const counted = { count: open, shown: formats.count(open) }

  function change(part: Partial<Settings>): void {
    latest.current = { ...latest.current, ...part }
    mutate(part)
  }
  function chooseLanguage(language: ReadingLanguage, isChosen: boolean): void {
    const others = latest.current.readingLanguages.filter((other) => other !== language)
    // Without a language nothing can be read.
    if (isChosen || others.length > 0) change({ readingLanguages: isChosen ? [...others, language] : others })
  }
  return (
    <section className="panel" aria-label={t('service.title')}>
      <h2>{t('service.title')}</h2>
      <Switch
        isSelected={settings.localService}
        onChange={(on) => (!on && open > 0 ? setAsking(true) : change({ localService: on }))}
        hint={t('service.hint')}
      >
        {t('service.switch')}
      </Switch>
      {!settings.localService && <Callout kind="flag">{t('service.waits', counted)}</Callout>}
      <Languages chosen={settings.readingLanguages} onChange={chooseLanguage} />
      {asking && (
        <Confirm
          title={t('service.offTitle')}
          confirm={t('service.offConfirm')}
          onConfirm={() => change({ localService: false })}
          onClose={() => setAsking(false)}
        >
          <p>{t('service.offText', counted)}</p>
        </Confirm>
      )}
    </section>
  )
}

function Languages({
  chosen,
  onChange,
}: {
  chosen: ReadingLanguage[]
  onChange: (language: ReadingLanguage, isChosen: boolean) => void
}): ReactNode {
  const { t } = useLanguage()
  const [title, hint] = [useId(), useId()]
  return (
    <div role="group" aria-labelledby={title} aria-describedby={hint} className="form__choice">
      <span id={title} className="label">
        {t('ocr.title')}
      </span>
      <div className="form__row">
        {readingLanguages.map((language) => {
          const isChosen = chosen.includes(language)
          return (
            <Checkbox
              key={language}
              isSelected={isChosen}
              isDisabled={isChosen && chosen.length === 1}
              onChange={(on) => onChange(language, on)}
            >
              {t(languageLabels[language])}
            </Checkbox>
          )
        })}
      </div>
      <small id={hint} className="hint">
        {t('ocr.hint')}
      </small>
    </div>
  )
}
