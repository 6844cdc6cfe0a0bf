import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import type { AccessTable } from '../access/access-table.ts'
import { admitClient } from '../access/admission.ts'
import { GuessDelay } from '../access/guess-delay.ts'
import { HttpError, invalidRequest } from '../http/http-error.ts'
import { tokenLifetimeSeconds } from '../access/tokens.ts'
import type { Tokens } from '../access/tokens.ts'

/** spec, «GET /v2/token» and «Token response». */
export function tokenRoute(access: AccessTable, tokens: Tokens): Hono<{ Bindings: HttpBindings }> {
  const route = new Hono<{ Bindings: HttpBindings }>()
  const guesses = new GuessDelay()
  route.get('/v2/token', async (c) => {
    const clientId = c.req.query('client_id')
    const clientSecret = c.req.query('client_secret')
    if (!clientId) throw invalidRequest('The query parameter client_id is missing.')
    if (!clientSecret) throw invalidRequest('The query parameter client_secret is missing.')
    await guesses.run(
      `${c.env.incoming.socket.remoteAddress} ${clientId}`,
      () => admitClient(access, clientId, clientSecret),
      (error) => error instanceof HttpError && error.status === 401,
    )
    c.header('cache-control', 'no-store')
    return c.json({
      access_token: await tokens.issue(clientId),
      token_type: 'x-api-key',
      expires_in: String(tokenLifetimeSeconds),
    })
  })
  return route
}
