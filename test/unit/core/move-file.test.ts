import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { link, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { diskAccess } from '../../../electron/core/files/file-access.ts'
import { moveFile } from '../../../electron/core/files/move-file.ts'
import type { FileAccess } from '../../../electron/core/files/file-access.ts'
import { temporaryDir } from '../../helpers/core.ts'

function places() {
  const { path, remove } = temporaryDir()
  onTestFinished(remove)
  const [from, to, temporary] = ['a.pdf', 'done.pdf', '.move.tmp'].map((name) => join(path, name)) as [
    string,
    string,
    string,
  ]
  writeFileSync(from, 'first')
  const isIt = async (place: string): Promise<boolean> => readFileSync(place, 'utf8') === 'first'
  const replace = async (): Promise<void> => {
    await writeFile(join(path, 'new'), 'second')
    await rename(join(path, 'new'), from)
  }
  return { from, to, replace, move: (files: FileAccess = diskAccess) => moveFile(files, { from, to, temporary, isIt }) }
}

describe('a file whose place was taken by another version', () => {
  it('before the move begins is not moved', async () => {
    const { from, to, replace, move } = places()
    await replace()
    expect(await move()).toBe('gone')
    expect([readFileSync(from, 'utf8'), existsSync(to)]).toEqual(['second', false])
  })

  it('after an earlier time came as far as both places has been moved', async () => {
    const { from, to, replace, move } = places()
    await link(from, to)
    await replace()
    expect(await move()).toBe('moved')
    expect([readFileSync(from, 'utf8'), readFileSync(to, 'utf8')]).toEqual(['second', 'first'])
  })

  it('by writing into it while it lay at both places is at its old place only', async () => {
    const { from, to, move } = places()
    await link(from, to)
    await writeFile(from, 'second')
    expect(await move()).toBe('gone')
    expect([readFileSync(from, 'utf8'), existsSync(to)]).toEqual(['second', false])
  })

  it('while a copy was broken off leaves no empty file behind', async () => {
    const { from, to, replace, move } = places()
    await writeFile(to, '')
    await replace()
    expect(await move()).toBe('gone')
    expect([readFileSync(from, 'utf8'), existsSync(to)]).toEqual(['second', false])
  })

  for (const links of [true, false]) {
    it(`between the look and the ${links ? 'link' : 'copy'} stays there`, async () => {
      const { from, to, replace, move } = places()
      const files: FileAccess = {
        ...diskAccess,
        link: async (...given) => {
          if (!links) throw Object.assign(new Error('no links'), { code: 'EPERM' })
          await replace()
          return diskAccess.link(...given)
        },
        copyFile: async (...given) => {
          await replace()
          return diskAccess.copyFile(...given)
        },
      }
      expect(await move(files)).toBe('gone')
      expect([readFileSync(from, 'utf8'), existsSync(to)]).toEqual(['second', false])
    })
  }

  it('is no reason against one that is as it was', async () => {
    const { from, to, move } = places()
    const { ino } = statSync(from)
    expect(await move()).toBe('moved')
    expect([existsSync(from), statSync(to).ino]).toEqual([false, ino])
  })
})
