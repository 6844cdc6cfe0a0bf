import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import type { AccessTable } from './access/access-table.ts'
import { compatRoutes } from './compat/routes.ts'
import type { CompatOptions } from './compat/routes.ts'
import { documentalistRoutes } from './routes/documentalist.ts'
import type { DocumentalistRouteOptions } from './routes/documentalist.ts'
import { extractorRoutes } from './routes/extractor.ts'
import type { ExtractorRouteOptions } from './routes/extractor.ts'
import { tokenRoute } from './routes/token.ts'
import { Refusal, toRefusal } from './failure.ts'
import { answerRefusal } from './unread-body.ts'

const pathsByMethod: { pattern: RegExp; allow: string }[] = [
  { pattern: /^\/v2\/token$/, allow: 'GET' },
  { pattern: /^\/v2\/extractor(\/[^/]+){0,1}$/, allow: 'POST' },
  { pattern: /^\/v2\/extractor\/async\/[^/]+$/, allow: 'POST' },
  { pattern: /^\/v2\/(documentalist|writer)(\/[^/]+)?$/, allow: 'POST' },
]

export type AppOptions = ExtractorRouteOptions & DocumentalistRouteOptions & CompatOptions & { access: AccessTable }

/** Every route of the service; whatever is refused leaves in the envelope of spec, «Errors». */
export function createApp(options: AppOptions): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>()
  app.route('/', tokenRoute(options.access, options.tokens))
  app.route('/', extractorRoutes(options))
  app.route('/', documentalistRoutes(options))
  app.route('/', compatRoutes(options))
  const refuse = (env: HttpBindings, refusal: Refusal): Promise<Response> => answerRefusal(env, refusal, refusal.envelope)
  app.notFound((c) => refuse(c.env, unknownRoute(c.req.path, c.req.method)))
  app.onError((error, c) => refuse(c.env, toRefusal(error)))
  return app
}

function unknownRoute(path: string, method: string): Refusal {
  const known = pathsByMethod.find(({ pattern }) => pattern.test(path))
  if (!known) return new Refusal(404, 'not_found', 'There is nothing at this path.')
  return new Refusal(405, 'method_not_allowed', `${method} is not possible here.`, `Use ${known.allow}.`, { allow: known.allow })
}
