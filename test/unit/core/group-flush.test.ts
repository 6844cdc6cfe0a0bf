import { copyFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { GroupFlush } from '../../../electron/core/db/durability/group-flush.ts'
import { Journal } from '../../../electron/core/db/durability/journal.ts'
import { temporaryDir } from '../../helpers/core.ts'

let dir: ReturnType<typeof temporaryDir>
let journal: Journal
const path = (): string => join(dir.path, 'journal.db')
beforeEach(() => {
  dir = temporaryDir()
  journal = new Journal(path(), false)
})
afterEach(() => {
  journal.close()
  dir.remove()
})

/** The references of the entries that a power cut leaves where only the file itself reached the disk. */
function referencesInFile(): string[] {
  const copy = join(dir.path, 'copy.db')
  copyFileSync(path(), copy)
  const left = new Journal(copy, false)
  try {
    return [...left.entries()].map((entry) => ('reference' in entry ? entry.reference.toString() : entry.kind))
  } finally {
    left.close()
  }
}

it('all that wait in one turn share a flush, and what comes while it runs has the next', async () => {
  const running: (() => void)[] = []
  const flush = new GroupFlush(`${path()}-wal`, () => new Promise((resolve) => running.push(resolve)))
  const over: string[] = []
  const wait = (name: string): void => void flush.flushed().then(() => over.push(name))
  wait('one')
  wait('two')
  await vi.waitUntil(() => running.length === 1)
  wait('three')
  running[0]!()
  await vi.waitUntil(() => running.length === 2)
  expect(over).toEqual(['one', 'two'])
  running[1]!()
  await vi.waitUntil(() => over.length === 3)
  expect(running).toHaveLength(2)
  flush.close()
})

it('what a failed flush left in doubt is written into the file itself', async () => {
  journal.attempt(Buffer.from('one'), '{}', '[]')
  renameSync(`${path()}-wal`, join(dir.path, 'away'))
  expect(referencesInFile()).toEqual([])
  await journal.flushed()
  expect(referencesInFile()).toEqual(['one'])
})
