import { describe, expect, it } from 'vitest'
import { alternativeKey } from '../../../renderer/screens/review/alternatives.tsx'
import { withAlternative } from '../../../renderer/screens/review/pointer.ts'

const none = { code: 'Digit1', altKey: false, ctrlKey: false, metaKey: false, shiftKey: false }

describe('the key of another value', () => {
  it('is Alt and its digit, and Control where Alt types letters', () => {
    expect(alternativeKey({ ...none, altKey: true }, 'windows')).toBe(0)
    expect(alternativeKey({ ...none, altKey: true, code: 'Digit3' }, 'linux')).toBe(2)
    expect(alternativeKey({ ...none, ctrlKey: true, code: 'Digit2' }, 'macos')).toBe(1)
    expect(alternativeKey({ ...none, altKey: true }, 'macos')).toBeNull()
  })

  it('is nothing that types a letter or does something else', () => {
    for (const held of [{}, { ctrlKey: true }, { altKey: true, ctrlKey: true }, { altKey: true, shiftKey: true }])
      expect(alternativeKey({ ...none, ...held }, 'windows')).toBeNull()
    expect(alternativeKey({ ...none, altKey: true, code: 'Digit4' }, 'windows')).toBeNull()
    expect(alternativeKey({ ...none, altKey: true, code: 'Numpad1' }, 'windows')).toBeNull()
  })
})

describe('another value that is looked at', () => {
  const box = { x: 0, y: 0, width: 1, height: 1 }
  const sources = [{ pointer: '/0/Total', page: 1, box, text: '12' }]

  it('is the strong mark, named by its field, beside all others', () => {
    const active = { pointer: '/0/Total', from: 'value', other: { value: 7, page: 2, box, text: '7.00' } } as const
    expect(withAlternative(sources, active, false)).toEqual({
      sources: [...sources, { pointer: 'other:/0/Total', page: 2, box, text: '7.00' }],
      active: { pointer: 'other:/0/Total', from: 'value' },
    })
    expect(withAlternative(sources, active, true).sources[0]!.page).toBe(2)
  })

  it('changes nothing while none is', () => {
    const active = { pointer: '/0/Total', from: 'value' } as const
    const shown = withAlternative(sources, active, false)
    expect(shown.sources).toBe(sources)
    expect(shown.active).toBe(active)
  })
})
