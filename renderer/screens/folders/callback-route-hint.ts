import type { AppState } from '../../../shared/contract/contract.ts'
import type { ConnectionRow } from '../../../shared/contract/connections.ts'
import type { ExtractionMode } from '../../../shared/domain/document-status.ts'
import type { MessageId } from '../../messages/language.tsx'

type CallbackRouteHint = { kind: 'info' | 'flag'; messages: MessageId[] }

/** A service at such an address reaches this computer by itself. */
const loopbackHost = /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/**
 * What a person who has a folder answered by callback has to know as long as no callback route is tested; null when
 * nothing. Pure.
 */
export function callbackRouteHint(
  mode: ExtractionMode,
  connection: Pick<ConnectionRow, 'kind' | 'baseUrl'> | undefined,
  callbackRoute: AppState['callbackRoute'],
): CallbackRouteHint | null {
  if (mode === 'sync' || callbackRoute === 'tested' || !connection || connection.kind === 'local') return null
  if (loopbackHost.test(URL.parse(connection.baseUrl ?? '')?.hostname ?? '')) return null
  if (callbackRoute === 'untested') return { kind: 'info', messages: ['callbackRoute.untested'] }
  return {
    kind: mode === 'async' ? 'flag' : 'info',
    messages: [
      callbackRoute === 'none' ? 'callbackRoute.none' : 'callbackRoute.failed',
      mode === 'async' ? 'callbackRoute.filesWait' : 'callbackRoute.largeSync',
    ],
  }
}
