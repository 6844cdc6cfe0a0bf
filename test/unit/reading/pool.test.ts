import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { createCanvas } from '@napi-rs/canvas'
import { build } from 'esbuild'
import { PDFDocument } from 'pdf-lib'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { entryPath } from '../../../electron/entries.ts'
import { ReadingPool } from '../../../electron/reading/pool.ts'
import { eventually } from '../../helpers/eventually.ts'
import { forNight, scaled } from '../../helpers/scale.ts'
import { expectCode, textsOf } from './expectations.ts'
import { docxOf, zipOf } from './office-files.ts'

/** A PDF page that shows nothing but a picture of other PDF text, as a scanner makes it. */
async function scannedPdf(): Promise<Uint8Array> {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const source = await PDFDocument.create()
  const page = source.addPage([595, 842])
  for (const [index, line] of [
    'Delivery note 88172',
    'Customer Weber and Sons',
    'Quantity 25 boxes',
    'Received with thanks',
  ].entries()) {
    page.drawText(line, { x: 70, y: 750 - index * 40, size: 18 })
  }
  const { resolve } = await import('node:path')
  const task = getDocument({
    data: await source.save(),
    standardFontDataUrl: `${resolve('node_modules/pdfjs-dist/standard_fonts')}/`,
    verbosity: 0,
  })
  const drawn = await (await task.promise).getPage(1)
  const viewport = drawn.getViewport({ scale: 2.5 })
  const canvas = createCanvas(Math.round(viewport.width), Math.round(viewport.height))
  await drawn.render({ canvas: canvas as never, viewport, background: '#ffffff' }).promise
  await task.destroy()
  const scan = await PDFDocument.create()
  scan
    .addPage([595, 842])
    .drawImage(await scan.embedPng(await canvas.encode('png')), { x: 0, y: 0, width: 595, height: 842 })
  return scan.save()
}

describe('the reading pool', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sheaf-pool-'))
  })
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true })
  })

  it('reads many files at once, by path and by bytes', async () => {
    const pool = new ReadingPool({ workerPath: entryPath('reading-worker'), size: 2 })
    const files = await Promise.all(
      Array.from({ length: 6 }, (_, index) => docxOf(`<w:p><w:r><w:t>file ${index}</w:t></w:r></w:p>`)),
    )
    const path = join(folder, 'first.docx')
    await writeFile(path, files[0] ?? '')
    const documents = await Promise.all(files.map((bytes, index) => pool.read(index === 0 ? path : bytes, 'docx')))
    expect(documents.map((document) => textsOf(document).join(' '))).toEqual(
      Array.from({ length: 6 }, (_, index) => `file ${index}`),
    )
    await pool.close()
  })

  it('recognises scanned pages and then lets the process end', forNight, async () => {
    const scan = join(folder, 'scan.pdf')
    await writeFile(scan, await scannedPdf())
    const script = fileURLToPath(new URL('../../../dist/test/read-one.mjs', import.meta.url))
    await build({
      stdin: {
        contents: `
          import { ReadingPool } from ${JSON.stringify(new URL('../../../electron/reading/pool.ts', import.meta.url).pathname)}
          const pool = new ReadingPool({ workerPath: ${JSON.stringify(entryPath('reading-worker'))} })
          const document = await pool.read(process.argv[2], 'pdf')
          process.stdout.write(document.pages[0].origin + ' ' + document.pages[0].tokens.map((token) => token.text).join(' '))
          if (process.argv[3] === 'close') await pool.close()`,
        resolveDir: folder,
        loader: 'ts',
      },
      outfile: script,
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      // It finds the other bundles where the product's own would.
      define: { 'import.meta.url': JSON.stringify(pathToFileURL(entryPath('reading-worker')).href) },
      logLevel: 'silent',
    })
    const run = promisify(execFile)
    for (const ending of scaled(['leave'], ['close', 'leave'])) {
      const { stdout } = await run(process.execPath, [script, scan, ending], { timeout: 50_000 })
      expect(stdout).toBe('ocr Delivery note 88172 Customer Weber and Sons Quantity 25 boxes Received with thanks')
    }
  })

  it('carries errors over with code and details', async () => {
    const pool = new ReadingPool({ workerPath: entryPath('reading-worker'), size: 1 })
    await expectCode(pool.read(join(folder, 'not-there.pdf'), 'pdf'), 'file_missing')
    await expectCode(pool.read(await zipOf({ 'a.txt': 'a' }), 'xlsx'), 'file_damaged')
    const many = await PDFDocument.create()
    for (let number = 0; number < 501; number++) many.addPage([100, 100])
    await expect(pool.read(await many.save(), 'pdf')).rejects.toMatchObject({
      code: 'file_too_complex',
      details: { pages: 501 },
    })
    await pool.close()
  })

  it('ends a thread that takes too long or too much memory, or ends by itself, and goes on with the next file', async () => {
    const path = join(folder, 'greedy.mjs')
    await writeFile(
      path,
      `
      import { parentPort } from 'node:worker_threads'
      parentPort.on('message', ({ input: { source } }) => {
        if (source === 'hangs') for (;;);
        if (source === 'backtracks') return /^(a+)+$/.test('a'.repeat(100) + 'b')
        if (source === 'ends') process.exit(1)
        if (source === 'stalls') return
        // As when other programs have the processor.
        if (source === 'waits') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1200)
        const kept = []
        if (source === 'grows') for (;;) kept.push(Array.from({ length: 10_000 }, () => ({})))
        parentPort.postMessage({ type: 'done', result: { kind: 'pdf', pages: [] } })
      })`,
    )
    const pool = new ReadingPool({ workerPath: path, size: 1, memoryMb: 32 })
    const hangs = pool.read('hangs', 'pdf', { timeoutMs: 300 })
    const backtracks = pool.read('backtracks', 'pdf', { timeoutMs: 300 })
    const stalls = pool.read('stalls', 'pdf', { timeoutMs: 300 })
    const waits = pool.read('waits', 'pdf', { timeoutMs: 800 })
    const grows = pool.read('grows', 'pdf')
    const ends = pool.read('ends', 'pdf')
    const fine = pool.read('fine', 'pdf')
    await expectCode(hangs, 'file_too_complex')
    await expectCode(backtracks, 'file_too_complex')
    await expectCode(stalls, 'file_too_complex')
    await expect(waits).resolves.toEqual({ kind: 'pdf', pages: [] })
    await expectCode(grows, 'file_too_complex')
    await expectCode(ends, 'internal')
    await expect(fine).resolves.toEqual({ kind: 'pdf', pages: [] })
    await pool.close()
  })

  /**
   * Files that reserve, and then hold, so many MB, and are read when the test says so; a connection of each shows what
   * happens to it and how long its thread lives.
   */
  async function heldFiles() {
    const path = join(folder, 'holds.mjs')
    await writeFile(
      path,
      `
      import { connect } from 'node:net'
      import { parentPort } from 'node:worker_threads'
      let onReserved
      parentPort.on('message', ({ type, input }) => {
        if (type === 'reserved') return onReserved()
        const [port, name, mb, reservedMb] = input.source.split(' ')
        const socket = connect(Number(port), '127.0.0.1', () => {
          socket.write(name + ' begins\\n')
          onReserved = () => {
            socket.write(name + ' has room\\n')
            globalThis.held = Buffer.alloc(mb * 1024 * 1024, 1)
          }
          if (reservedMb === '0') return onReserved()
          parentPort.postMessage({ type: 'reserve', bytes: reservedMb * 1024 * 1024 })
          socket.write(name + ' asks\\n')
        })
        socket.on('data', () => parentPort.postMessage({ type: 'done', result: { kind: 'pdf', pages: [] } }))
      })`,
    )
    const seen: string[] = []
    const sockets = new Map<string, Socket>()
    const server = createServer((socket) => {
      createInterface(socket).on('line', (event) => {
        const name = event.split(' ')[0]!
        if (event === `${name} begins`) socket.on('close', () => seen.push(`${name} ends`))
        sockets.set(name, socket)
        seen.push(event)
      })
      socket.on('error', () => undefined)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const sees = (event: string): Promise<void> => eventually(() => expect(seen).toContain(event))
    return {
      path,
      seen,
      sees,
      finish: async (name: string) => {
        // A thread that starts late has nothing to hear it with yet.
        await sees(`${name} begins`)
        seen.push(`${name} is finished`)
        sockets.get(name)!.write('read')
      },
      source: (name: string, mb: number, reservedMb = 0) => `${port} ${name} ${mb} ${reservedMb}`,
    }
  }

  it('reads files one after another that hold more together than all threads may', async () => {
    const files = await heldFiles()
    const pool = new ReadingPool({ workerPath: files.path, size: 2, budgetMb: 150 })
    const one = pool.read(files.source('one', 100), 'pdf')
    const other = pool.read(files.source('other', 100), 'pdf')
    await files.sees('other ends')
    await files.finish('one')
    await expect(one).resolves.toMatchObject({ kind: 'pdf' })
    await eventually(() => expect(files.seen.filter((event) => event === 'other begins')).toHaveLength(2))
    await files.finish('other')
    await expect(other).resolves.toMatchObject({ kind: 'pdf' })
    await pool.close()
  })

  it('lets a file wait for the memory that it wants to reserve, until there is room', async () => {
    const files = await heldFiles()
    const pool = new ReadingPool({ workerPath: files.path, size: 3, budgetMb: 800 })
    const one = pool.read(files.source('one', 1, 300), 'pdf')
    await files.sees('one has room')
    const small = pool.read(files.source('small', 1, 10), 'pdf')
    const other = pool.read(files.source('other', 1, 300), 'pdf', { timeoutMs: 100 })
    await files.sees('small has room')
    await files.sees('other begins')
    await files.finish('small')
    await expect(small).resolves.toMatchObject({ kind: 'pdf' })
    await files.finish('one')
    await expect(one).resolves.toMatchObject({ kind: 'pdf' })
    await files.sees('other has room')
    await files.finish('other')
    await expect(other).resolves.toMatchObject({ kind: 'pdf' })
    expect(files.seen.indexOf('other has room')).toBeGreaterThan(files.seen.indexOf('one is finished'))
    expect(files.seen.filter((event) => event === 'other begins')).toHaveLength(1)
    await pool.close()
  })

  it('begins no further file while one waits for memory, or smaller ones would pass it for ever', async () => {
    const files = await heldFiles()
    const pool = new ReadingPool({ workerPath: files.path, size: 3, budgetMb: 800 })
    const one = pool.read(files.source('one', 1, 300), 'pdf')
    await files.sees('one has room')
    const small = pool.read(files.source('small', 1, 10), 'pdf')
    await files.sees('small has room')
    const large = pool.read(files.source('large', 1, 420), 'pdf')
    const later = pool.read(files.source('later', 1, 10), 'pdf')
    await files.sees('large asks')
    await files.finish('small')
    await expect(small).resolves.toMatchObject({ kind: 'pdf' })
    await files.finish('one')
    await expect(one).resolves.toMatchObject({ kind: 'pdf' })
    await files.finish('large')
    await expect(large).resolves.toMatchObject({ kind: 'pdf' })
    await files.finish('later')
    await expect(later).resolves.toMatchObject({ kind: 'pdf' })
    expect(files.seen.indexOf('later begins')).toBeGreaterThan(files.seen.indexOf('large has room'))
    await pool.close()
  })

  it('reads a file that reserves more than all threads may, and does not take it', async () => {
    const files = await heldFiles()
    const pool = new ReadingPool({ workerPath: files.path, size: 2, budgetMb: 150 })
    const modest = pool.read(files.source('modest', 1, 1000), 'pdf')
    await files.finish('modest')
    await expect(modest).resolves.toMatchObject({ kind: 'pdf' })
    await pool.close()
  })

  it('refuses a file that holds more alone than all threads may, and reads the one beside it', async () => {
    const files = await heldFiles()
    const pool = new ReadingPool({ workerPath: files.path, size: 2, budgetMb: 150 })
    const small = pool.read(files.source('small', 1), 'pdf')
    const large = pool.read(files.source('large', 200), 'pdf')
    const refused = expect(large).rejects.toMatchObject({ code: 'file_too_complex', details: { budgetMb: 150 } })
    await files.sees('large ends')
    await files.finish('small')
    await expect(small).resolves.toMatchObject({ kind: 'pdf' })
    await refused
    await pool.close()
  })

  it('gives the memory of a large file back with its thread', async () => {
    const files = await heldFiles()
    const pool = new ReadingPool({ workerPath: files.path, size: 1 })
    const large = pool.read(files.source('large', 200), 'pdf')
    await files.sees('large begins')
    await files.finish('large')
    await expect(large).resolves.toMatchObject({ kind: 'pdf' })
    await files.sees('large ends')
    await pool.close()
  })

  it('keeps a thread that holds no more than ordinary files leave, which a new one would have to load again', async () => {
    const files = await heldFiles()
    const pool = new ReadingPool({ workerPath: files.path, size: 2 })
    const ordinary = pool.read(files.source('ordinary', 100), 'pdf')
    const large = pool.read(files.source('large', 200), 'pdf')
    await files.sees('large begins')
    await files.finish('ordinary')
    await expect(ordinary).resolves.toMatchObject({ kind: 'pdf' })
    await files.finish('large')
    await expect(large).resolves.toMatchObject({ kind: 'pdf' })
    await files.sees('large ends')
    expect(files.seen).not.toContain('ordinary ends')
    await pool.close()
  })

  it('fails what is open when it closes, and everything after', async () => {
    const path = join(folder, 'silent.mjs')
    await writeFile(path, `import { parentPort } from 'node:worker_threads'\nparentPort.on('message', () => undefined)`)
    const pool = new ReadingPool({ workerPath: path, size: 1 })
    const open = [pool.read('one', 'pdf'), pool.read('two', 'pdf')]
    const failed = Promise.all(open.map((reading) => expectCode(reading, 'interrupted')))
    await pool.close()
    await failed
    await expectCode(pool.read('three', 'pdf'), 'interrupted')
  })
})
