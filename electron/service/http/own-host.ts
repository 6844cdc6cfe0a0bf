import type { HttpBindings } from '@hono/node-server'
import type { MiddlewareHandler } from 'hono'
import type { IncomingMessage } from 'node:http'
import { namedHost } from '../../system/named-host.ts'
import { ProxyError } from '../compat/proxy-error.ts'
import { invalidRequest } from './http-error.ts'
import { isProxyPath } from './malformed-request.ts'
import { sendError } from './send-error.ts'

const otherHost = 'The request names another host than this service on this computer.'
const ownNames = ['127.0.0.1', 'localhost', '[::1]']

/**
 * Lets only requests through that name this service as their host, by a name of this computer and its port: a page of
 * elsewhere reaches it by no other way than a name that leads here (DNS rebinding). Others get 400 (RFC 9112, 3.2).
 */
export const onlyOwnHost: MiddlewareHandler<{ Bindings: HttpBindings }> = async (c, next) => {
  if (namesThisService(c.env.incoming)) return next()
  if (!isProxyPath(c.req.path)) {
    const error = invalidRequest(otherHost)
    return sendError(c.env, error, error.envelope)
  }
  const error = new ProxyError('invalid_request', { message: otherHost })
  return sendError(c.env, error, error.body)
}

function namesThisService(incoming: IncomingMessage): boolean {
  const host = namedHost(incoming)
  const port = incoming.socket.localPort
  // RFC 9110, 4.2.1: of http the port 80 is left out.
  return ownNames.some((name) => host === `${name}:${port}` || (port === 80 && host === name))
}
