import { searchIndex } from './migrations/0006-search.ts'
import type { Database } from './open.ts'

/** More of a document's text is not searched: a book would make every search slower. */
const longestText = 200_000

/** True for a fault of the index of words alone, as SQLite's check words it: nothing is lost with it. Pure. */
export function isOfSearch(fault: string): boolean {
  return /\bfts5\b.*\bjob_search\b/i.test(fault)
}

/** An empty index in the place of one that broke; everything is put into it again. Throws SQLite's error where even that cannot be done. */
export function renewSearch(db: Database): void {
  db.transaction(() => {
    db.exec(`DROP TABLE job_search; ${searchIndex} INSERT OR IGNORE INTO search_due SELECT id FROM jobs`)
  })()
}

/** The index of words. What is to be indexed is noted by triggers (migration 6) in the transaction of each change. */
export function searchTable(db: Database) {
  const columns = 'name, place, value, text, scope'
  const textOf = db.prepare<[number], { text: string }>('SELECT text FROM job_texts WHERE job_id = ?')
  const setText = db.prepare<[{ jobId: number; kept: string }]>('INSERT OR REPLACE INTO job_texts (job_id, text) SELECT id, @kept FROM jobs WHERE id = @jobId')
  const withoutText = db
    .prepare<[{ among: number }], number>(`
    SELECT id FROM jobs WHERE id > (SELECT max(id) FROM jobs) - @among AND result_id IS NOT NULL AND id NOT IN (SELECT job_id FROM job_texts) ORDER BY id`)
    .pluck()
  const lowest = db.prepare<[number], { id: number | null }>('SELECT min(job_id) AS id FROM (SELECT job_id FROM search_due ORDER BY job_id DESC LIMIT ?)')
  const remove = db.prepare<[number]>('DELETE FROM job_search WHERE rowid IN (SELECT job_id FROM search_due WHERE job_id >= ?)')
  const add = db.prepare<[number]>(`
    INSERT INTO job_search (rowid, ${columns}) SELECT id, ${columns} FROM search_due CROSS JOIN job_words ON id = job_id WHERE job_id >= ?`)
  const settle = db.prepare<[number]>('DELETE FROM search_due WHERE job_id >= ?')
  const any = db.prepare<[], { any: number }>('SELECT EXISTS (SELECT 1 FROM search_due) AS any')

  return {
    /** What a document says, as it was read on this computer; found from then on. */
    setText(jobId: number, text: string): void {
      const kept = text.slice(0, longestText)
      if (textOf.get(jobId)?.text !== kept) setText.run({ jobId, kept })
    },
    hasText: (jobId: number): boolean => textOf.get(jobId) !== undefined,
    /** Ids, rising, of those among so many of the newest documents that have a result and whose text is not known. */
    withoutText: (among: number): number[] => withoutText.all({ among }),
    /** True while there are changes that the index does not have. */
    isBehind: (): boolean => any.get()!.any === 1,
    /** Puts the newest documents that are to be indexed into the index, at most so many; returns how many there were. */
    catchUp: db.transaction((limit: number): number => {
      const { id } = lowest.get(limit)!
      if (id === null) return 0
      remove.run(id)
      add.run(id)
      return settle.run(id).changes
    }),
  }
}
