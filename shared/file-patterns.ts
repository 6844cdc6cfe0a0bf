import { z } from 'zod'

/** Which names of files a folder takes: with patterns in `include` only those that one of them matches, and none that one in `exclude` matches. */
export type FilePatterns = { include: readonly string[]; exclude: readonly string[] }

/** As the contract takes them: each one can stand in a typed list. */
export const patternList = z.array(z.string().trim().min(1).max(255).regex(/^[^\n;]*$/)).max(50)

/** The patterns of a typed list: «Rechnung*.pdf; *.png», or one a line. Each once, without spaces around it. Pure. */
export function patternsIn(text: string): string[] {
  return [...new Set(text.split(/[;\n]/).map((part) => part.trim()))].filter((part) => part !== '')
}

/** The list as it is typed. Pure. */
export function patternsText(patterns: readonly string[]): string {
  return patterns.join('; ')
}

/** Tells whether patterns leave a file of this name out; without any they leave out none. Pure. */
export function leavesOut({ include, exclude }: FilePatterns): (name: string) => boolean {
  const [wanted, unwanted] = [include.map(matcher), exclude.map(matcher)]
  if (wanted.length === 0 && unwanted.length === 0) return () => false
  return (name) => {
    const characters = folded(name)
    return (wanted.length > 0 && !wanted.some((matches) => matches(characters))) || unwanted.some((matches) => matches(characters))
  }
}

/** As people compare names: letters of either case, and accents in either spelling, are one. */
function folded(text: string): string[] {
  return [...text.normalize('NFC').toLowerCase()]
}

/**
 * `*` is any characters, `?` is one, everything else itself: «Rechnung (1)*.pdf» and «[copy]*» mean what they look like. Steps
 * grow with the name times the pattern only. What libraries make of a pattern with some stars, a regular expression, takes a
 * minute for one unlucky name, and names come from others.
 */
function matcher(pattern: string): (name: readonly string[]) => boolean {
  const wanted = folded(pattern)
  return (name) => {
    let [at, inPattern] = [0, 0]
    /** The last star, and up to where it has taken the name so far. */
    let [star, taken] = [-1, 0]
    while (at < name.length) {
      if (wanted[inPattern] === '*') {
        star = inPattern
        taken = at
        inPattern += 1
      } else if (wanted[inPattern] === '?' || wanted[inPattern] === name[at]) {
        at += 1
        inPattern += 1
      } else if (star >= 0) {
        taken += 1
        at = taken
        inPattern = star + 1
      } else return false
    }
    while (wanted[inPattern] === '*') inPattern += 1
    return inPattern === wanted.length
  }
}
