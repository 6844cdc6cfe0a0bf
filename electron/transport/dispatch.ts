import type { z } from 'zod'
import { calls } from '../../shared/contract.ts'
import type { Answer, CallName, Calls } from '../../shared/contract.ts'
import { AppError, toAppError } from '../../shared/errors.ts'

/** One function for each call, on parsed input. */
export type CallHandlers = { [N in CallName]: (input: z.output<Calls[N]['input']>) => Promise<unknown> }

/** Looks the call up, checks its input, runs it. Never throws: a failure is an answer. */
export async function dispatch(handlers: CallHandlers, name: unknown, input: unknown): Promise<Answer> {
  try {
    if (typeof name !== 'string' || !Object.hasOwn(calls, name)) throw new AppError('invalid_input', { problem: 'there is no such call' })
    const parsed = calls[name as CallName].input.safeParse(input ?? {})
    if (!parsed.success) {
      const issue = parsed.error.issues[0]
      throw new AppError('invalid_input', { problem: `${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim() })
    }
    const handler = handlers[name as CallName] as (input: unknown) => Promise<unknown>
    return { ok: true, value: await handler(parsed.data) }
  } catch (error) {
    const { code, details, retryAfterMs } = toAppError(error)
    return { ok: false, error: { code, details, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) } }
  }
}
