import { parse, wrong } from './arguments.ts'
import { none, onlyOne, say, withService } from './service-calls.ts'
import { tableOf } from './table.ts'

/** `sheaf deliveries …`: asynchronous results of the service on this computer that nobody has taken yet. */
export async function deliveriesCommand(argv: string[]): Promise<number> {
  const [command, ...rest] = argv
  switch (command) {
    case 'list': {
      const { values, positionals } = parse(rest, { json: { type: 'boolean', default: false } })
      none(positionals, 'sheaf deliveries list [--json]')
      const { deliveries } = await withService((call) => call('deliveries.list', {}))
      const rows = deliveries.map(({ extractId, state, tries, nextTryAt, fileName, callback }) => [
        extractId,
        state,
        String(tries),
        nextTryAt === null ? '' : new Date(nextTryAt).toISOString(),
        fileName,
        callback,
      ])
      say(values['json'] === true, deliveries, rows.length === 0 ? 'Everything is delivered.' : tableOf([['Extraction', 'State', 'Tries', 'Next try', 'File', 'Callback'], ...rows]))
      return 0
    }
    case 'retry': {
      const extractId = onlyOne(parse(rest, {}).positionals, 'Name one delivery: sheaf deliveries retry EXTRACT_ID')
      await withService((call) => call('deliveries.retry', { extractId }))
      return 0
    }
    case 'remove': {
      const extractId = onlyOne(parse(rest, {}).positionals, 'Name one delivery: sheaf deliveries remove EXTRACT_ID')
      await withService((call) => call('deliveries.remove', { extractId }))
      return 0
    }
    default:
      throw wrong('Say what to do: sheaf deliveries list | retry | remove')
  }
}
