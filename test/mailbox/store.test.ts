import { describe, expect, it } from 'vitest'
import { openMailboxDatabase } from '../../electron/mailbox/database.ts'
import { MailboxStore } from '../../electron/mailbox/store.ts'
import { temporaryDir } from '../helpers/core.ts'

describe('the boxes of a mailbox', () => {
  it('have names that a command takes for no option of its own', () => {
    const dir = temporaryDir()
    const db = openMailboxDatabase(dir.path)
    try {
      const store = new MailboxStore(db)
      const values = { publicKey: Buffer.alloc(32), accessKeyHash: Buffer.alloc(32), name: 'Front desk' }
      // One in 64 names began with a hyphen.
      const ids = store.transaction(() => Array.from({ length: 1000 }, () => store.pair(store.addCode(0), values, 0)))
      expect(ids.filter((id) => !/^\w[\w-]{21}$/.test(id ?? ''))).toEqual([])
    } finally {
      db.close()
      dir.remove()
    }
  })
})
