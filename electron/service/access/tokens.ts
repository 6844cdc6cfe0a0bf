import { errors, jwtVerify, SignJWT } from 'jose'
import type { OrganizationRow } from '../../../shared/wire/service-control.ts'
import type { AccessTable } from './access-table.ts'
import { requireAdministrator, requireApiAccess } from './admission.ts'
import { HttpError } from '../http/http-error.ts'

/** Who a valid token speaks for: one client of an active administrator's account in an organization. */
export type Caller = { clientId: string; accountId: string; organization: OrganizationRow }

/** The spec gives no unit for `expires_in`; this service means seconds, as OAuth 2.0 does. */
export const tokenLifetimeSeconds = 3600

const issuer = 'sheaf-service'

/** Signs and checks access tokens (spec, «Authentication»). HS256 is the only algorithm it knows. */
export class Tokens {
  readonly #access: AccessTable
  readonly #key: Uint8Array

  constructor(access: AccessTable, key: Uint8Array) {
    this.#access = access
    this.#key = key
  }

  issue(clientId: string): Promise<string> {
    return new SignJWT()
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setIssuer(issuer)
      .setSubject(clientId)
      .setIssuedAt()
      .setExpirationTime(`${tokenLifetimeSeconds}s`)
      .sign(this.#key)
  }

  /**
   * Who the token speaks for, by what is stored now and not when it was issued. Throws `HttpError`: 401 `invalid_token`
   * for a missing, foreign, changed or expired token or a removed client, 403 `access_denied` for an account or
   * organization that may not use the API.
   */
  async check(token: string | undefined): Promise<Caller> {
    if (!token) throw invalidToken('The token is missing.')
    let clientId: string | undefined
    try {
      const { payload } = await jwtVerify(token, this.#key, {
        algorithms: ['HS256'],
        issuer,
        requiredClaims: ['sub', 'exp'],
      })
      clientId = payload.sub
    } catch (error) {
      throw invalidToken(
        error instanceof errors.JWTExpired ? 'The token has expired.' : 'The token was not issued by this service.',
      )
    }
    const membership = clientId ? this.#access.membership(clientId) : null
    if (membership === null) throw invalidToken('The client of the token no longer exists.')
    requireAdministrator(membership)
    requireApiAccess(membership)
    return { clientId: membership.clientId, accountId: membership.account.id, organization: membership.organization }
  }
}

function invalidToken(detail: string): HttpError {
  return new HttpError(401, 'invalid_token', 'The token is missing or not valid.', detail)
}
