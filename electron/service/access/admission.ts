import { HttpError } from '../http/http-error.ts'
import type { AccessTable, Membership } from './access-table.ts'

/**
 * The client that shows these credentials, for `GET /v2/token`. Throws 401 `invalid_credentials`, the same for an
 * unknown client and a wrong secret, and 403 `access_denied` by the rule of `requireAdministrator`.
 */
export function admitClient(access: AccessTable, clientId: string, clientSecret: string): Membership {
  const membership = access.secretMatches(clientId, clientSecret) ? access.membership(clientId) : null
  if (membership === null)
    throw new HttpError(401, 'invalid_credentials', 'The client id or the client secret is not right.')
  requireAdministrator(membership)
  return membership
}

/**
 * spec, «What the service does»: every API user needs an active account and administrator status in the organization.
 * Throws 403.
 */
export function requireAdministrator({ account }: Membership): void {
  if (!account.active) throw denied('The account of this client is not active.')
  if (!account.administrator) throw denied('The account of this client is not an administrator of its organization.')
}

/**
 * spec, Authentication 6: API access disabled for the organization, or an organization without a subscription. Throws
 * 403.
 */
export function requireApiAccess({ organization }: Membership): void {
  if (!organization.apiEnabled) throw denied('API access is disabled for this organization.')
  if (!organization.subscribed) throw denied('This organization has no subscription.')
}

function denied(detail: string): HttpError {
  return new HttpError(403, 'access_denied', 'Access is denied.', detail)
}
