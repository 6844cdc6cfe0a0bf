// `npm run icons`: draws every icon from the SVG files in electron/desktop/resources, the same bytes each time. What an
// installer takes stays beside them (electron-builder.yml); what the running program shows is in `tray/` and copied to
// dist/icons by the build. `--out DIR` writes elsewhere.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createCanvas, loadImage } from '@napi-rs/canvas'

const resources = fileURLToPath(new URL('../electron/desktop/resources/', import.meta.url))
const { values } = parseArgs({ options: { out: { type: 'string', default: resources } } })
const out = `${values.out}/`

/** Ink on light panels, paper on dark ones; macOS makes its own of a template's opacity. */
const trayColours = { tray: '#1d211f', 'tray-dark': '#fffefb', trayTemplate: '#000000' }

/** A PNG of `size` pixels of one drawing; `margin` is what stays empty on each side, as a part of the size. */
async function draw(svg, size, margin = 0) {
  const inner = Math.round(size * (1 - 2 * margin))
  const image = await loadImage(Buffer.from(svg.replace('<svg ', `<svg width="${inner}" height="${inner}" `)))
  const canvas = createCanvas(size, size)
  canvas.getContext('2d').drawImage(image, (size - inner) / 2, (size - inner) / 2)
  return canvas.encode('png')
}

const [large, on24, on16, tray] = await Promise.all(
  ['icon', 'icon-24', 'icon-16', 'tray'].map((name) => readFile(`${resources}${name}.svg`, 'utf8')),
)
/** Small ones are drawn on a grid of their own, so that edges lie between pixels. */
const drawingFor = (size) => (size >= 40 ? large : size === 24 ? on24 : on16)
const icon = (size, margin) => draw(drawingFor(size), size, margin)

/** Windows' container: a directory of 16 bytes for each picture, then the pictures. */
async function ico(sizes) {
  const pictures = await Promise.all(sizes.map((size) => icon(size)))
  const directory = Buffer.alloc(6 + 16 * sizes.length)
  directory.writeUInt16LE(1, 2)
  directory.writeUInt16LE(sizes.length, 4)
  let offset = directory.length
  for (const [index, size] of sizes.entries()) {
    const entry = 6 + 16 * index
    // 256 is written as 0.
    directory.writeUInt8(size % 256, entry)
    directory.writeUInt8(size % 256, entry + 1)
    directory.writeUInt16LE(1, entry + 4)
    directory.writeUInt16LE(32, entry + 6)
    directory.writeUInt32LE(pictures[index].length, entry + 8)
    directory.writeUInt32LE(offset, entry + 12)
    offset += pictures[index].length
  }
  return Buffer.concat([directory, ...pictures])
}

/** macOS' container: each picture after its type and length. Its icons keep a tenth of their width empty. */
async function icns(sizes) {
  const parts = await Promise.all(
    Object.entries(sizes).map(async ([type, size]) => {
      const picture = await icon(size, size < 40 ? 0 : 0.1)
      const head = Buffer.from(`${type}\0\0\0\0`, 'latin1')
      head.writeUInt32BE(head.length + picture.length, 4)
      return Buffer.concat([head, picture])
    }),
  )
  const head = Buffer.from('icns\0\0\0\0', 'latin1')
  head.writeUInt32BE(
    parts.reduce((sum, part) => sum + part.length, head.length),
    4,
  )
  return Buffer.concat([head, ...parts])
}

await Promise.all(['icons', 'tray'].map((folder) => mkdir(`${out}${folder}`, { recursive: true })))
const files = {
  'icon.png': icon(1024),
  'icon.ico': ico([16, 20, 24, 32, 40, 48, 64, 128, 256]),
  'icon.icns': icns({
    icp4: 16,
    icp5: 32,
    ic07: 128,
    ic08: 256,
    ic09: 512,
    ic10: 1024,
    ic11: 32,
    ic12: 64,
    ic13: 256,
    ic14: 512,
  }),
}
for (const size of [16, 24, 32, 48, 64, 128, 256, 512]) files[`icons/${size}x${size}.png`] = icon(size)
for (const [name, colour] of Object.entries(trayColours)) {
  const svg = tray.replaceAll('currentColor', colour)
  files[`tray/${name}.png`] = draw(svg, 16)
  files[`tray/${name}@2x.png`] = draw(svg, 32)
}
for (const [name, content] of Object.entries(files)) await writeFile(`${out}${name}`, await content)
