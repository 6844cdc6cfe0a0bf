import { describe, expect, it } from 'vitest'
import { learnedFlags } from '../../shared/domain/learned.ts'
import type { LearnedValue } from '../../shared/domain/learned.ts'

const pointer = '/0/seller'
const learned = (given: Partial<LearnedValue>): LearnedValue => ({
  pointer,
  kind: 'replaced',
  extracted: 'Lindenhof',
  value: 'Isarwerk',
  documents: 2,
  isCorrected: false,
  place: null,
  at: 0,
  ...given,
})
const records = [{ seller: 'Isarwerk' }]
const none = new Set<string>()

describe('a value that was learned', () => {
  it('is flagged where the service was sure of another one, however many documents taught it', () => {
    expect(learnedFlags([learned({ documents: 9 })], records, none)).toEqual([
      { code: 'unsure', pointer, value: 'Isarwerk' },
    ])
  })

  it('is not flagged from the second document on where the service found nothing, doubted what it found, or was corrected before', () => {
    expect(learnedFlags([learned({ extracted: null })], records, none)).toEqual([])
    expect(learnedFlags([learned({})], records, new Set([pointer]))).toEqual([])
    expect(learnedFlags([learned({ isCorrected: true })], records, none)).toEqual([])
    expect(learnedFlags([learned({ documents: 1 })], records, new Set([pointer]))).toEqual([
      { code: 'learned_once', pointer, value: 'Isarwerk' },
    ])
  })

  it('is not flagged where a person put something else', () => {
    expect(learnedFlags([learned({})], [{ seller: 'Hartmann' }], none)).toEqual([])
  })
})
