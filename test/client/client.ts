import { onTestFinished } from 'vitest'
import { toAppError } from '../../shared/domain/errors.ts'
import type { AppError } from '../../shared/domain/errors.ts'
import { Documentalist } from '../../electron/core/platform/documentalist.ts'
import { HttpClient } from '../../electron/core/platform/http.ts'
import { Models } from '../../electron/core/platform/models.ts'
import { TokenSource } from '../../electron/core/platform/token.ts'
import type { Credentials } from '../../electron/core/platform/token.ts'
import { startVendor, vendorCredentials } from '../helpers/vendor.ts'
import type { Vendor, VendorOptions } from '../helpers/vendor.ts'

/** The client at a vendor that answers as told, until the test ends. */
export async function clientOf(options: VendorOptions): Promise<{
  vendor: Vendor
  http: HttpClient
  tokens: TokenSource
  documentalist: Documentalist
  models: Models
  credentials: Credentials
}> {
  const vendor = await startVendor(undefined, options)
  const http = new HttpClient()
  onTestFinished(vendor.close)
  onTestFinished(() => http.close())
  const credentials = { baseUrl: vendor.baseUrl, ...vendorCredentials }
  const tokens = new TokenSource(http, credentials)
  return {
    vendor,
    http,
    tokens,
    credentials,
    documentalist: new Documentalist(http, tokens),
    models: new Models(http, tokens),
  }
}

export async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of stream) all.push(item)
  return all
}

/** The text that came and the error that ended it. Throws when there was none. */
export async function failureOf(stream: AsyncIterable<string>): Promise<{ text: string; error: AppError }> {
  let text = ''
  try {
    for await (const piece of stream) text += piece
  } catch (error) {
    return { text, error: toAppError(error) }
  }
  throw new Error(`came to its end: ${text}`)
}

/** The error of a call. Throws when there was none. */
export async function errorOf(call: Promise<unknown>): Promise<AppError> {
  return call.then(
    () => Promise.reject(new Error('came to its end')),
    (error: unknown) => toAppError(error),
  )
}
