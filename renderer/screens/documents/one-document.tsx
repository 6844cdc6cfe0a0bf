import type { ReactNode } from 'react'
import type { AppState } from '../../../shared/contract/contract.ts'
import { DocumentScreen } from '../review/review.tsx'
import { changeDocumentsView, filterOf, useDocumentsView } from './view.ts'

const home = { screen: 'documents' } as const
const routeTo = (id: number) => ({ screen: 'document', id }) as const
const step = (active: number): void => changeDocumentsView({ active })

/** One document of the list, with the ones before and after it. */
export function OneDocument({ id, host }: { id: number; host: AppState['host'] }): ReactNode {
  const view = useDocumentsView()
  const path = { list: { ...filterOf(view), sort: view.sort, descending: view.descending }, at: view.active }
  return <DocumentScreen id={id} host={host} path={path} routeTo={routeTo} home={home} isReview={false} onStep={step} />
}
