import { describe, expect, it } from 'vitest'
import { noticeBetween, taskbarProgress } from '../../../electron/desktop/activity.ts'
import type { Activity } from '../../../electron/desktop/activity.ts'
import { shellWords } from '../../../electron/desktop/shell-words.ts'

const idle: Activity = { progress: null, isPaused: false, isStorageTrouble: false, stopped: [], attention: 0 }
const working: Activity = { ...idle, progress: { settled: 1200, total: 4000 } }

describe('what is told as a notification', () => {
  it('is the end of a batch, with how many documents need a look', () => {
    const notice = noticeBetween(working, { ...idle, attention: 3 })
    expect(notice).toEqual({ kind: 'done', documents: 4000, attention: 3 })
    expect(shellWords.de.notice(notice!)).toEqual({
      title: 'Sheaf ist fertig',
      body: '4.000 Dokumente sind gelesen. 3 brauchen einen Blick.',
    })
  })

  it('is a connection that stopped, by its name, once', () => {
    const stopped = { ...working, stopped: ['Platform $& #1'] }
    const notice = noticeBetween(working, stopped)
    expect(shellWords.en.notice(notice!).title).toBe('Platform $& #1 is stopped')
    expect(noticeBetween(stopped, stopped)).toBeNull()
  })

  it('is that nothing can be stored, before anything else', () => {
    expect(noticeBetween(working, { ...idle, stopped: ['Platform'], isStorageTrouble: true })).toEqual({
      kind: 'storage',
    })
  })

  it('is not that a batch begins, goes on or is paused', () => {
    expect(noticeBetween(idle, working)).toBeNull()
    expect(noticeBetween(working, { ...working, isPaused: true })).toBeNull()
  })
})

describe('what the tray says', () => {
  it.each([
    [idle, 'Waiting for documents'],
    [working, '1,200 of 4,000 documents'],
    [{ ...working, isPaused: true }, 'Paused'],
    [{ ...working, isPaused: true, stopped: [null] }, 'This computer is stopped'],
    [{ ...working, stopped: ['Platform'], isStorageTrouble: true }, 'Nothing can be stored'],
  ])('is the most important of what is going on', (activity, line) => {
    expect(shellWords.en.status(activity)).toBe(line)
  })

  it('counts in the words of each language', () => {
    expect(shellWords.en.attention(1)).toBe('1 needs a look.')
    expect(shellWords.de.attention(1200)).toBe('1.200 brauchen einen Blick.')
    expect(shellWords.fr.attention(0)).toBe('0 à vérifier.')
  })
})

describe('the taskbar', () => {
  it('shows the share of the batch, and whether it goes on', () => {
    expect(taskbarProgress(idle)).toBeNull()
    expect(taskbarProgress(working)).toEqual({ share: 0.3, mode: 'normal' })
    expect(taskbarProgress({ ...working, isPaused: true })).toMatchObject({ mode: 'paused' })
    expect(taskbarProgress({ ...working, stopped: [null] })).toMatchObject({ mode: 'error' })
  })
})
