import type { Document, Page, Token } from '../../shared/domain/document.ts'
import type { SchemaElement } from '../../shared/domain/schema.ts'
import { makeContent } from '../generate/content.ts'
import type { Content } from '../generate/content.ts'
import { documentOf } from '../generate/document.ts'
import { drawDocument } from '../generate/layout.ts'
import { damage } from '../generate/noise.ts'
import { makeCompany, makePerson } from '../generate/parties.ts'
import type { Party } from '../generate/parties.ts'
import { hash, randomFrom } from '../generate/random.ts'
import type { Random } from '../generate/random.ts'
import { makeRows } from '../generate/rows.ts'
import { ask } from '../generate/schema.ts'
import { templateOf, templatesOf } from '../generate/template.ts'
import type { Split, Template } from '../generate/template.ts'
import { fields, kinds, languages, wordsOf } from '../generate/words.ts'
import type { Language } from '../generate/words.ts'
import { fold } from '../../shared/domain/fold.ts'
import { paperSets } from './cases.ts'
import type { TrainingCase } from './cases.ts'
import { kindCalled } from './sorting-kinds.ts'

/** A paper to sort: what kind it is and whose, and how somebody would ask for it. */
export type SortingPaper = {
  kind: string
  language: Language
  sender: string
  document: Document
  schema: readonly SchemaElement[]
  /** The fifth of the senders that it belongs to; -1 for one that was drawn. */
  fold: number
  /** Not one document but several that somebody filed together: nobody can say where to cut. */
  isFile?: boolean
  /** One of those that others made to learn from. */
  isMade?: boolean
}

/** A sender whose papers look alike: its template, who it is, and its habits beyond the generator's. */
export type Sender = { template: Template; random: Random; party: Party; own: Content['own']; habits: PageHabits }

/** What a sender does on the pages behind the first one. */
type PageHabits = { head: number; foot: boolean; numbers: boolean; terms: boolean; rowsOnLong: number }

export function senderOf(number: number): Sender {
  const template = templateOf(number)
  const random = randomFrom(hash(`sender ${number}`))
  const { formats } = template.habits
  const { own } = makeContent(template.habits, random.fork('own'))
  return {
    template,
    random,
    party: makeCompany(formats, random),
    own,
    habits: {
      // Letterhead alone, or with title and number, on all pages.
      head: random.chance(0.3) ? random.int(6, 14) / 100 : random.chance(0.25) ? random.int(20, 38) / 100 : 0,
      foot: random.chance(0.5),
      numbers: random.chance(0.5),
      terms: random.chance(0.1),
      rowsOnLong: random.int(25, 80),
    },
  }
}

/** To whom papers of many senders are addressed: the office that scans them. */
function officeOf(seed: number, language: Language): Party {
  const random = randomFrom(hash(`office ${language} ${seed}`))
  const { formats } = templateFor(language).habits
  return random.chance(0.8) ? makeCompany(formats, random) : makePerson(formats, random)
}

const byLanguage = new Map<Language, Template>()

function templateFor(language: Language): Template {
  for (let number = 0; !byLanguage.has(language); number++) {
    const template = templateOf(number)
    byLanguage.set(template.language, template)
  }
  return byLanguage.get(language)!
}

/** A language has few offices, so that papers of a stack often share theirs. */
const offices = 3

/** One paper of a sender with text of its own, the same for the same seed; a long one has rows for several pages. */
export function drawPaper(sender: Sender, seed: number, isLong: boolean): SortingPaper {
  const { template, party, own, habits } = sender
  const random = randomFrom(hash(`${template.id} ${seed}`))
  const content = makeContent(template.habits, random.fork('content'))
  content.own = own
  for (const role of content.roles) {
    if (role.role === 'seller') role.party = party
    else if (role.role === 'buyer' && hash(template.id) % 4 > 0)
      role.party = officeOf(hash(template.id) % offices, template.language)
  }
  if (isLong && content.list) lengthen(content, template, habits.rowsOnLong)
  const paper = drawDocument(template, content, random.fork('layout'))
  const { document, spots } = documentOf(paper)
  const { schema } = ask(content, spots, template.numberOf, random.fork('schema'))
  const whole = withHabits(document, habits, template.language, random.fork('pages'))
  return {
    kind: content.kind,
    language: template.language,
    sender: template.id,
    document: whole,
    schema,
    fold: -1,
  }
}

/** Rows for several pages; sums are those of the short paper, which nobody adds up here. */
function lengthen(content: Content, { habits }: Template, most: number): void {
  const { vatRates, gross, columns } = habits
  const count = Math.round(most * (0.5 + content.scene.random.next()))
  content.list = makeRows(kinds[content.kind]!.list, columns, content.scene, { vatRates, sign: 1, gross, count })
}

/** The feet of pages begin here, and their numbers, where the generator draws them. */
const [footStart, numberStart] = [0.885, 0.968]

/** Heads and feet on all pages, page numbers on none, terms overleaf: what the generator does not draw. */
function withHabits(document: Document, habits: PageHabits, language: Language, random: Random): Document {
  const [first] = document.pages
  const last = document.pages.at(-1)!
  if (first!.width < narrow) return random.chance(0.5) ? inPieces(first!, random.int(2, 3)) : document
  const foot = last.tokens.filter(({ box }) => box.y > footStart && box.y < numberStart)
  const head = first!.tokens.filter(({ box }) => box.y < habits.head)
  const pages = document.pages.map((page, index): Page => {
    const own = habits.numbers ? page.tokens : page.tokens.filter(({ box }) => box.y < numberStart)
    const shows = habits.head > 0 && index > 0
    const body = shows ? own.map((token) => lowered(token, habits.head)) : own
    const feet = habits.foot && page !== last && !own.some(({ box }) => box.y > footStart && box.y < numberStart)
    return { ...page, tokens: [...(shows ? head : []), ...body, ...(feet ? foot : [])] }
  })
  if (habits.terms && document.pages.length === 1) pages.push(prosePage(first!, language, random, pages.length + 1))
  return { ...document, pages }
}

/** A till slip is as long as it needs to be; some are printed or scanned on several pages. */
const narrow = 300

function inPieces(page: Page, count: number): Document {
  const pages = Array.from({ length: count }, (_, index): Page => {
    const inside = page.tokens.filter(({ box }) => Math.min(count - 1, Math.floor(box.y * count)) === index)
    const tokens = inside.map((token) => {
      const { box } = token
      const piece = { ...box, y: box.y * count - index, height: box.height * count }
      return { ...token, box: piece, fontSize: token.fontSize * count }
    })
    return { ...page, number: index + 1, height: page.height / count, tokens }
  })
  return { kind: 'pdf', pages }
}

/** Makes room for a head: the page is set closer, but for its foot. */
function lowered(token: Token, head: number): Token {
  const { box } = token
  if (box.y > footStart) return token
  const share = (footStart - head) / footStart
  return { ...token, box: { ...box, y: head + box.y * share, height: box.height * share } }
}

const abouts = Object.values(fields).map(({ about }) => about)

/** A page of running text in small type: the terms on the back, a page of a contract or report. */
function prosePage(like: Page, language: Language, random: Random, number: number, title?: string): Page {
  const size = (title === undefined ? random.int(6, 9) : random.int(9, 12)) / 842
  const tokens: Token[] = []
  const width = (text: string, height: number): number => text.length * height * 0.5 * (like.height / like.width)
  let y = 0.06
  const write = (text: string, height: number, bold: boolean): void => {
    let x = 0.09
    for (const word of text.split(' ')) {
      const wide = width(word, height)
      if (x + wide > 0.92) {
        x = 0.09
        y += height * 1.35
      }
      tokens.push({ text: word, box: { x, y, width: wide, height }, fontSize: height, bold })
      x += wide + height * 0.35
    }
    y += height * 1.6
  }
  if (title !== undefined) write(title, size * random.pick([1.4, 1.8, 2.2]), true)
  const sentences = [...wordsOf('notes', language), ...(language === 'en' ? abouts : wordsOf('notes', language))]
  let section = random.int(1, 9)
  while (y < 0.86) {
    if (random.chance(0.3)) write(`${section++}. ${random.pick(wordsOf('sections', language))}`, size, true)
    write(
      random
        .sample(sentences, random.int(2, 7))
        .join(' ')
        .replace(/\{\w+\}/g, String(random.int(2, 2030))),
      size,
      false,
    )
  }
  return { number, width: like.width, height: like.height, origin: 'text', tokens, tables: [] }
}

const longKinds: Record<string, Record<Language, string>> = {
  contract: { en: 'Agreement', de: 'Vertrag', fr: 'Contrat', es: 'Contrato', it: 'Contratto', nl: 'Overeenkomst' },
  report: { en: 'Report', de: 'Bericht', fr: 'Rapport', es: 'Informe', it: 'Relazione', nl: 'Verslag' },
  letter: { en: 'Information', de: 'Information', fr: 'Information', es: 'Aviso', it: 'Avviso', nl: 'Bericht' },
}

/** A paper of running text on several pages, with or without page numbers and running heads. */
export function drawProse(seed: number): SortingPaper {
  const random = randomFrom(hash(`prose ${seed}`))
  const kind = random.pick(Object.keys(longKinds))
  const language = random.pick(languages)
  const title = longKinds[kind]![language]
  const like = { width: 595, height: 842 } as Page
  const count = random.int(1, 7)
  const [numbers, heads] = [random.chance(0.5), random.chance(0.4)]
  const pages = Array.from({ length: count }, (_, index): Page => {
    const heading = random.chance(0.3) ? random.pick(wordsOf('sections', language)) : ''
    const page = prosePage(like, language, random, index + 1, index === 0 ? title : heading)
    const form = random.fork('page').pick(wordsOf('page', language))
    const text = form.replace('{n}', String(index + 1)).replace('{m}', String(count))
    const extra = (word: string, at: number, y: number): Token => ({
      text: word,
      box: { x: at, y, width: 0.04, height: 0.009 },
      fontSize: 0.009,
      bold: false,
    })
    if (numbers) page.tokens.push(...text.split(' ').map((word, at) => extra(word, 0.75 + at * 0.05, 0.95)))
    if (heads)
      page.tokens.unshift(
        ...`${title} ${random.fork('number').int(1000, 99_999)}`
          .split(' ')
          .map((word, at) => extra(word, 0.09 + at * 0.1, 0.03)),
      )
    return page
  })
  const document: Document = {
    kind: 'pdf',
    pages: pages.map((page) => ({ ...page, tokens: page.tokens.filter(({ text }) => text !== '') })),
  }
  return {
    kind,
    language,
    sender: `prose ${seed}`,
    document,
    schema: [],
    fold: -1,
  }
}

/** A paper of one page as two: what stands below somewhere goes on at the top of the next page. */
export function broken(paper: SortingPaper, random: Random): SortingPaper {
  const [page, ...more] = paper.document.pages
  if (more.length > 0 || !page || page.width < narrow) return paper
  const at = random.int(35, 75) / 100
  const top = random.int(4, 10) / 100
  const body = page.tokens.filter(({ box }) => box.y < at || box.y > footStart)
  const below = page.tokens
    .filter(({ box }) => box.y >= at && box.y <= footStart)
    .map((token) => ({ ...token, box: { ...token.box, y: token.box.y - at + top } }))
  if (below.length < fewest) return paper
  const pages = [
    { ...page, tokens: body },
    { ...page, number: 2, tokens: below },
  ]
  return { ...paper, document: { ...paper.document, pages } }
}
/** Fewer words make no page. */
const fewest = 8

/** A paper with pages of figures or texts behind it: the bodies of other papers, without their heads. */
export function withAnnex(paper: SortingPaper, others: readonly SortingPaper[], random: Random): SortingPaper {
  const first = paper.document.pages[0]!
  if (first.width < narrow) return paper
  const size = first.tokens[0]?.fontSize ?? 0.011
  const pages = others
    .flatMap(({ document }) => document.pages.slice(0, 1))
    .flatMap((page): Page[] => {
      const from = random.int(30, 45) / 100
      const top = random.int(4, 10) / 100
      const heading = random.chance(0.4) ? headingOf(random.pick(wordsOf('sections', paper.language)), size, top) : []
      const room = heading.length > 0 ? 0.04 : 0
      const tokens = page.tokens
        .filter(({ box }) => box.y >= from && box.y < numberStart)
        .map((token) => ({ ...token, box: { ...token.box, y: token.box.y - from + top + room } }))
      return page.width < narrow || tokens.length < fewest
        ? []
        : [{ ...first, tokens: [...heading, ...tokens], tables: [] }]
    })
  const all = [...paper.document.pages, ...pages].map((page, index) => ({ ...page, number: index + 1 }))
  return { ...paper, document: { ...paper.document, pages: all } }
}

function headingOf(text: string, size: number, y: number): Token[] {
  return text.split(' ').map((word, at) => ({
    text: word,
    box: { x: 0.09 + at * 0.12, y, width: 0.1, height: size * 1.4 },
    fontSize: size * 1.4,
    bold: true,
  }))
}

/** From so much noise on a page is a photo, whose edges are where somebody held it. */
const photoFrom = 0.5

/** The paper as it may be read from a scan; 0 leaves it as it is. */
export function scanned(paper: SortingPaper, noise: number, random: Random): SortingPaper {
  if (noise === 0) return paper
  const { document } = damage(paper.document, noise, random)
  if (noise < photoFrom) return { ...paper, document }
  const scale = random.int(1, 5)
  const pages = document.pages.map((page) => ({
    ...page,
    width: page.width * scale * (0.9 + random.next() / 5),
    height: page.height * scale * (0.9 + random.next() / 5),
  }))
  return { ...paper, document: { ...document, pages } }
}

/** Papers of so many senders, so many of each, of which one is long. */
export function drawnPapers(split: Split, senders: number, each: number, salt: number): SortingPaper[] {
  return randomFrom(salt)
    .sample(templatesOf(split), senders)
    .flatMap((number) => {
      const sender = senderOf(number)
      return Array.from({ length: each }, (_, at) => drawPaper(sender, salt * 100 + at, at === each - 1 && each > 1))
    })
}

/** Kinds of papers as the corpus calls them, where it calls them otherwise than the generator. */
const called: Record<string, string> = { order_confirmation: 'broadcast_order', registration_form: 'form' }

/** The cases that may train as papers; those whose kind nobody can tell are left out. */
export function papersOf(cases: readonly TrainingCase[], folds: ReadonlyMap<string, number>): SortingPaper[] {
  return cases.flatMap((one) => {
    const isOwn = one.set === 'samples' || one.set === 'typed'
    const isMade = paperSets.includes(one.set)
    const kind = isOwn ? kindByTitle(one.document) : isMade ? kindCalled(one.kind) : (called[one.kind] ?? one.kind)
    if (kind === null || one.document.pages.length === 0) return []
    const { document, group, schema } = one
    const language = (['en', 'de', 'fr', 'es', 'it', 'nl'] as const).find((known) => known === one.language) ?? 'en'
    const isFile = filed.has(group)
    return [{ kind, language, sender: group, document, schema, fold: folds.get(group)!, isFile, isMade }]
  })
}

/** An invoice with its back, a delivery note and a page of bookkeeping behind it: their labels are of the invoice. */
const filed = new Set(['Automechanika (handwritten)', 'Punjab Auto (handwritten)', 'Samrat Cars (skewed)'])

const titles = Object.entries(kinds).flatMap(([kind, { titles: named }]) =>
  Object.values(named).flatMap((text) => text.split('|').map((title) => [fold(title), kind] as const)),
)

/** The kind of the first title of the first page that the generator knows. */
export function kindByTitle({ pages }: Document): string | null {
  const text = fold(
    (pages[0]?.tokens ?? [])
      .slice(0, 150)
      .map((token) => token.text)
      .join(' '),
  )
  const found = titles
    .map(([title, kind]) => ({ kind, at: ` ${text} `.indexOf(` ${title} `), length: title.length }))
    .filter(({ at }) => at !== -1)
    .toSorted((left, right) => left.at - right.at || right.length - left.length)
  return found[0]?.kind ?? null
}
