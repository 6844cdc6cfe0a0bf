import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import yauzl from 'yauzl'
import type { Document, FileKind, Token } from '../../shared/document.ts'
import type { SchemaElement } from '../../shared/schema.ts'
import { AppError } from '../../shared/errors.ts'

export type TestEngine = {
  read(bytes: Uint8Array, kind: FileKind): Promise<Document>
  extract(document: Document, schema: SchemaElement[]): { data: Record<string, string | number | boolean | null>; sources: [] }
  close(): Promise<void>
}

async function entryText(bytes: Buffer, pattern: RegExp): Promise<string> {
  const zip = await promisify((data: Buffer, done: (e: Error | null, z: yauzl.ZipFile) => void) => yauzl.fromBuffer(data, { lazyEntries: true }, done))(bytes)
  return new Promise((resolve, reject) => {
    let all = ''
    zip.on('entry', (entry: yauzl.Entry) => {
      if (!pattern.test(entry.fileName)) return zip.readEntry()
      zip.openReadStream(entry, (error, stream) => {
        if (error) return reject(error)
        void buffer(stream).then((b) => {
          all += b.toString()
          zip.readEntry()
        })
      })
    })
    zip.on('end', () => resolve(all))
    zip.readEntry()
  })
}

export async function startEngine(): Promise<TestEngine> {
  return {
    async read(bytes, kind) {
      const b = Buffer.from(bytes)
      let lines: string[] = []
      try {
        if (kind === 'pdf') lines = [...b.subarray(0, 4096).toString('latin1').matchAll(/\((.*?)\) Tj/g)].map((m) => m[1]!)
        else if (kind === 'docx') lines = [...(await entryText(b, /word\/document\.xml/)).matchAll(/<w:t[^>]*>(.*?)<\/w:t>/g)].map((m) => m[1]!)
        else if (kind === 'xlsx') lines = [[...(await entryText(b, /sheet1/)).matchAll(/<t>(.*?)<\/t>/g)].map((m) => m[1]!).join(' ')]
        else lines = ['Invoice number: RE-17']
      } catch {
        throw new AppError('file_damaged')
      }
      if (lines.length === 0) throw new AppError('file_damaged')
      const tokens: Token[] = lines.join('\n').split(/\s+/).map((text) => ({ text, box: { x: 0, y: 0, width: 0, height: 0 }, fontSize: 0, bold: false }))
      return { kind, pages: [{ number: 1, width: 1, height: 1, origin: 'text', tokens, tables: [] }] }
    },
    extract(document, schema) {
      const text = document.pages[0]!.tokens.map((t) => t.text).join(' ')
      const data: Record<string, string | number | boolean | null> = {}
      for (const e of schema) {
        const m = new RegExp(`${e.name}:? (\\S+)`, 'i').exec(text)
        data[e.name] = m ? (e.format === 'number' ? Number(m[1]) : m[1]!) : null
      }
      return { data, sources: [] }
    },
    close: async () => undefined,
  }
}
