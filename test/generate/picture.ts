import { createCanvas } from '@napi-rs/canvas'
import type { Canvas } from '@napi-rs/canvas'
import { openPdf } from '../../electron/reading/pdf/open-pdf.ts'
import type { Random } from './random.ts'

/** How a page came to be a picture. */
type Capture = {
  dotsPerInch: number
  degrees: number
  grain: number
  shadow: number
  fading: number
  quality: number
  thermal: boolean
}

/** The pages of a PDF as pictures, scanned or photographed more or less well. */
export async function picturesOf(
  pdf: Uint8Array,
  amount: number,
  isReceipt: boolean,
  random: Random,
): Promise<Canvas[]> {
  const capture: Capture = {
    dotsPerInch: random.int(150, 220),
    degrees: random.chance(0.6) ? (random.next() - 0.5) * 5 * amount : 0,
    grain: random.next() * 46 * amount,
    shadow: random.chance(0.5) ? random.next() * 0.45 * amount : 0,
    fading: random.next() * 0.45 * amount,
    quality: random.int(55, 92),
    thermal: isReceipt && random.chance(0.6),
  }
  const { pdf: opened, close } = await openPdf(pdf, { drawable: true })
  try {
    const pictures: Canvas[] = []
    for (let number = 1; number <= opened.numPages; number++) {
      const page = await opened.getPage(number)
      const viewport = page.getViewport({ scale: capture.dotsPerInch / 72 })
      const canvas = createCanvas(Math.round(viewport.width), Math.round(viewport.height))
      await page.render({ canvas: canvas as never, viewport, background: '#ffffff' }).promise
      pictures.push(spoil(canvas, capture, random))
    }
    return pictures
  } finally {
    await close()
  }
}

/** The page on a table: turned, in bad light, faded and grained. */
function spoil(page: Canvas, capture: Capture, random: Random): Canvas {
  const border = Math.round(page.width * (capture.degrees === 0 ? 0 : 0.04))
  const canvas = createCanvas(page.width + 2 * border, page.height + 2 * border)
  const context = canvas.getContext('2d')
  context.fillStyle = random.pick(['#ffffff', '#e9e7e2', '#d6cfc4'])
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.translate(canvas.width / 2, canvas.height / 2)
  context.rotate((capture.degrees * Math.PI) / 180)
  context.drawImage(page, -page.width / 2, -page.height / 2)
  context.setTransform(1, 0, 0, 1, 0, 0)
  context.fillStyle = `rgba(255,255,255,${capture.fading})`
  context.fillRect(0, 0, canvas.width, canvas.height)
  if (capture.thermal) fadeInStripes(canvas, random)
  if (capture.shadow > 0) {
    const gradient = context.createLinearGradient(0, 0, random.pick([0, canvas.width]), canvas.height)
    gradient.addColorStop(0, 'rgba(0,0,0,0)')
    gradient.addColorStop(1, `rgba(0,0,0,${capture.shadow})`)
    context.fillStyle = gradient
    context.fillRect(0, 0, canvas.width, canvas.height)
  }
  if (capture.grain > 0) grain(canvas, capture.grain, random.int(1, 2 ** 30))
  return canvas
}

/** The head of a printer for thermal paper that is worn in places. */
function fadeInStripes(canvas: Canvas, random: Random): void {
  const context = canvas.getContext('2d')
  for (let count = random.int(2, 9); count > 0; count--) {
    context.fillStyle = `rgba(255,255,255,${random.next() * 0.5})`
    context.fillRect(random.int(0, canvas.width), 0, random.int(1, 4), canvas.height)
  }
}

function grain(canvas: Canvas, strength: number, seed: number): void {
  const context = canvas.getContext('2d')
  const image = context.getImageData(0, 0, canvas.width, canvas.height)
  const { data } = image
  let state = seed
  for (let at = 0; at < data.length; at += 4) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const change = (state / 4_294_967_296 - 0.5) * strength
    for (let channel = 0; channel < 3; channel++) data[at + channel] = data[at + channel]! + change
  }
  context.putImageData(image, 0, 0)
}
