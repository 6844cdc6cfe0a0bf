import { errors, jwtVerify, SignJWT } from 'jose'
import { clientExists } from './credentials.ts'
import type { ServiceDatabase } from './database.ts'
import { Refusal } from './failure.ts'

/** The spec gives no unit for `expires_in`; this service means seconds, as OAuth 2.0 does. */
export const tokenLifetimeSeconds = 3600

const issuer = 'sheaf-service'

/** Signs and checks access tokens (spec, «Authentication»). HS256 is the only algorithm it knows. */
export class Tokens {
  readonly #db: ServiceDatabase
  readonly #key: Uint8Array

  constructor(db: ServiceDatabase, key: Uint8Array) {
    this.#db = db
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

  /** Throws `invalid_token` (401) for a missing, foreign, changed or expired token. */
  async check(token: string | undefined): Promise<void> {
    if (!token) throw invalidToken('The header x-api-key is missing.')
    let clientId: string | undefined
    try {
      const { payload } = await jwtVerify(token, this.#key, { algorithms: ['HS256'], issuer, requiredClaims: ['sub', 'exp'] })
      clientId = payload.sub
    } catch (error) {
      throw invalidToken(error instanceof errors.JWTExpired ? 'The token has expired.' : 'The token was not issued by this service.')
    }
    if (!clientId || !clientExists(this.#db, clientId)) throw invalidToken('The client of the token no longer exists.')
  }
}

function invalidToken(detail: string): Refusal {
  return new Refusal(401, 'invalid_token', 'The token is missing or not valid.', detail)
}
