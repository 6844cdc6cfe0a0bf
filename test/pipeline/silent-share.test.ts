import { readFileSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { serveScheme } from '../../electron/desktop/scheme.ts'
import { serveWindow } from '../../electron/browser/serve-window.ts'
import type { Page } from '../../shared/domain/document.ts'
import { faultyFiles, setUpFolder } from '../faults/folder-rig.ts'
import type { Fault, Rig } from '../faults/folder-rig.ts'
import { openWindowSession } from '../helpers/window-session.ts'
import { pdfBytes, until } from '../helpers/core.ts'

const desktop = vi.hoisted(() => ({
  answer: (_request: Request): Promise<Response> => Promise.reject(new Error('nothing is served')),
}))
vi.mock('electron', () => ({
  protocol: {
    registerSchemesAsPrivileged: () => undefined,
    handle: (_scheme: string, answer: typeof desktop.answer) => void (desktop.answer = answer),
  },
}))

const word = { text: 'a', box: { x: 0.1, y: 0.1, width: 0.1, height: 0.1 }, fontSize: 0.01, bold: false }
const page: Page = { number: 1, width: 595, height: 842, origin: 'text', tokens: [word], tables: [] }

/** A share with one document that has its values; `silent` makes it stop answering. */
async function share() {
  const name = 'a.pdf'
  const { files, faults } = faultyFiles()
  const read: number[] = []
  const rig = await setUpFolder({
    options: {
      files,
      read: async (content) => {
        read.push(content.byteLength)
        return { kind: 'pdf', pages: [page] }
      },
      timings: { fileAccessMs: 600, sweepIntervalMs: 60_000 },
    },
  })
  await rig.put(name, pdfBytes('a', 700_000))
  await until(() => rig.document(name)?.status === 'done', 'the values')
  const fault: Fault = { code: 'HANG', below: rig.inbox }
  return {
    rig,
    read,
    id: rig.document(name)!.id,
    silent: () => void faults.push(fault),
    again: () => void (faults.length = 0),
  }
}

/** A window in a browser of this computer; `get` fetches below its address as its page does. */
async function browserOf(rig: Rig): Promise<(path: string) => Promise<Response>> {
  const rendererDir = join(rig.dataDir, 'renderer')
  await mkdir(rendererDir)
  const host = await serveWindow(rig.core, { port: 0, rendererDir })
  onTestFinished(host.close)
  const { headers } = await openWindowSession(host.launchUrl)
  return (path) => fetch(new URL(path, host.launchUrl), { headers })
}

async function windowOf(rig: Rig): Promise<(path: string) => Promise<Response>> {
  serveScheme(rig.core, join(rig.dataDir, 'renderer'))
  return (path) => desktop.answer(new Request(`sheaf://app${path}`))
}

describe('F05 a document on a share that does not answer', () => {
  it('shows its values at once, says a little later that its file is out of reach, and shows it when that is over', async () => {
    const { rig, read, id, silent, again } = await share()
    silent()
    const told: string[] = []
    const file = rig.core.handlers['documents.file']({ id }).then((said) => (told.push('file'), said))
    const values = await rig.core.handlers['documents.get']({ id })
    told.push('values')
    expect(values).toMatchObject({ records: [{ invoice_number: 'a' }], sources: null })
    expect(await file).toEqual({ file: 'unreachable' })
    expect(told).toEqual(['values', 'file'])
    expect(await rig.core.handlers['documents.sources']({ id })).toEqual({ sources: [] })
    again()
    await expect.poll(() => rig.core.handlers['documents.file']({ id }), { timeout: 10_000 }).toEqual({ file: 'there' })
    expect((await rig.core.handlers['documents.sources']({ id })).sources).toMatchObject([
      { pointer: '/0/invoice_number', page: 1 },
    ])
    // What was looked up once is there with the values from then on.
    expect((await rig.core.handlers['documents.get']({ id })).sources).toHaveLength(1)
    expect(read).toEqual([700_000])
  })

  it('is another matter than a file that is gone', async () => {
    const { rig, id } = await share()
    await rm(join(rig.inbox, 'a.pdf'))
    expect(await rig.core.handlers['documents.file']({ id })).toEqual({ file: 'missing' })
    await expect(rig.core.handlers['documents.preview']({ id })).rejects.toMatchObject({ code: 'file_missing' })
  })

  it.each([
    ['browser', browserOf],
    ['desktop', windowOf],
  ])(
    'is refused by the %s host after a while, which answers everything else meanwhile, and sent whole when that is over',
    async (_host, open) => {
      const { rig, id, silent, again } = await share()
      const get = await open(rig)
      const whole = await get(`/files/${id}`)
      expect([whole.status, whole.headers.get('content-length')]).toEqual([200, '700000'])
      expect(Buffer.from(await whole.arrayBuffer()).equals(readFileSync(join(rig.inbox, 'a.pdf')))).toBe(true)
      silent()
      const told: string[] = []
      const refused = get(`/files/${id}`).then(({ status }) => (told.push('document'), status))
      expect((await get('/files/999')).status).toBe(404)
      told.push('another')
      expect(await refused).toBe(503)
      expect(told).toEqual(['another', 'document'])
      again()
      await expect
        .poll(async () => (await get(`/files/${id}`).then((response) => response.arrayBuffer())).byteLength, {
          timeout: 10_000,
        })
        .toBe(700_000)
    },
  )

  it('has no preview, and says that its folder cannot be reached', async () => {
    const { rig, read, id, silent } = await share()
    silent()
    await expect(rig.core.handlers['documents.preview']({ id })).rejects.toMatchObject({ code: 'folder_offline' })
    expect(read).toEqual([])
  })
})

describe('F05 a folder on a share that does not answer', () => {
  it('can be neither looked into nor chosen, which is said after a while', async () => {
    const { rig, silent } = await share()
    const { schemaId, connectionId } = rig.folder
    const inner = join(rig.inbox, 'inner')
    await mkdir(inner)
    expect((await rig.core.handlers['folders.browse']({ path: rig.inbox })).directories).toEqual([
      { name: 'inner', path: inner },
    ])
    silent()
    const add = {
      path: inner,
      schemaId,
      connectionId,
      otherSchemaIds: [],
      cuts: 'never' as const,
      agentReference: null,
      mode: 'auto' as const,
      includeSubfolders: true,
      afterwards: 'stay' as const,
      archiveName: '',
      include: [],
      exclude: [],
      existing: 'take' as const,
    }
    await expect(rig.core.handlers['folders.browse']({ path: rig.inbox })).rejects.toMatchObject({
      code: 'folder_missing',
    })
    await expect(rig.core.handlers['folders.add'](add)).rejects.toMatchObject({ code: 'folder_missing' })
  })
})
