import { Hono } from 'hono'
import { secretMatches } from '../credentials.ts'
import type { ServiceDatabase } from '../database.ts'
import { invalidRequest, Refusal } from '../failure.ts'
import { tokenLifetimeSeconds } from '../tokens.ts'
import type { Tokens } from '../tokens.ts'

/** spec, «GET /v2/token» and «Token response». */
export function tokenRoute(db: ServiceDatabase, tokens: Tokens): Hono {
  const route = new Hono()
  route.get('/v2/token', async (c) => {
    const clientId = c.req.query('client_id')
    const clientSecret = c.req.query('client_secret')
    if (!clientId) throw invalidRequest('The query parameter client_id is missing.')
    if (!clientSecret) throw invalidRequest('The query parameter client_secret is missing.')
    if (!secretMatches(db, clientId, clientSecret)) {
      throw new Refusal(401, 'invalid_credentials', 'The client id or the client secret is not right.')
    }
    c.header('cache-control', 'no-store')
    return c.json({ access_token: await tokens.issue(clientId), token_type: 'x-api-key', expires_in: String(tokenLifetimeSeconds) })
  })
  return route
}
