import { expect } from 'vitest'
import type { Document, Token } from '../../../shared/domain/document.ts'
import { AppError } from '../../../shared/domain/errors.ts'
import type { ErrorCode } from '../../../shared/domain/errors.ts'
import type { Recognise } from '../../../electron/reading/read.ts'

/** For files in which nothing may be recognised. */
export const noRecognition: Recognise = () => Promise.reject(new Error('recognition was asked for'))

export function textsOf(document: Document, page = 0): string[] {
  return document.pages[page]?.tokens.map((token) => token.text) ?? []
}

export function tokenNamed(document: Document, text: string, page = 0): Token {
  const token = document.pages[page]?.tokens.find((candidate) => candidate.text === text)
  if (token === undefined) throw new Error(`no token «${text}» among ${textsOf(document, page).join(' ')}`)
  return token
}

export async function expectCode(reading: Promise<unknown>, code: ErrorCode): Promise<void> {
  const error: unknown = await reading.then(
    () => 'no error',
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(AppError)
  expect((error as AppError).code).toBe(code)
}
