/** From so many characters on, the next line begins a new block. */
const blockLength = 4000

/** Cuts text at line ends; where it was cut does not change when it grows. Pure. */
export function blocksOf(text: string): string[] {
  const blocks: string[] = []
  let start = 0
  for (let cut = text.indexOf('\n', blockLength); cut !== -1; cut = text.indexOf('\n', start + blockLength)) {
    blocks.push(text.slice(start, cut))
    start = cut + 1
  }
  return [...blocks, text.slice(start)]
}
