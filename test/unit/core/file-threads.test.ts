import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { diskAccess } from '../../../electron/core/files/file-access.ts'
import type { FileAccess } from '../../../electron/core/files/file-access.ts'
import { withTimeLimits } from '../../../electron/core/files/file-limits.ts'
import { withTextNames } from '../../../electron/core/files/file-names.ts'
import { FileThreads } from '../../../electron/core/files/file-threads.ts'
import { askAll } from '../../../electron/core/pipeline/files/file-tasks.ts'
import { filesBelow } from '../../../electron/core/pipeline/files/list-files.ts'
import { entryPath } from '../../../electron/entries.ts'
import { temporaryDir } from '../../helpers/core.ts'

function folder(): string {
  const { path, remove } = temporaryDir()
  onTestFinished(remove)
  return path
}

function threads(): FileThreads {
  const made = new FileThreads(entryPath('file-thread'))
  onTestFinished(() => made.close())
  return made
}

const plain = withTextNames(diskAccess)
const pdf = `%PDF-1.7\n${'x'.repeat(2000)}\n%%EOF\n`

describe('files that threads are asked of together', () => {
  it('are said to be what they are said to be one by one', async () => {
    const root = folder()
    mkdirSync(join(root, 'inner'))
    writeFileSync(join(root, 'whole.pdf'), pdf)
    writeFileSync(join(root, 'half.pdf'), pdf.slice(0, 1000))
    writeFileSync(join(root, 'empty.pdf'), '')
    writeFileSync(join(root, 'no-document.png'), 'text')
    // Names that are not UTF-8, and links that anybody may make, are there on Linux only.
    const isLinux = process.platform === 'linux'
    if (isLinux) {
      writeFileSync(Buffer.concat([Buffer.from(`${root}/caf`), Buffer.from([0xe9]), Buffer.from('.pdf')]), pdf)
      symlinkSync(join(root, 'whole.pdf'), join(root, 'link.pdf'))
    }
    const files: FileAccess = { ...plain, askBatch: threads().askBatch }

    const found = (await filesBelow(files, root, { recursive: true }))!
    expect(found.map(({ path, type }) => [path.slice(root.length + 1), type])).toEqual([
      ...(isLinux ? [['caf\ufffdE9.pdf', 'file']] : []),
      ['empty.pdf', 'file'],
      ['half.pdf', 'file'],
      ...(isLinux ? [['link.pdf', 'link']] : []),
      ['no-document.png', 'file'],
      ['whole.pdf', 'file'],
    ])
    expect(await filesBelow(plain, root, { recursive: true })).toEqual(found)
    const missing = { ...found[0]!, path: join(root, 'gone.pdf') }
    for (const task of ['stat', 'isComplete', 'identify'] as const) {
      const asked = [...found, missing]
      const answers = await askAll(files, task, asked)
      expect(answers).toHaveLength(asked.length)
      // What crossed from a thread has no class any more.
      expect(answers).toEqual(structuredClone(await askAll(plain, task, asked)))
    }
  })

  it('are more than one message answers', async () => {
    const root = folder()
    const paths = Array.from({ length: 450 }, (_, number) => join(root, `${number}.pdf`))
    for (const path of paths) writeFileSync(path, pdf)
    const files: FileAccess = { ...plain, askBatch: threads().askBatch }
    const answers = await askAll(
      files,
      'stat',
      paths.map((path) => ({ path })),
    )
    expect(answers.map((answer) => 'value' in answer && answer.value?.path)).toEqual(paths)
  })

  it('are looked at one by one where a thread cannot begin, or the threads are closed', async () => {
    const root = folder()
    writeFileSync(join(root, 'a.pdf'), pdf)
    const none = new FileThreads(join(root, 'no-such-entry.mjs'))
    const closed = threads()
    closed.close()
    for (const { askBatch } of [none, closed])
      expect(await filesBelow({ ...plain, askBatch }, root, { recursive: true })).toMatchObject([
        { type: 'file', sizeBytes: pdf.length },
      ])
  })

  it('are not read by a thread once they have grown large', async () => {
    const root = folder()
    const path = join(root, 'a.pdf')
    writeFileSync(path, Buffer.alloc(200_000, '%PDF-1.7\n'))
    expect(await askAll({ ...plain, askBatch: threads().askBatch }, 'identify', [{ path }])).toEqual([
      { error: { code: 'file_changed', details: { file: 'a.pdf' } } },
    ])
  })

  it.skipIf(process.platform === 'win32')('hold up no other folder while theirs does not answer', async () => {
    const [share, local] = [folder(), folder()]
    const pipe = join(share, 'pipe.pdf')
    // To open it takes until somebody opens its other end.
    execFileSync('mkfifo', [pipe])
    writeFileSync(join(share, 'a.pdf'), pdf)
    writeFileSync(join(local, 'b.pdf'), pdf)
    const files = withTimeLimits({ ...plain, askBatch: threads().askBatch }, 1500, () => [share, local])

    const [a, b] = [join(share, 'a.pdf'), join(local, 'b.pdf')]
    const hanging = await askAll(files, 'identify', [{ path: pipe }, { path: b }, { path: a }])
    expect(hanging).toMatchObject([
      { error: { code: 'file_unreadable', details: { detail: 'ETIMEDOUT' } } },
      { value: { sizeBytes: pdf.length } },
      { error: { code: 'file_unreadable', details: { detail: 'ETIMEDOUT' } } },
    ])
    expect(await askAll(files, 'stat', [{ path: b }])).toMatchObject([{ value: { type: 'file' } }])
    expect(await filesBelow(files, share, { recursive: false })).toBeNull()

    const other = await open(pipe, 'w')
    await other.close()
    await expect.poll(() => filesBelow(files, share, { recursive: false })).toHaveLength(2)
  })
})
