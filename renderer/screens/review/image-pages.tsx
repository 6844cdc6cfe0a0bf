import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { fetchFile, fileUrl } from '../../client/files.ts'
import { useLanguage } from '../../messages/language.tsx'
import { Paper } from './paper.tsx'
import type { PageSize, PagesProps } from './paper.tsx'
import { rotateSize } from './rotation.ts'

/** About the upper left corner, and back onto the page. */
const transforms = {
  0: undefined,
  90: 'rotate(90deg) translateY(-100%)',
  180: 'rotate(180deg) translate(-100%, -100%)',
  270: 'rotate(270deg) translateX(-100%)',
}

/** A picture: one page of its own size. */
export function ImagePages({ documentId, scale, onPages, onProblem, marks, rotation }: PagesProps): ReactNode {
  const { t } = useLanguage()
  const [size, setSize] = useState<PageSize>({ width: 794, height: 1123 })
  const [opened, setOpened] = useState(false)
  const [objectUrl, setObjectUrl] = useState<string | null>(null)
  useEffect(() => {
    let closed = false
    let made: string | null = null
    fetchFile(fileUrl(documentId), '')
      .then((content) => {
        if (closed) return
        made = URL.createObjectURL(content)
        setObjectUrl(made)
      })
      .catch(() => !closed && onProblem(t('document.imageProblem')))
    return () => {
      closed = true
      if (made !== null) URL.revokeObjectURL(made)
    }
  }, [documentId, onProblem, t])
  useEffect(() => {
    if (opened) onPages(1, rotateSize(size, rotation).width)
  }, [opened, size, rotation, onPages])
  return (
    <Paper number={1} size={rotateSize(size, rotation)} scale={scale}>
      {objectUrl !== null && (
        <img
          className="paper__image"
          src={objectUrl}
          alt={t('document.imageLabel')}
          draggable={false}
          style={{ width: size.width * scale, height: size.height * scale, transform: transforms[rotation] }}
          onLoad={({ currentTarget: image }) => {
            setSize({ width: image.naturalWidth, height: image.naturalHeight })
            setOpened(true)
          }}
          onError={() => onProblem(t('document.imageProblem'))}
        />
      )}
      {marks(1)}
    </Paper>
  )
}
