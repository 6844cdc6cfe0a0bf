import { useId } from 'react'
import type { ReactNode } from 'react'
import { Button as AriaButton, Disclosure, DisclosurePanel, Heading } from 'react-aria-components'
import { cutChoices } from '../../../shared/domain/sorting.ts'
import type { CutChoice } from '../../../shared/domain/sorting.ts'
import { Checkbox, Select } from '../../components/controls.tsx'
import { Icon } from '../../components/icon.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { cutLabels, sortingFacts } from './labels.ts'
import type { FolderForm } from './use-folder-form.ts'

/**
 * Several kinds of documents in one folder, and several in one file: closed where a folder has neither, since most have
 * one kind, each in a file of its own.
 */
export function KindsPart({ form }: { form: FolderForm }): ReactNode {
  const { t } = useLanguage()
  const { values, change, schemas, templates, schemaId } = form
  const label = useId()
  const isUsual = values.template === null
  const others = schemas.filter(({ id }) => !isUsual || id !== schemaId)
  const possible = templates.filter(({ key }) => key !== values.template)
  const chosen = [
    ...others.filter(({ id }) => values.otherSchemaIds.includes(id)),
    ...possible.filter(({ key }) => values.otherTemplates.includes(key)),
  ]
  const facts = sortingFacts(
    chosen.map(({ name }) => name),
    values.cuts,
    t,
  )
  function choose(id: number, isOn: boolean): void {
    const without = values.otherSchemaIds.filter((other) => other !== id)
    change({ otherSchemaIds: isOn ? [...without, id] : without })
  }
  function chooseTemplate(key: string, isOn: boolean): void {
    const without = values.otherTemplates.filter((other) => other !== key)
    change({ otherTemplates: isOn ? [...without, key] : without })
  }
  return (
    <Disclosure className="kinds" defaultExpanded={facts.length > 0}>
      {({ isExpanded }) => (
        <>
          <Heading className="kinds__head">
            <AriaButton slot="trigger" className="kinds__button">
              <Icon name={isExpanded ? 'chevron' : 'right'} size={12} />
              <span className="kinds__title">{t('kinds.title')}</span>
              {!isExpanded && (
                <span className="hint ellipsis">{facts.length > 0 ? facts.join(' · ') : t('kinds.closedHint')}</span>
              )}
            </AriaButton>
          </Heading>
          <DisclosurePanel className="kinds__panel">
            <div className="kinds__others" role="group" aria-labelledby={label}>
              <span id={label} className="label">
                {t('kinds.others')}
              </span>
              <div className="kinds__list">
                {others.map(({ id, name }) => (
                  <Checkbox
                    key={id}
                    isSelected={values.otherSchemaIds.includes(id)}
                    onChange={(isOn) => choose(id, isOn)}
                  >
                    {name}
                  </Checkbox>
                ))}
                {possible.map(({ key, name }) => (
                  <Checkbox
                    key={key}
                    isSelected={values.otherTemplates.includes(key)}
                    onChange={(isOn) => chooseTemplate(key, isOn)}
                  >
                    {t('folders.fromTemplate', { name })}
                  </Checkbox>
                ))}
              </div>
              <p className="hint">{t('kinds.othersHint')}</p>
            </div>
            <Select<CutChoice>
              label={t('kinds.cuts')}
              value={values.cuts}
              onChange={(cuts) => change({ cuts })}
              choices={cutChoices.map((key) => ({ key, label: t(cutLabels[key].label) }))}
              hint={t(cutLabels[values.cuts].detail)}
            />
          </DisclosurePanel>
        </>
      )}
    </Disclosure>
  )
}
