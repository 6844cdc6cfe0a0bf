import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { ColumnChoice } from '../../../shared/contract/documents.ts'
import { maxColumnWidths } from '../../../shared/domain/document-columns.ts'
import type { DocumentColumn } from '../../../shared/domain/document-columns.ts'
import { storeSettings, useCall } from '../../client/queries.ts'
import { notify } from '../../components/notices.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { boundedPx } from './table-columns.ts'

const nothingChosen: ColumnChoice = { shown: null, widths: {} }
/** Drags and held keys are stored after a pause. */
const restMs = 300

export type Columns = {
  choice: ColumnChoice
  show: (columns: DocumentColumn[]) => void
  /** In px; null: as wide as it would be by itself. */
  setWidth: (key: string, px: number | null) => void
  reset: () => void
}

/** The columns of the list as a person wants them: at once on the screen, and a moment later in core's settings. */
export function useColumns(): Columns {
  const { errorSentence } = useLanguage()
  const queries = useQueryClient()
  const kept = useCall('app.state', {}).data?.settings.documentColumns ?? nothingChosen
  const [own, setOwn] = useState<ColumnChoice | null>(null)
  const unstored = useRef<ColumnChoice | null>(null)
  /** Counts what was stored: only the answer to the latest one is used. */
  const stores = useRef(0)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const choice = own ?? kept
  const latest = useRef(choice)
  latest.current = choice

  const store = useCallback(() => {
    const wanted = unstored.current
    if (wanted === null) return
    unstored.current = null
    clearTimeout(timer.current)
    const store = (stores.current += 1)
    storeSettings(queries, { documentColumns: wanted })
      .catch((error: unknown) => notify('problem', errorSentence(error)))
      // From here on core's state counts, unless more was changed meanwhile.
      .finally(() => stores.current === store && unstored.current === null && setOwn(null))
  }, [queries, errorSentence])
  useEffect(() => store, [store])

  const change = useCallback(
    (next: ColumnChoice) => {
      latest.current = next
      unstored.current = next
      setOwn(next)
      clearTimeout(timer.current)
      timer.current = setTimeout(store, restMs)
    },
    [store],
  )
  return {
    choice,
    show: (shown) => change({ ...latest.current, shown }),
    setWidth(key, px) {
      const { [key]: _, ...others } = latest.current.widths
      // The one that was chosen longest ago goes first.
      const widths =
        px === null
          ? others
          : Object.fromEntries([...Object.entries(others).slice(1 - maxColumnWidths), [key, boundedPx(px)]])
      change({ ...latest.current, widths })
    },
    reset: () => change(nothingChosen),
  }
}
