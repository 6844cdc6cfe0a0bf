import { describe, expect, it } from 'vitest'
import { isComplete } from '../../../renderer/components/connection-fields.tsx'
import type { ConnectionDraft } from '../../../renderer/components/connection-fields.tsx'

const stored: ConnectionDraft = {
  id: 3,
  name: 'Office',
  baseUrl: 'https://api.example.com',
  clientId: 'c',
  clientSecret: '',
  secretFor: 'https://api.example.com',
}

describe('a connection as it is typed', () => {
  it.each(['https://api.example.com', ' https://API.example.com:443/compat/v1 ', 'https://api.example.com/area'])(
    'keeps the stored secret at %s',
    (baseUrl) => {
      expect(isComplete({ ...stored, baseUrl })).toBe(true)
    },
  )

  it.each(['https://api.example.org', 'http://api.example.com', 'https://api.example.com:8443'])(
    'needs its secret again at %s',
    (baseUrl) => {
      expect(isComplete({ ...stored, baseUrl })).toBe(false)
      expect(isComplete({ ...stored, baseUrl, clientSecret: 's' })).toBe(true)
    },
  )

  it('needs a secret when none is stored, and an address in any case', () => {
    expect(isComplete({ ...stored, id: null, secretFor: null })).toBe(false)
    expect(isComplete({ ...stored, id: null, secretFor: null, clientSecret: 's' })).toBe(true)
    expect(isComplete({ ...stored, baseUrl: 'https://', clientSecret: 's' })).toBe(false)
  })
})
