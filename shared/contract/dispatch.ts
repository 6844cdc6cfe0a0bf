import type { z } from 'zod'
import { AppError, toAppError } from '../domain/errors.ts'
import type { ErrorCode, ErrorDetails } from '../domain/errors.ts'

/** A table of calls by name, each with the shape of what it takes and gives. */
type CallTable = Record<string, { input: z.ZodType; output: z.ZodType }>

/** One function for each call of a table, on parsed input. */
export type HandlersOf<T extends CallTable> = { [N in keyof T]: (input: z.output<T[N]['input']>) => Promise<unknown> }

/** What crosses a wire: nothing throws across it. */
export type Answer =
  | { ok: true; value: unknown }
  | { ok: false; error: { code: ErrorCode; details: ErrorDetails; retryAfterMs?: number | undefined } }

/** Looks a call up in its table, checks its input, runs it. Never throws: a failure is an answer. */
export async function dispatch<T extends CallTable>(
  table: T,
  handlers: HandlersOf<T>,
  name: unknown,
  input: unknown,
): Promise<Answer> {
  try {
    if (typeof name !== 'string' || !Object.hasOwn(table, name))
      throw new AppError('invalid_input', { problem: 'there is no such call' })
    const parsed = table[name]!.input.safeParse(input ?? {})
    if (!parsed.success) {
      const issue = parsed.error.issues[0]
      throw new AppError('invalid_input', { problem: `${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim() })
    }
    const handler = handlers[name] as (input: unknown) => Promise<unknown>
    return { ok: true, value: await handler(parsed.data) }
  } catch (error) {
    const { code, details, retryAfterMs } = toAppError(error)
    return { ok: false, error: { code, details, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) } }
  }
}
