import { readFile } from 'node:fs/promises'
import { prepareZXingModule, writeBarcode } from 'zxing-wasm/writer'
import { packageFile } from '../../electron/reading/package-folder.ts'

/** A QR code: how many modules a side has, and which of them are dark. */
export type Code = { modules: number; dark: { column: number; row: number }[] }

/** The QR code of a text. */
export async function drawCode(text: string): Promise<Code> {
  const file = await readFile(packageFile('zxing-wasm/writer/zxing_writer.wasm'))
  await prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(file).buffer }, fireImmediately: true })
  const { symbol, error } = await writeBarcode(text, { format: 'QRCode' })
  if (error !== '') throw new Error(error)
  const dark = [...symbol.data].flatMap((tone, at) =>
    tone < 128 ? [{ column: at % symbol.width, row: Math.floor(at / symbol.width) }] : [],
  )
  return { modules: symbol.width, dark }
}
