import { describe, expect, it } from 'vitest'
import { attemptNumbers, isAnswered } from '../../../renderer/screens/review/attempts.tsx'
import { isNarrowed, momentsOf } from '../../../renderer/screens/documents/view.ts'
import { callbackRouteHint } from '../../../renderer/screens/folders/callback-route-hint.ts'
import { addressChanged, addressInput, portFrom } from '../../../renderer/screens/settings/callbacks.tsx'
import { hostOf } from '../../../renderer/screens/settings/mailbox.tsx'
import type { CallbackState } from '../../../shared/contract/callbacks.ts'

const saved: CallbackState = {
  route: 'address',
  address: 'https://in.example.com',
  network: false,
  port: 4180,
  mailbox: null,
  testedAt: null,
  testing: false,
  problem: null,
  overdue: 0,
  awaited: 0,
}
const typed = { address: 'https://in.example.com', port: '4180', network: false }

describe('the public address for callbacks', () => {
  it.each([
    ['', null],
    [' 443 ', 443],
    ['65535', 65_535],
    ['0', undefined],
    ['65536', undefined],
    ['80.5', undefined],
    ['-1', undefined],
    ['web', undefined],
  ])('takes the port «%s» as %s', (text, port) => {
    expect(portFrom(text)).toBe(port)
  })

  it('is complete with an address of the web and a port or none', () => {
    expect(addressInput({ ...typed, address: ' https://in.example.com ', port: '' })).toEqual({
      route: 'address',
      address: 'https://in.example.com',
      network: false,
      port: null,
    })
    expect(addressInput({ ...typed, address: 'in.example.com' })).toBeNull()
    expect(addressInput({ ...typed, port: '99999' })).toBeNull()
  })

  it('is saved again only when something differs; an empty port keeps the one it has', () => {
    expect(addressChanged(typed, saved)).toBe(false)
    expect(addressChanged({ ...typed, port: '' }, saved)).toBe(false)
    expect(addressChanged({ ...typed, port: '4181' }, saved)).toBe(true)
    expect(addressChanged({ ...typed, network: true }, saved)).toBe(true)
    expect(addressChanged(typed, { ...saved, route: 'none' })).toBe(true)
  })
})

describe('a mailbox', () => {
  it('is named by its host, or by what was given when that is no address', () => {
    expect(hostOf('https://mail.example.com:8443/box?x=1')).toBe('mail.example.com:8443')
    expect(hostOf('mailbox')).toBe('mailbox')
  })
})

describe('the hint about callbacks in a folder', () => {
  const elsewhere = { kind: 'platform', baseUrl: 'https://api.example.com' } as const

  it('says what happens to which files as long as none would come back', () => {
    expect(callbackRouteHint('auto', elsewhere, 'none')).toEqual({
      kind: 'info',
      messages: ['callbackRoute.none', 'callbackRoute.largeSync'],
    })
    expect(callbackRouteHint('async', elsewhere, 'failed')).toEqual({
      kind: 'flag',
      messages: ['callbackRoute.failed', 'callbackRoute.filesWait'],
    })
    expect(callbackRouteHint('auto', elsewhere, 'untested')).toEqual({
      kind: 'info',
      messages: ['callbackRoute.untested'],
    })
  })

  it('is absent where nothing has to come back, where it was tested, and where the service is on this computer', () => {
    expect(callbackRouteHint('sync', elsewhere, 'none')).toBeNull()
    expect(callbackRouteHint('async', elsewhere, 'tested')).toBeNull()
    expect(callbackRouteHint('async', { kind: 'local', baseUrl: null }, 'none')).toBeNull()
    for (const host of ['127.0.0.1:8000', 'localhost', '[::1]:9'])
      expect(callbackRouteHint('async', { kind: 'platform', baseUrl: `http://${host}` }, 'none')).toBeNull()
    expect(
      callbackRouteHint('async', { kind: 'platform', baseUrl: 'http://localhost.example.com' }, 'none'),
    ).not.toBeNull()
  })
})

describe('the attempts of a document', () => {
  it('are counted from the oldest, in whatever order they come', () => {
    expect([...attemptNumbers([{ id: 9 }, { id: 4 }, { id: 7 }])]).toEqual([
      [4, 1],
      [7, 2],
      [9, 3],
    ])
  })

  it('leave something to read again once the service answered about the document', () => {
    expect(isAnswered({ attempts: [{ outcome: 'lost' }, { outcome: 'failed' }] })).toBe(true)
    expect(isAnswered({ attempts: [{ outcome: 'lost' }, { outcome: 'returned' }] })).toBe(false)
  })
})

describe('the list of documents', () => {
  it('leaves documents out under a search or a filter, not under blanks', () => {
    expect(isNarrowed({ search: '  ', folderId: null, schemaId: null, received: 'any' })).toBe(false)
    expect(isNarrowed({ search: 'a', folderId: null, schemaId: null, received: 'any' })).toBe(true)
    expect(isNarrowed({ search: '', folderId: null, schemaId: 3, received: 'any' })).toBe(true)
    expect(isNarrowed({ search: '', folderId: null, schemaId: null, received: 'today' })).toBe(true)
  })

  it('has days that begin and end at midnight of this computer, also when a clock is changed', () => {
    const at = (month: number, day: number): number => new Date(2026, month - 1, day).getTime()
    const noon = new Date(2026, 2, 30, 12, 30)
    expect(momentsOf('any', noon)).toEqual({ receivedFrom: null, receivedBefore: null })
    expect(momentsOf('today', noon)).toEqual({ receivedFrom: at(3, 30), receivedBefore: null })
    expect(momentsOf('yesterday', noon)).toEqual({ receivedFrom: at(3, 29), receivedBefore: at(3, 30) })
    expect(momentsOf('week', noon)).toEqual({ receivedFrom: at(3, 24), receivedBefore: null })
    expect(momentsOf('month', noon)).toEqual({ receivedFrom: at(3, 1), receivedBefore: null })
  })
})
