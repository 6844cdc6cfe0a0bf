import type { Token } from '../../../shared/domain/document.ts'
import { medianOf } from '../numbers.ts'
import { blobsOf } from './blobs.ts'
import type { Ink } from './ink.ts'

const minMissed = 12

/**
 * True when a good deal of ink as large as the recognised type, standing in rows like type, lies
 * outside every recognised word; or when next to nothing was recognised at all.
 */
export function missesText(ink: Ink, words: readonly Token[]): boolean {
  const usual = medianOf(words.map((word) => word.box.height * ink.height))
  if (usual === undefined || words.length < 5) return true
  const read = new Uint8Array(ink.width * ink.height)
  for (const { box } of words) {
    const bottom = Math.min(ink.height, Math.ceil((box.y + box.height) * ink.height) + 2)
    const right = Math.min(ink.width, Math.ceil((box.x + box.width) * ink.width) + 2)
    const left = Math.max(0, Math.floor(box.x * ink.width) - 2)
    for (let y = Math.max(0, Math.floor(box.y * ink.height) - 2); y < bottom; y++)
      read.fill(1, y * ink.width + left, y * ink.width + right)
  }
  const letters = blobsOf(ink, usual * 2.5).filter((blob) => {
    const height = blob.bottom - blob.top + 1
    return height >= usual * 0.5 && height <= usual * 1.8 && blob.right - blob.left + 1 <= usual * 2
  })
  const missed = letters.filter(
    (blob) =>
      read[Math.round((blob.top + blob.bottom) / 2) * ink.width + Math.round((blob.left + blob.right) / 2)] === 0,
  )
  // letters have a neighbour on their line; specks and parts of pictures mostly have none
  const inRows = missed.filter((blob) =>
    missed.some(
      (other) =>
        other !== blob &&
        Math.abs(other.bottom - blob.bottom) < usual * 0.3 &&
        Math.abs(other.left - blob.right) < usual * 0.8,
    ),
  )
  return inRows.length >= Math.max(minMissed, letters.length * 0.04)
}
