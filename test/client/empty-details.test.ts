import { describe, expect, it } from 'vitest'
import { errorPolicies } from '../../shared/domain/errors.ts'
import type { ErrorCode, ErrorDetails } from '../../shared/domain/errors.ts'
import { fillIn } from '../../shared/messages/fill-in.ts'
import { questionSentenceFor } from '../../shared/messages/question-sentences.ts'
import { locales, sentenceFor } from '../../shared/messages/sentences.ts'
import { trialSentenceFor } from '../../shared/messages/trial-sentences.ts'

const codes = Object.keys(errorPolicies) as ErrorCode[]
/** Every detail that a sentence asks for is this. */
const all = (value: string | undefined): ErrorDetails => new Proxy({}, { get: () => value })

describe('a sentence of which a detail is not known', () => {
  it.each(locales)('has no empty parentheses in %s', (locale) => {
    for (const code of codes) {
      for (const sentenceOf of [sentenceFor, questionSentenceFor, trialSentenceFor]) {
        for (const value of ['', ' ', undefined]) {
          const sentence = sentenceOf(code, all(value), locale)
          expect(sentence, code).not.toMatch(/\(\W*\)|\([^)]*…|[ (][,.]|\s{2}|\{|\}/)
        }
        expect(sentenceOf(code, all('known'), locale)).not.toMatch(/…/)
      }
    }
  })

  it('keeps parentheses that are known, and those that belong to a detail', () => {
    expect(fillIn('It failed ({detail}). Read “{file}”.', { detail: 'EIO', file: 'a ().pdf' })).toBe(
      'It failed (EIO). Read “a ().pdf”.',
    )
    expect(fillIn('It failed ({detail}). Read “{file}”.', { file: 'a ({b}).pdf' })).toBe(
      'It failed. Read “a ({b}).pdf”.',
    )
    expect(fillIn('Look there (Settings).', {})).toBe('Look there (Settings).')
  })
})
