import type { CSSProperties, ReactNode, RefObject } from 'react'
import type { FieldSource } from '../../../shared/domain/result.ts'
import { useLanguage } from '../../messages/language.tsx'
import type { Active } from './pointer.ts'
import type { Pointing } from './pointing.tsx'
import type { Rotation } from './rotation.ts'

/** The size of a page in CSS pixels at 100 %. */
export type PageSize = { width: number; height: number }

/** What every kind of document gets to draw its pages with. */
export type PagesProps = {
  documentId: number
  /** Pixels for each pixel at 100 %. */
  scale: number
  scroller: RefObject<HTMLDivElement | null>
  /** How many pages there are and how wide the widest is, once that is known. */
  onPages: (count: number, width: number) => void
  onProblem: (detail: string) => void
  /** The marks of one page, to be put over its drawing. */
  marks: (page: number) => ReactNode
  rotation: Rotation
  sources: FieldSource[]
  active: Active
  onActive: (active: Active) => void
  /** While a value is in hand that words can be put into. */
  pointing: Pointing | null
}

/** The sheet of paper that a page is drawn on. */
export function Paper({
  number,
  size,
  scale,
  children,
  className = '',
}: {
  number: number
  size: PageSize
  scale: number
  children: ReactNode
  className?: string
}): ReactNode {
  const { t } = useLanguage()
  const style: CSSProperties = { width: Math.round(size.width * scale), height: Math.round(size.height * scale) }
  return (
    <div
      className={`paper ${className}`}
      style={style}
      data-page={number}
      role="group"
      aria-label={t('document.pageLabel', { page: number })}
    >
      {children}
    </div>
  )
}
