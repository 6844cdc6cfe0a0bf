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
import { askTogether } from '../../../electron/core/pipeline/files/file-tasks.ts'
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
    writeFileSync(Buffer.concat([Buffer.from(`${root}/caf`), Buffer.from([0xe9]), Buffer.from('.pdf')]), pdf)
    symlinkSync(join(root, 'whole.pdf'), join(root, 'link.pdf'))
    const files: FileAccess = { ...plain, ask: threads().ask }

    const found = (await filesBelow(files, root, { recursive: true }))!
    expect(found.map(({ path, type }) => [path.slice(root.length + 1), type])).toEqual([
      ['caf\ufffdE9.pdf', 'file'],
      ['empty.pdf', 'file'],
      ['half.pdf', 'file'],
      ['link.pdf', 'link'],
      ['no-document.png', 'file'],
      ['whole.pdf', 'file'],
    ])
    expect(await filesBelow(plain, root, { recursive: true })).toEqual(found)
    const missing = { ...found[0]!, path: join(root, 'gone.pdf') }
    for (const task of ['stat', 'isComplete', 'identify'] as const) {
      const asked = [...found, missing]
      const answers = await askTogether(files, task, asked)
      expect(answers).toHaveLength(asked.length)
      // What crossed from a thread has no class any more.
      expect(answers).toEqual(structuredClone(await askTogether(plain, task, asked)))
    }
  })

  it('are more than one message answers', async () => {
    const root = folder()
    const paths = Array.from({ length: 450 }, (_, number) => join(root, `${number}.pdf`))
    for (const path of paths) writeFileSync(path, pdf)
    const files: FileAccess = { ...plain, ask: threads().ask }
    const answers = await askTogether(
      files,
      'stat',
      paths.map((path) => ({ path })),
    )
    expect(answers.map((answer) => 'value' in answer && answer.value?.path)).toEqual(paths)
  })

  it.skipIf(process.platform === 'win32')('hold up no other folder while theirs does not answer', async () => {
    const [share, local] = [folder(), folder()]
    const pipe = join(share, 'pipe.pdf')
    // To open it takes until somebody opens its other end.
    execFileSync('mkfifo', [pipe])
    writeFileSync(join(share, 'a.pdf'), pdf)
    writeFileSync(join(local, 'b.pdf'), pdf)
    const files = withTimeLimits({ ...plain, ask: threads().ask }, 200, () => [share, local])

    const hanging = await askTogether(files, 'identify', [{ path: pipe }, { path: join(share, 'a.pdf') }])
    expect(hanging).toMatchObject([
      { error: { code: 'file_unreadable', details: { detail: 'ETIMEDOUT' } } },
      { error: { code: 'file_unreadable', details: { detail: 'ETIMEDOUT' } } },
    ])
    expect(await askTogether(files, 'stat', [{ path: join(local, 'b.pdf') }])).toMatchObject([
      { value: { type: 'file' } },
    ])
    expect(await filesBelow(files, share, { recursive: false })).toBeNull()

    const other = await open(pipe, 'w')
    await other.close()
    await expect.poll(() => filesBelow(files, share, { recursive: false })).toHaveLength(2)
  })
})
