import { createCanvas, GlobalFonts } from '@napi-rs/canvas'
import type { Canvas } from '@napi-rs/canvas'
import { join } from 'node:path'
import { packageFolder } from '../../electron/reading/package-folder.ts'

type Scan = { bytes: Uint8Array; kind: 'jpeg'; accented: string[] }

const german = [
  'Bäckerei Süßmann GmbH, Königstraße 17, 70173 Stuttgart',
  'Rechnung über gelieferte Backwaren im März und für Büroräume',
  'Schöne Grüße an die Küche, größere Mengen früher bestellen',
  'Zahlungsempfänger: Jürgen Müßig, Gläubiger für Löhne',
  'Fällig innerhalb von vierzehn Tagen ohne Abzug, Überweisung genügt',
  'Übertrag 1.284,50 € zuzüglich Gebühren 19,95 €',
  'Äpfel, Öl, Würste, Gemüse, Käse, Möhren, Kräuter, Fußmatten',
  'Geschäftsführer: Günther Weiß, Amtsgericht Würzburg',
]
const french = [
  'Société Générale des Pâtisseries, 8 rue de la Fenêtre, Orléans',
  'Facture n° 4471 du 12 février, réglée à réception, échéance août',
  'Désignation des pièces livrées à l’hôtel près du marché',
  'Montant à payer après déduction des arrhes déjà versées',
  'Pénalités de retard exigibles sans rappel, intérêts légaux',
  'Crème brûlée, gâteau, café, thé, pâtes, entrecôte, bœuf, maïs',
  'Référence du bénéficiaire: Hélène Lefèvre, gérante',
  'Réduction exceptionnelle accordée à nos fidèles clients étrangers',
]
const faces = ['LiberationSans-Regular', 'LiberationSans-Bold', 'LiberationSans-Italic']
// of what systems have; those that are missing are left out
const systemFaces = [
  'DejaVu Serif',
  'DejaVu Sans',
  'DejaVu Sans Mono',
  'Liberation Serif',
  'Times New Roman',
  'Georgia',
]

/** Scans of letters in German and French: several faces and sizes, lean, noise, a shadow, a camera's compression. */
export async function scansOfOurOwn(): Promise<Scan[]> {
  const folder = join(packageFolder('pdfjs-dist'), 'standard_fonts')
  for (const face of faces) GlobalFonts.registerFromPath(join(folder, `${face}.ttf`), face)
  const usable = [...faces, ...systemFaces.filter((face) => GlobalFonts.has(face))]
  const scans: Scan[] = []
  for (const [index, face] of usable.entries()) {
    for (const [place, lines] of [german, french].entries()) {
      const number = index * 2 + place
      const canvas = letter(lines, face, { size: 36 + (number % 3) * 8, leanDegrees: ((number * 37) % 13) - 6, number })
      const words = lines.flatMap((line) => line.split(' '))
      scans.push({
        bytes: new Uint8Array(await canvas.encode('jpeg', 80)),
        kind: 'jpeg',
        accented: words.filter((word) => /[äöüßéèêàâôûîçœïÄÖÜ€]/i.test(word)),
      })
    }
  }
  return scans
}

function letter(
  lines: readonly string[],
  face: string,
  { size, leanDegrees, number }: { size: number; leanDegrees: number; number: number },
): Canvas {
  const [width, height] = [1654, 2339]
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  context.fillStyle = '#f4f1ea'
  context.fillRect(0, 0, width, height)
  context.translate(width / 2, height / 2)
  context.rotate((leanDegrees * Math.PI) / 180)
  context.fillStyle = '#2a2a30'
  context.font = `${size}px "${face}"`
  for (let line = 0; line < 24; line++)
    context.fillText(lines[line % lines.length]!, -width * 0.42, -height * 0.38 + line * size * 1.9, width * 0.84)
  context.resetTransform()
  const shadow = context.createLinearGradient(0, 0, width, height)
  shadow.addColorStop(0.3, 'rgba(20, 15, 0, 0)')
  shadow.addColorStop(0.9, 'rgba(20, 15, 0, 0.55)')
  context.fillStyle = shadow
  context.fillRect(0, 0, width, height)
  addNoise(canvas, number)
  return canvas
}

/** The grain of a sensor, the same at every run. */
function addNoise(canvas: Canvas, seed: number): void {
  const context = canvas.getContext('2d')
  const picture = context.getImageData(0, 0, canvas.width, canvas.height)
  let state = seed + 1
  for (let at = 0; at < picture.data.length; at += 4) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    const grain = ((state >> 16) % 31) - 15
    for (let channel = 0; channel < 3; channel++) picture.data[at + channel]! += grain
  }
  context.putImageData(picture, 0, 0)
}
