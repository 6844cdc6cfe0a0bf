import { describe, expect, it } from 'vitest'
import { normaliseBaseAddress } from '../../electron/core/platform/base-address.ts'
import { openSession } from '../../electron/terminal/session.ts'
import { toAppError } from '../../shared/domain/errors.ts'
import { sentenceFor } from '../../shared/messages/sentences.ts'

describe('the address of a platform', () => {
  it.each([
    ['https://api.example.com', 'https://api.example.com'],
    ['api.example.com', 'https://api.example.com'],
    ['  api.example.com/ \n', 'https://api.example.com'],
    ['HTTPS://API.Example.COM', 'https://api.example.com'],
    ['https://api.example.com:443/', 'https://api.example.com'],
    ['https://api.example.com:8443', 'https://api.example.com:8443'],
    ['api.example.com:8443', 'https://api.example.com:8443'],
    ['http://api.example.com', 'http://api.example.com'],
    ['https://api.example.com///', 'https://api.example.com'],
    ['https://api.example.com/compat', 'https://api.example.com'],
    ['https://api.example.com/compat/', 'https://api.example.com'],
    ['https://api.example.com/compat/v1', 'https://api.example.com'],
    ['https://api.example.com/compat/v1/', 'https://api.example.com'],
    ['https://api.example.com/COMPAT/V1', 'https://api.example.com'],
    ['https://api.example.com/compat/v1/chat/completions', 'https://api.example.com'],
    ['https://api.example.com/compat/chat/completions', 'https://api.example.com'],
    ['https://api.example.com/compat/v1/models', 'https://api.example.com'],
    ['https://api.example.com/compat/v1/models/svc-large', 'https://api.example.com'],
    ['https://api.example.com/v2', 'https://api.example.com'],
    ['https://api.example.com/v2/token?client_id=a&client_secret=b', 'https://api.example.com'],
    ['https://api.example.com/v2/extractor', 'https://api.example.com'],
    ['https://api.example.com/v2/extractor/async/inv-1', 'https://api.example.com'],
    ['https://api.example.com/v2/documentalist/manuals', 'https://api.example.com'],
    ['https://api.example.com/#docs', 'https://api.example.com'],
    ['https://example.com/platform', 'https://example.com/platform'],
    ['https://example.com/platform/compat/v1', 'https://example.com/platform'],
    ['https://example.com/platform/v2/token', 'https://example.com/platform'],
    ['https://example.com/compatible', 'https://example.com/compatible'],
    ['https://example.com/v20', 'https://example.com/v20'],
    ['localhost:8080', 'http://localhost:8080'],
    ['localhost/compat/v1', 'http://localhost'],
    ['127.0.0.1:4000', 'http://127.0.0.1:4000'],
    ['[::1]:4000', 'http://[::1]:4000'],
    ['192.168.1.5:4000', 'http://192.168.1.5:4000'],
    ['10.1.2.3', 'http://10.1.2.3'],
    ['172.20.0.1:80', 'http://172.20.0.1'],
    ['https://localhost:8080', 'https://localhost:8080'],
    ['203.0.113.7:8080', 'https://203.0.113.7:8080'],
    ['intranet-server:8080', 'https://intranet-server:8080'],
    ['bücher.example', 'https://xn--bcher-kva.example'],
  ])('%j is used as %s', (typed, used) => {
    expect(normaliseBaseAddress(typed)).toBe(used)
  })

  it.each([
    '',
    '   ',
    'not an address',
    'https://',
    'https:// example.com',
    'ftp://example.com',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'mailto:a@example.com',
    '//example.com',
    '/compat/v1',
    'https://exa mple.com',
    'https://..',
    'https://user:secret@example.com',
    'user:secret@example.com',
    'user@example.com',
    'https://example.com:99999',
    'https:\\\\example.com',
    'C:\\Sheaf',
  ])('%j is none', (typed) => {
    expect(() => normaliseBaseAddress(typed)).toThrow(expect.objectContaining({ code: 'address_invalid' }))
  })

  it.each([
    'https://user:hunter2@example.com/x',
    'user:hunter2@example.com',
    'ftp://example.com/?client_secret=hunter2',
    'https://exa mple.com#hunter2',
  ])('never comes back with what is secret in %j', (typed) => {
    try {
      normaliseBaseAddress(typed)
      expect.unreachable()
    } catch (thrown) {
      const error = toAppError(thrown)
      expect(sentenceFor(error.code, error.details, 'en')).toContain('exa')
      expect(`${error.message} ${sentenceFor(error.code, error.details, 'en')}`).not.toContain('hunter2')
    }
  })

  it('does not change when it is used again', () => {
    const once = normaliseBaseAddress('example.com/platform/compat/v1/')
    expect(normaliseBaseAddress(once)).toBe(once)
  })

  it('is checked in the environment of a command before anything starts', async () => {
    const environment = {
      SHEAF_BASE_URL: 'ftp://me:hunter2@example.com/?key=hunter2',
      SHEAF_CLIENT_ID: 'a',
      SHEAF_CLIENT_SECRET: 'b',
      SHEAF_DATA_DIR: '/nowhere',
    }
    await expect(openSession(environment, { concurrency: undefined, resume: false })).rejects.toMatchObject({
      code: 'usage',
      details: { problem: 'SHEAF_BASE_URL is not an http or https address: ftp://example.com/' },
    })
  })
})
