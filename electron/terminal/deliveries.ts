import type { DeliveryRow } from '../../shared/wire/service-control.ts'
import { localTime, printable, tableOf } from './format.ts'
import {
  confirm,
  confirmOptions,
  jsonOption,
  onePositional,
  print,
  refusePositionals,
  runCommand,
  withService,
} from './service-calls.ts'
import type { Command, Given } from './service-calls.ts'

const states: Record<DeliveryRow['state'], string> = {
  started: 'being extracted',
  delivering: 'delivering',
  undelivered: 'given up',
}

const commands: Record<string, Command> = {
  list: { options: jsonOption, run: listDeliveries },
  retry: { options: {}, run: retryDelivery },
  remove: { options: confirmOptions, run: removeDelivery },
}

/** `sheaf deliveries …`: asynchronous results of the service on this computer that nobody has taken yet. */
export function deliveriesCommand(argv: string[]): Promise<number> {
  return runCommand('deliveries', commands, argv)
}

async function listDeliveries({ positionals, asJson }: Given): Promise<void> {
  refusePositionals(positionals, 'sheaf deliveries list [--json]')
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
  const head = ['Extraction', 'State', 'Tries', 'Next try', 'Last try', 'File', 'Callback']
  print(asJson, deliveries, rows.length === 0 ? 'Everything is delivered.' : tableOf([head, ...rows]))
}

async function retryDelivery({ positionals }: Given): Promise<void> {
  const extractId = onePositional(positionals, 'Name one delivery: sheaf deliveries retry EXTRACT_ID')
  await withService((call) => call('deliveries.retry', { extractId }))
  print(false, null, `The delivery of ${printable(extractId)} is tried now. What came of it: sheaf deliveries list`)
}

async function removeDelivery({ values, positionals }: Given): Promise<number | void> {
  const extractId = onePositional(positionals, 'Name one delivery: sheaf deliveries remove EXTRACT_ID [--yes]')
  if (!(await confirm(values, `Remove the result of ${extractId}? Nobody has taken it yet.`))) return 1
  await withService((call) => call('deliveries.remove', { extractId }))
  print(false, null, `Removed ${printable(extractId)}.`)
}

function failureWords(failure: string): string {
  if (/^\d{3}$/.test(failure)) return `answered ${failure}`
  if (failure === 'private_address') return 'a private address: needs --allow-private-callbacks'
  return failure === 'timeout' ? 'no answer in time' : `nobody answers (${failure})`
}
