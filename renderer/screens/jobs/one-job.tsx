import type { ReactNode } from 'react'
import type { AppState } from '../../../shared/contract.ts'
import { JobScreen } from '../job/job.tsx'
import { changeJobsView, filterOf, useJobsView } from './view.ts'

const home = { screen: 'jobs' } as const
const routeTo = (id: number) => ({ screen: 'job', id }) as const
const step = (active: number): void => changeJobsView({ active })

/** One document of the list, with the ones before and after it. */
export function OneJob({ id, host }: { id: number; host: AppState['host'] }): ReactNode {
  const view = useJobsView()
  const path = { list: { ...filterOf(view), sort: view.sort, descending: view.descending }, at: view.active }
  return <JobScreen id={id} host={host} path={path} routeTo={routeTo} home={home} isReview={false} onStep={step} />
}
