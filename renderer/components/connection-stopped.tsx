import type { ReactNode } from 'react'
import type { ConnectionRow } from '../../shared/contract/connections.ts'
import { useLanguage } from '../messages/language.tsx'
import { Callout } from './page.tsx'

/** Where a connection is chosen: why what goes there waits; nothing while it does not. */
export function ConnectionStopped({ connection }: { connection: ConnectionRow | undefined }): ReactNode {
  const { sentence } = useLanguage()
  return connection?.pausedReason ? <Callout kind="flag">{sentence(connection.pausedReason)}</Callout> : null
}
