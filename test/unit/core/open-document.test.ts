import { execFileSync } from 'node:child_process'
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { diskAccess } from '../../../electron/core/files/file-access.ts'
import type { FileAccess } from '../../../electron/core/files/file-access.ts'
import { openDocument } from '../../../electron/core/files/open-document.ts'
import { temporaryDir, until } from '../../helpers/core.ts'

/** A file of three pieces, and how many of the handles that were opened are closed again. */
function watchedFile() {
  const { path: dir, remove } = temporaryDir()
  onTestFinished(remove)
  const path = join(dir, 'a.pdf')
  const bytes = Buffer.alloc(1_300_000, 'content of a document ')
  writeFileSync(path, bytes)
  const seen = { opened: 0, closed: 0, reads: 0 }
  const open = (async (...given: Parameters<FileAccess['open']>) => {
    const handle = await diskAccess.open(...given)
    seen.opened += 1
    const { read, close } = handle
    handle.read = ((...what: Parameters<typeof read>) => ((seen.reads += 1), read.apply(handle, what))) as typeof read
    handle.close = () => close.apply(handle).then(() => void (seen.closed += 1))
    return handle
  }) as FileAccess['open']
  return { dir, path, bytes, seen, files: { stat: diskAccess.stat, open } }
}

describe('a document that is opened to be shown', () => {
  it('comes whole and in pieces, and its file is closed', async () => {
    const { path, bytes, seen, files } = watchedFile()
    const opened = await openDocument(files, path)
    expect(opened!.sizeBytes).toBe(bytes.length)
    expect((await buffer(opened!.content)).equals(bytes)).toBe(true)
    await until(() => seen.closed === 1, 'the file to be closed', 5000)
    expect(seen).toEqual({ opened: 1, closed: 1, reads: 3 })
  })

  it('is closed when nobody wants it any more, read or not', async () => {
    const { path, seen, files } = watchedFile()
    const untouched = await openDocument(files, path)
    untouched!.content.destroy()
    const begun = await openDocument(files, path)
    for await (const _piece of begun!.content) break
    await until(() => seen.closed === 2, 'both to be closed', 5000)
    expect(seen.reads).toBeLessThan(4)
  })

  it('breaks off where it became shorter, so that half of it is never taken for the whole', async () => {
    const { path, seen, files } = watchedFile()
    const opened = await openDocument(files, path)
    truncateSync(path, 600_000)
    await expect(buffer(opened!.content)).rejects.toThrow('shorter')
    await until(() => seen.closed === 1, 'the file to be closed', 5000)
  })

  it('is none where a directory or a pipe lies, neither of which is opened', async () => {
    const { dir, seen, files } = watchedFile()
    mkdirSync(join(dir, 'b.pdf'))
    execFileSync('mkfifo', [join(dir, 'c.pdf')])
    for (const name of ['b.pdf', 'c.pdf']) expect(await openDocument(files, join(dir, name))).toBeNull()
    await expect(openDocument(files, join(dir, 'd.pdf'))).rejects.toMatchObject({ code: 'ENOENT' })
    expect(seen.opened).toBe(0)
  })
})
