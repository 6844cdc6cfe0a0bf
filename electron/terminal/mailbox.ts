import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../shared/errors.ts'
import { pairingCodePrefix } from '../../shared/mailbox.ts'
import { isLoopback, normaliseBaseAddress } from '../core/platform/base-address.ts'
import { dataDirOf } from '../host.ts'
import { openMailboxDatabase } from '../mailbox/database.ts'
import { startMailbox } from '../mailbox/server.ts'
import { mailboxStore } from '../mailbox/store.ts'
import type { MailboxStore } from '../mailbox/store.ts'
import { parse, wholeNumber, wrong } from './arguments.ts'
import type { Options, Values } from './arguments.ts'
import { localTime } from './locale.ts'
import { printable } from './report.ts'
import { untilInterrupted } from './serve.ts'
import { isMeant, none, onlyOne, removing, say, textOf, unknownCommand } from './service-calls.ts'
import { tableOf } from './table.ts'

const folder: Options = { 'data-dir': { type: 'string' } }
const defaultPort = '8025'

/** `sheaf mailbox …`: the server that keeps callbacks for desktops, and its pairings. */
export async function mailboxCommand(argv: string[]): Promise<number> {
  const [command, ...rest] = argv
  switch (command) {
    case 'code': {
      const { values, positionals } = parse(rest, folder)
      none(positionals, 'sheaf mailbox code [--data-dir DIR]')
      const code = await withStore(values, (store) => {
        const url = store.publicUrl()
        if (url === null) throw wrong('Start the mailbox once, so that its address is known: sheaf mailbox --public-url URL')
        return pairingCodePrefix + Buffer.from(JSON.stringify({ url, secret: store.addCode(Date.now()) })).toString('base64url')
      })
      process.stderr.write('For one desktop, within a day: Settings, Callbacks, Mailbox.\n')
      say(false, null, code)
      return 0
    }
    case 'list': {
      const { values, positionals } = parse(rest, { ...folder, json: { type: 'boolean', default: false } })
      none(positionals, 'sheaf mailbox list [--json]')
      const boxes = await withStore(values, (store) => store.boxes())
      const rows = boxes.map(({ id, name, pairedAt, fetchedAt, messages, sizeBytes }) => ({ id, name, pairedAt, fetchedAt, messages, sizeBytes }))
      say(values['json'] === true, rows, rows.length === 0 ? 'No desktop is paired. A code for one: sheaf mailbox code' : listed(rows))
      return 0
    }
    case 'remove': {
      const { values, positionals } = parse(rest, { ...folder, ...removing })
      const id = onlyOne(positionals, 'Name one box by its ID: sheaf mailbox remove BOX [--yes]')
      if (!(await isMeant(values, `Remove the box ${id}? What waits in it is deleted, and its desktop has to be paired again.`))) return 1
      const removed = await withStore(values, (store) => {
        const was = store.removeBox(id)
        while (store.sweep());
        return was
      })
      if (!removed) throw wrong(`There is no box with the ID «${id}». IDs stand in the first column of: sheaf mailbox list`)
      say(false, null, `Removed the box ${printable(id)}.`)
      return 0
    }
    default:
      if (command !== undefined && !command.startsWith('-')) throw unknownCommand('mailbox', command, '--public-url URL | code | list | remove')
      return serve(argv)
  }
}

async function serve(argv: string[]): Promise<number> {
  const { values, positionals } = parse(argv, {
    ...folder,
    port: { type: 'string', default: defaultPort },
    host: { type: 'string', default: '127.0.0.1' },
    'public-url': { type: 'string' },
  })
  none(positionals, 'sheaf mailbox [--port N] [--host HOST] [--data-dir DIR] --public-url URL')
  const port = wholeNumber(values['port'])
  if (!(port <= 65_535)) throw wrong(`--port takes a number from 0 to 65535, not «${String(values['port'])}»`)
  const given = textOf(values, 'public-url')
  const mailbox = await startMailbox({
    dataDir: dataDirFor(values),
    host: String(values['host']),
    port,
    publicUrl: given === undefined ? null : publicAddress(given),
    log: (line) => process.stderr.write(`${printable(line)}\n`),
  })
  const { protocol, hostname } = new URL(mailbox.publicUrl)
  if (protocol === 'http:' && !isLoopback(hostname)) {
    process.stderr.write('Note: the public address is http, so whoever is on the way can read callbacks. Put a proxy with a certificate in front (docs/callbacks.md).\n')
  }
  const interrupted = untilInterrupted()
  process.stdout.write(`READY ${mailbox.url}\n`)
  process.stderr.write(`Reached from outside at ${mailbox.publicUrl}. A code for a desktop: sheaf mailbox code\n`)
  await interrupted
  await mailbox.close()
  return 0
}

function publicAddress(given: string): string {
  try {
    return normaliseBaseAddress(given)
  } catch (error) {
    throw error instanceof AppError ? wrong(`--public-url is not an http or https address: ${String(error.details['address'])}`) : error
  }
}

function dataDirFor(values: Values): string {
  return textOf(values, 'data-dir') ?? join(dataDirOf(process.env), 'mailbox')
}

/** Works on the data of a mailbox, whether its server runs or not. Throws `usage` where there is none. */
async function withStore<T>(values: Values, work: (store: MailboxStore) => T): Promise<T> {
  const dataDir = dataDirFor(values)
  if (!existsSync(join(dataDir, 'mailbox.db'))) throw wrong(`There is no mailbox in ${dataDir}. Start it first: sheaf mailbox --public-url URL, or name its folder: --data-dir DIR`)
  const db = openMailboxDatabase(dataDir)
  try {
    return work(mailboxStore(db))
  } finally {
    db.close()
  }
}

type Listed = { id: string; name: string; pairedAt: number; fetchedAt: number | null; messages: number; sizeBytes: number }

function listed(rows: Listed[]): string {
  return tableOf([
    ['Box', 'Computer', 'Paired', 'Last asked', 'Waiting', 'MB'],
    ...rows.map((row) => [
      row.id,
      row.name,
      localTime(row.pairedAt),
      row.fetchedAt === null ? 'never' : localTime(row.fetchedAt),
      String(row.messages),
      (row.sizeBytes / 1024 / 1024).toFixed(1),
    ]),
  ])
}
