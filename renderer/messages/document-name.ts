import type { PageSpan } from '../../shared/domain/sorting.ts'
import type { Translate } from './language.tsx'

/** Pages of a file in words: «page 2», «pages 2–3». Pure. */
export function pagesText({ first, last }: PageSpan, t: Translate): string {
  return first === last ? t('part.page', { page: first }) : t('part.pages', { first, last })
}

/** By what a document is known: its file, and its pages where it is a part of one. Pure. */
export function documentName({ name, pages }: { name: string; pages: PageSpan | null }, t: Translate): string {
  return pages === null ? name : t('part.name', { name, pages: pagesText(pages, t) })
}
