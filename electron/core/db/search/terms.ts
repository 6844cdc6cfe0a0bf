import type { Database } from '../open.ts'

/** More words than these are left to the index: it goes through all of them in one go. */
const maxTerms = 16

/**
 * For beginnings so short the index keeps their documents beside those of whole words (`prefix` in
 * migrations/0001-first.ts).
 */
const indexedLetters = 2

/**
 * Gives the words of the index that begin so; null where there are too many to name, or it is not certain how the index
 * spells them.
 */
export type TermsOf = (beginning: string) => string[] | null

/**
 * For a beginning the index has to gather every document of every word before it can give the first; of a word it gives
 * the newest at once. So the few words that a search may mean are looked up first (sqlite.org/fts5.html, «The fts5vocab
 * Virtual Table Module»).
 */
export function searchTerms(db: Database): TermsOf {
  db.exec("CREATE VIRTUAL TABLE IF NOT EXISTS temp.search_terms USING fts5vocab('main', 'document_search', 'instance')")
  const firstFrom = db.prepare<[string], { term: string }>('SELECT term FROM temp.search_terms WHERE term >= ? LIMIT 1')
  return (beginning) => {
    if (beginning.length <= indexedLetters || !/^[a-z0-9]+$/i.test(beginning)) return null
    const letters = beginning.toLowerCase()
    const terms: string[] = []
    let from = letters
    for (;;) {
      const term = firstFrom.get(from)?.term
      if (term === undefined || !term.startsWith(letters)) return terms
      if (terms.push(term) > maxTerms) return null
      from = `${term}\0`
    }
  }
}
