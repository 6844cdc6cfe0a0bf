import type { ReactNode } from 'react'
import { policyNames } from '../../../shared/domain/policies.ts'
import type { PolicyProblem, PolicySet } from '../../../shared/domain/policies.ts'
import { Callout } from '../../components/page.tsx'
import { policyText } from '../../components/set-by-administrator.tsx'
import { useLanguage } from '../../messages/language.tsx'
import type { MessageId } from '../../messages/language.tsx'

const problemLabels: Record<PolicyProblem['problem'], MessageId> = {
  unknown: 'policies.unknown',
  ignored: 'policies.ignored',
  narrowed: 'policies.narrowed',
}

/** What an administrator has set, where, and what of that was not understood; nothing where nothing is set. */
export function PoliciesPanel({ policies: { values, sources, problems } }: { policies: PolicySet }): ReactNode {
  const { t, formats } = useLanguage()
  const inForce = policyNames.flatMap((name) => {
    const value = values[name]
    return value === undefined ? [] : [{ name, text: policyText(value, t, formats), where: sources[name] }]
  })
  if (inForce.length === 0 && problems.length === 0) return null
  return (
    <section className="panel" aria-label={t('policies.title')}>
      <div>
        <h2>{t('policies.title')}</h2>
        <p className="hint">{t('policies.text')}</p>
      </div>
      <dl className="facts facts--wide">
        {inForce.map(({ name, text, where }) => (
          <div key={name}>
            <dt>
              {name} <span className="selectable">({where})</span>
            </dt>
            <dd className="selectable">{text}</dd>
          </div>
        ))}
      </dl>
      {problems.map(({ name, where, problem }) => (
        <Callout key={`${name} ${where}`} kind="flag">
          {t(problemLabels[problem], { name, where })}
        </Callout>
      ))}
    </section>
  )
}
