import { needs } from './target.ts'
import type { Case } from './case.ts'
import { asynchronousCases } from './cases/asynchronous.ts'
import { authenticationCases } from './cases/authentication.ts'
import { chatCases } from './cases/chat.ts'
import { documentalistCases } from './cases/documentalist.ts'
import { envelopeCases } from './cases/envelope.ts'
import { extractionRequestCases } from './cases/extraction-request.ts'
import { extractorCases } from './cases/extractor.ts'
import { modelCases } from './cases/models.ts'
import { proxyErrorCases } from './cases/proxy-errors.ts'
import { proxyLimitCases } from './cases/proxy-limits.ts'
import { serviceCases } from './cases/service.ts'
import { streamCases } from './cases/stream.ts'
import { tokenCases } from './cases/token.ts'
import { versioningCases } from './cases/versioning.ts'
import { missing } from './target.ts'
import type { Target } from './target.ts'

/** The chapters of the interface, in its order. */
const chapters = [
  'What the service does',
  'Resources',
  'States and transitions',
  'Endpoints',
  'Authentication',
  'Events',
  'Errors',
  'Limits',
  'Versioning',
]
const chapterOf = (section: string): number => chapters.indexOf(section.split(' › ')[0]!)

/** Every testable sentence of the interface, in its order. */
export const cases: Case[] = [
  ...serviceCases,
  ...tokenCases,
  ...documentalistCases,
  ...extractionRequestCases,
  ...extractorCases,
  ...modelCases,
  ...chatCases,
  ...asynchronousCases,
  ...streamCases,
  ...authenticationCases,
  ...proxyErrorCases,
  ...envelopeCases,
  ...proxyLimitCases,
  ...versioningCases,
].sort((a, b) => chapterOf(a.section) - chapterOf(b.section))

export type Outcome = { result: 'passed' } | { result: 'failed'; why: string } | { result: 'not asked'; why: string }
export type Asked = { one: Case; outcome: Outcome }

/** For one case, with the wait for the rate limit of a foreign platform in it. */
const limitMs = 180_000

/** Asks one case. Never rejects. */
export async function ask(one: Case, target: Target, hasHooks: boolean): Promise<Outcome> {
  const need = missing(target, hasHooks, one.needs ?? [])
  if (need !== null) return { result: 'not asked', why: needs[need] }
  let timer: NodeJS.Timeout | undefined
  try {
    if (one.needs?.includes('model') || one.needs?.includes('agents')) await target.own?.reset()
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no end within ${limitMs / 1000} s`)), limitMs)
    })
    await Promise.race([one.run(target), late])
    return { result: 'passed' }
  } catch (error) {
    return { result: 'failed', why: error instanceof Error ? withCause(error) : String(error) }
  } finally {
    clearTimeout(timer)
    // Cases that leave no model behind must not be the trouble of the next one.
    if (one.needs?.some((need) => need === 'model' || need === 'agents' || need === 'choice')) await target.own?.reset()
  }
}

function withCause(error: Error): string {
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message
}
