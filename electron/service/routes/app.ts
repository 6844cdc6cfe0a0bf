import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import type { AccessTable } from '../access/access-table.ts'
import { compatRoutes } from '../compat/routes.ts'
import type { CompatOptions } from '../compat/routes.ts'
import { documentalistRoutes } from './documentalist.ts'
import type { DocumentalistRouteOptions } from './documentalist.ts'
import { extractorRoutes } from './extractor.ts'
import type { ExtractorRouteOptions } from './extractor.ts'
import { tokenRoute } from './token.ts'
import { HttpError, toHttpError } from '../http/http-error.ts'
import { onlyOwnHost } from '../http/own-host.ts'
import { sendError } from '../http/send-error.ts'

const pathsByMethod: { pattern: RegExp; allow: string }[] = [
  { pattern: /^\/v2\/token$/, allow: 'GET' },
  { pattern: /^\/v2\/extractor(\/[^/]+){0,1}$/, allow: 'POST' },
  { pattern: /^\/v2\/extractor\/async\/[^/]+$/, allow: 'POST' },
  { pattern: /^\/v2\/(documentalist|writer)(\/[^/]+)?$/, allow: 'POST' },
]

type AppOptions = ExtractorRouteOptions & DocumentalistRouteOptions & CompatOptions & { access: AccessTable }

/** Every route of the service; whatever is refused leaves in the envelope of spec, «Errors». */
export function createApp(options: AppOptions): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>()
  app.use(onlyOwnHost)
  app.route('/', tokenRoute(options.access, options.tokens))
  app.route('/', extractorRoutes(options))
  app.route('/', documentalistRoutes(options))
  app.route('/', compatRoutes(options))
  const answerWith = (env: HttpBindings, error: HttpError): Promise<Response> => sendError(env, error, error.envelope)
  app.notFound((c) => answerWith(c.env, unknownRoute(c.req.path, c.req.method)))
  app.onError((error, c) => answerWith(c.env, toHttpError(error)))
  return app
}

function unknownRoute(path: string, method: string): HttpError {
  const known = pathsByMethod.find(({ pattern }) => pattern.test(path))
  if (!known) return new HttpError(404, 'not_found', 'There is nothing at this path.')
  return new HttpError(405, 'method_not_allowed', `${method} is not possible here.`, `Use ${known.allow}.`, {
    allow: known.allow,
  })
}
