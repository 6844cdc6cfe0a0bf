import type { ReactNode } from 'react'
import type { Policies, PolicyName } from '../../shared/domain/policies.ts'
import { useCall } from '../client/queries.ts'
import { useLanguage } from '../messages/language.tsx'
import type { MessageId, Translate } from '../messages/language.tsx'
import type { Formats } from '../messages/formats.ts'
import { Icon } from './icon.tsx'

/** What an administrator has set; nothing before the state of the app is there. */
export function usePolicies(): Policies {
  return useCall('app.state', {}).data?.policies.values ?? {}
}

/** Beside a control: that a policy sets or narrows it, and to what; nothing where none does. */
export function SetByAdministrator({ policy }: { policy: PolicyName }): ReactNode {
  const { t, formats } = useLanguage()
  const value = usePolicies()[policy]
  if (value === undefined) return null
  return (
    <p className="hint prescribed">
      <Icon name="lock" size={12} />
      <span>{t(messageFor(policy, value), { policy, value: policyText(value, t, formats) })}</span>
    </p>
  )
}

type Value = NonNullable<Policies[PolicyName]>

function messageFor(policy: PolicyName, value: Value): MessageId {
  if (policy.startsWith('Maximum')) return 'policies.most'
  // Which routes are left stands above it.
  if (!Array.isArray(value) || policy === 'AllowedCallbackRoutes') return 'policies.set'
  if (value.length > 0) return 'policies.only'
  return policy === 'AllowedPlatformHosts' ? 'policies.onlyHere' : 'policies.none'
}

/** The value of a policy in words. Pure. */
export function policyText(value: Value, t: Translate, formats: Formats): string {
  if (Array.isArray(value)) return value.length === 0 ? t('policies.nothing') : formats.list(value)
  if (typeof value === 'boolean') return t(value ? 'policies.on' : 'policies.off')
  return typeof value === 'number' ? formats.count(value) : value
}
