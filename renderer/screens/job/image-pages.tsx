import { useState } from 'react'
import type { ReactNode } from 'react'
import { fileUrl } from '../../client/files.ts'
import { useLanguage } from '../../messages/language.tsx'
import { Paper } from './document-view.tsx'
import type { PageSize, PagesProps } from './document-view.tsx'

/** A picture: one page of its own size. */
export function ImagePages({ jobId, scale, onPages, onProblem, marks }: PagesProps): ReactNode {
  const { t } = useLanguage()
  const [size, setSize] = useState<PageSize>({ width: 794, height: 1123 })
  return (
    <Paper number={1} size={size} scale={scale}>
      <img
        className="paper__image"
        src={fileUrl(jobId)}
        alt={t('document.imageLabel')}
        draggable={false}
        onLoad={({ currentTarget: image }) => {
          setSize({ width: image.naturalWidth, height: image.naturalHeight })
          onPages(1, image.naturalWidth)
        }}
        onError={() => onProblem(t('document.imageProblem'))}
      />
      {marks(1)}
    </Paper>
  )
}
