import type { DeliveryRow } from '../../shared/service-control.ts'
import { parse } from './arguments.ts'
import { localTime } from './locale.ts'
import { printable } from './report.ts'
import { isMeant, none, onlyOne, removing, say, unknownCommand, withService } from './service-calls.ts'
import { tableOf } from './table.ts'

const states: Record<DeliveryRow['state'], string> = { started: 'being extracted', delivering: 'delivering', undelivered: 'given up' }

/** `sheaf deliveries …`: asynchronous results of the service on this computer that nobody has taken yet. */
export async function deliveriesCommand(argv: string[]): Promise<number> {
  const [command, ...rest] = argv
  switch (command) {
    case 'list': {
      const { values, positionals } = parse(rest, { json: { type: 'boolean', default: false } })
      none(positionals, 'sheaf deliveries list [--json]')
      const { deliveries } = await withService((call) => call('deliveries.list', {}))
      const rows = deliveries.map(({ extractId, state, tries, nextTryAt, lastFailure, fileName, callback }) => [
        extractId,
        states[state],
        String(tries),
        nextTryAt === null ? '' : localTime(nextTryAt),
        lastFailure === null ? '' : failureWords(lastFailure),
        fileName,
        callback,
      ])
      say(values['json'] === true, deliveries, rows.length === 0 ? 'Everything is delivered.' : tableOf([['Extraction', 'State', 'Tries', 'Next try', 'Last try', 'File', 'Callback'], ...rows]))
      return 0
    }
    case 'retry': {
      const extractId = onlyOne(parse(rest, {}).positionals, 'Name one delivery: sheaf deliveries retry EXTRACT_ID')
      await withService((call) => call('deliveries.retry', { extractId }))
      say(false, null, `The delivery of ${printable(extractId)} is tried now. What came of it: sheaf deliveries list`)
      return 0
    }
    case 'remove': {
      const { values, positionals } = parse(rest, removing)
      const extractId = onlyOne(positionals, 'Name one delivery: sheaf deliveries remove EXTRACT_ID [--yes]')
      if (!(await isMeant(values, `Remove the result of ${extractId}? Nobody has taken it yet.`))) return 1
      await withService((call) => call('deliveries.remove', { extractId }))
      say(false, null, `Removed ${printable(extractId)}.`)
      return 0
    }
    default:
      throw unknownCommand('deliveries', command, 'list | retry | remove')
  }
}

function failureWords(failure: string): string {
  if (/^\d{3}$/.test(failure)) return `answered ${failure}`
  if (failure === 'private_address') return 'a private address: needs --allow-private-callbacks'
  return failure === 'timeout' ? 'no answer in time' : `nobody answers (${failure})`
}
