import { AppError, isErrorCode } from '../../../shared/domain/errors.ts'
import { controlCalls } from '../../../shared/wire/service-control.ts'
import type { ControlCallName, ControlInput, ControlOutput, ServiceFile } from '../../../shared/wire/service-control.ts'
import { HttpClient, isSuccess, jsonBody } from './http.ts'
import { isRecord } from '../../../shared/domain/json.ts'

/** Copying a thousand documents takes its time. */
const controlTimeoutMs = 10 * 60_000

/**
 * One call to the management of the service on this computer (shared/wire/service-control.ts). Throws the error that it
 * answered, or `service_not_started` when nobody answers, or somebody else.
 */
export async function callService<N extends ControlCallName>(
  control: ServiceFile['control'],
  name: N,
  input: ControlInput<N>,
): Promise<ControlOutput<N>> {
  const answer = await exchange(control, { name, input })
  if (!isRecord(answer)) throw new AppError('service_not_started', { detail: 'something else answers in its place' })
  if (answer['ok'] === true) {
    const output = controlCalls[name].output.safeParse(answer['value'])
    if (output.success) return output.data as ControlOutput<N>
    throw new AppError('internal', { detail: `the service answered ${name} in another shape` })
  }
  const { code, details, retryAfterMs } = isRecord(answer['error']) ? answer['error'] : {}
  if (typeof code !== 'string' || !isErrorCode(code))
    throw new AppError('service_not_started', { detail: 'it answers without a reason' })
  throw new AppError(
    code,
    isRecord(details) ? (details as AppError['details']) : {},
    typeof retryAfterMs === 'number' ? { retryAfterMs } : {},
  )
}

async function exchange(control: ServiceFile['control'], body: unknown): Promise<unknown> {
  const http = new HttpClient()
  try {
    const answer = await http.send({
      method: 'POST',
      url: control.url,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${control.key}` },
      body: jsonBody(body),
      timeoutMs: controlTimeoutMs,
    })
    // The key belongs to an earlier run of the service: not the caller's mistake.
    if (answer.status === 401 || (!isSuccess(answer.status) && answer.body.length === 0))
      throw new AppError('service_not_started', { detail: `status ${answer.status}` })
    return JSON.parse(answer.body.toString('utf8'))
  } catch (error) {
    if (error instanceof AppError && error.code === 'service_not_started') throw error
    throw new AppError(
      'service_not_started',
      { detail: error instanceof AppError ? error.code : 'it does not answer in JSON' },
      { cause: error },
    )
  } finally {
    await http.close()
  }
}
