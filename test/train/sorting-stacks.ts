import type { Document, Page } from '../../shared/domain/document.ts'
import type { Random } from '../generate/random.ts'
import { broken, scanned, withAnnex } from './sorting-papers.ts'
import type { SortingPaper } from './sorting-papers.ts'

/** Pages of several documents behind one another, with the pages (from 0) that documents begin with. */
export type Stack = { document: Document; starts: number[]; fold: number; style: StackStyle; papers: SortingPaper[] }

type StackStyle = 'single' | 'same sender' | 'same kind' | 'mixed' | 'real'

/** A file of drawn papers: one long one, or up to six behind one another. */
export function drawStack(pool: readonly SortingPaper[], random: Random): Stack {
  const style = random.pick(['single', 'same sender', 'same sender', 'same kind', 'mixed', 'mixed'] as const)
  const noise = noiseOf(random)
  const first = random.pick(pool)
  const isFitting: Record<Exclude<StackStyle, 'real'>, (paper: SortingPaper) => boolean> = {
    single: (paper) => paper === first,
    'same sender': (paper) => paper.sender === first.sender,
    'same kind': (paper) => paper.kind === first.kind,
    mixed: (paper) => paper.language === first.language,
  }
  const papers = random.sample(pool.filter(isFitting[style]), random.int(2, 6))
  const shown = papers.map((paper) => scanned(lengthened(paper, pool, random), noise(), random))
  return stackOf(shown, papers.length === 1 ? 'single' : style, random)
}

/** Papers go on overleaf anywhere, and have pages of tables and texts behind them that no head announces. */
function lengthened(paper: SortingPaper, pool: readonly SortingPaper[], random: Random): SortingPaper {
  const drawn = random.next()
  if (drawn < 0.2) return broken(paper, random)
  if (drawn > 0.15 + 0.2) return paper
  const others = pool.filter(({ sender, language }) => sender === paper.sender || language === paper.language)
  return withAnnex(paper, random.sample(others, random.int(1, 4)), random)
}

/** Read from text, scanned in one go, or mixed. */
function noiseOf(random: Random): () => number {
  const drawn = random.next()
  if (drawn < 0.5) return () => 0
  const amount = random.next()
  return drawn < 0.8 ? () => amount : () => (random.chance(0.5) ? 0 : random.next())
}

/** A file of real papers of one fifth of the senders; some may go on overleaf where they have one page. */
export function realStack(papers: readonly SortingPaper[], random: Random, mayBreak = false): Stack {
  const own = papers.filter(({ document }) => document.pages.length <= longestReal)
  const first = random.pick(own)
  const alike = own.filter(({ sender }) => sender === first.sender)
  const from = random.chance(0.45) && alike.length > 1 ? alike : own
  const chosen = random.sample(from, random.int(2, Math.min(6, from.length)))
  return stackOf(
    chosen.map((paper) => (mayBreak && random.chance(0.25) ? broken(paper, random) : paper)),
    'real',
    random,
  )
}
/** Longer ones are only taken alone: a stack of them would be no usual file. */
const longestReal = 12

export function stackOf(papers: readonly SortingPaper[], style: StackStyle, random: Random): Stack {
  const pages: Page[] = []
  const starts: number[] = []
  for (const { document } of papers) {
    starts.push(pages.length)
    for (const page of document.pages) pages.push(page)
    const last = pages.at(-1)!
    // The empty back of a sheet that was scanned on both sides.
    if (last.origin === 'ocr' && document.pages.length % 2 === 1 && random.chance(0.06))
      pages.push({ ...last, tokens: [], tables: [] })
  }
  return {
    document: { kind: 'pdf', pages: pages.map((page, index) => ({ ...page, number: index + 1 })) },
    starts,
    fold: papers[0]!.fold,
    style,
    papers: [...papers],
  }
}
