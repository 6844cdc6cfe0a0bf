import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Mailbox, MailboxOptions } from '../../electron/mailbox/server.ts'
import { temporaryDir, until } from '../helpers/core.ts'
import { openSealed, pairBox, raw, startTestMailbox } from '../helpers/mailbox.ts'
import type { RawAnswer, TestBox } from '../helpers/mailbox.ts'

const day = 24 * 60 * 60_000

let dir: ReturnType<typeof temporaryDir>
let mailbox: Mailbox
let box: TestBox
let lines: string[]
let elapsedMs: number
let nowMs: number

const start = (options: Partial<MailboxOptions> = {}): Promise<Mailbox> =>
  startTestMailbox(dir.path, {
    log: (line) => void lines.push(line),
    now: () => nowMs,
    elapsedMs: () => elapsedMs,
    ...options,
  })
const send = (token: string): Promise<RawAnswer> =>
  raw(`${mailbox.url}/in/${box.id}/${token}`, { method: 'POST', body: '{"status":"success"}' })

async function restart(options: Partial<MailboxOptions> = {}): Promise<void> {
  await mailbox.close()
  mailbox = await start({ port: Number(new URL(mailbox.url).port), ...options })
}

beforeEach(async () => {
  dir = temporaryDir()
  lines = []
  elapsedMs = 0
  nowMs = Date.now()
  mailbox = await start()
  box = await pairBox(mailbox.url, dir.path)
})
afterEach(async () => {
  await mailbox.close()
  dir.remove()
})

describe('time', () => {
  it('deletes what waited for 30 days of service, across restarts', async () => {
    await send('old')
    elapsedMs += 20 * day
    await restart()
    await send('young')
    elapsedMs += 9 * day
    await restart()
    expect(await box.messages('?release=1')).toHaveLength(2)
    elapsedMs += 2 * day
    await restart()
    expect(
      (await box.messages()).map(({ sealed }) => openSealed(Buffer.from(sealed!, 'base64url'), box).head['token']),
    ).toEqual(['young'])
    expect(lines).toContain('Deleted 1 callbacks that no desktop fetched in time.')
  })

  it('is counted once on a disk that has no room for what gives room back, and what has expired is said all the same', async () => {
    await send('a')
    await restart({ limits: { patrolMs: 5 } })
    const pragma = vi.spyOn(Sqlite.prototype, 'pragma').mockImplementation((source) => {
      throw new Sqlite.SqliteError(`database or disk is full (${source})`, 'SQLITE_FULL')
    })
    const patrols = (): number =>
      lines.filter((line) => line.startsWith('The disk of the mailbox gives trouble')).length
    try {
      for (let days = 1; days < 30; days++) {
        const before = patrols()
        elapsedMs += day
        await until(() => patrols() > before + 1, 'two patrols in vain')
      }
      expect(await box.messages('?release=1')).toHaveLength(1)
      elapsedMs += day
      await until(
        () => lines.includes('Deleted 1 callbacks that no desktop fetched in time.'),
        'the word of what has expired',
      )
      expect(await box.messages('?release=1')).toEqual([])
    } finally {
      pragma.mockRestore()
    }
  })

  it('that jumps by a year deletes nothing', async () => {
    await send('a')
    nowMs += 366 * day
    await restart()
    nowMs -= 2 * 366 * day
    await restart()
    expect(await box.messages()).toHaveLength(1)
  })
})
