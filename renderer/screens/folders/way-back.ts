import type { AppState, ConnectionRow } from '../../../shared/contract.ts'
import type { ExtractionMode } from '../../../shared/job.ts'
import type { MessageId } from '../../messages/language.tsx'

export type WayBackHint = { kind: 'info' | 'flag'; words: MessageId[] }

/** A service at such an address reaches this computer by itself. */
const ownHost = /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** What a person has to know who lets a folder be answered by callback, as long as no way back is tested; null when nothing. Pure. */
export function wayBackHint(mode: ExtractionMode, connection: Pick<ConnectionRow, 'kind' | 'baseUrl'> | undefined, wayBack: AppState['wayBack']): WayBackHint | null {
  if (mode === 'sync' || wayBack === 'tested' || !connection || connection.kind === 'local') return null
  if (ownHost.test(URL.parse(connection.baseUrl ?? '')?.hostname ?? '')) return null
  if (wayBack === 'untested') return { kind: 'info', words: ['wayBack.untested'] }
  return { kind: mode === 'async' ? 'flag' : 'info', words: [wayBack === 'none' ? 'wayBack.none' : 'wayBack.failed', mode === 'async' ? 'wayBack.filesWait' : 'wayBack.largeSync'] }
}
