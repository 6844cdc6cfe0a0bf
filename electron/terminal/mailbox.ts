import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../shared/domain/errors.ts'
import { pairingCodePrefix } from '../../shared/wire/mailbox.ts'
import { normaliseBaseAddress } from '../core/platform/base-address.ts'
import { isLoopback } from '../system/loopback.ts'
import { dataDirOf } from '../data-dir.ts'
import { openMailboxDatabase } from '../mailbox/database.ts'
import { startMailbox } from '../mailbox/server.ts'
import { MailboxStore } from '../mailbox/store.ts'
import { parse, wholeNumber, usageError } from './arguments.ts'
import type { Options, Values } from './arguments.ts'
import { localTime, printable, tableOf } from './format.ts'
import { untilInterrupted } from './interrupt.ts'
import { reportSharedFolder } from './shared-folder.ts'
import {
  confirm,
  confirmOptions,
  jsonOption,
  onePositional,
  print,
  refusePositionals,
  runCommand,
  textOption,
} from './service-calls.ts'
import type { Command, Given } from './service-calls.ts'

const folder: Options = { 'data-dir': { type: 'string' } }
const defaultPort = '8025'

const commands: Record<string, Command> = {
  code: { options: folder, run: makeCode },
  list: { options: { ...folder, ...jsonOption }, run: listBoxes },
  remove: { options: { ...folder, ...confirmOptions }, run: removeBox },
}

/** `sheaf mailbox …`: the server that keeps callbacks for desktops, and its pairings. */
export function mailboxCommand(argv: string[]): Promise<number> {
  const [command] = argv
  if (command === undefined || command.startsWith('-')) return serve(argv)
  return runCommand('mailbox', commands, argv, '--public-url URL | code | list | remove')
}

async function makeCode({ values, positionals }: Given): Promise<void> {
  refusePositionals(positionals, 'sheaf mailbox code [--data-dir DIR]')
  const code = await withStore(values, (store) => {
    const url = store.publicUrl()
    if (url === null)
      throw usageError('Start the mailbox once, so that its address is known: sheaf mailbox --public-url URL')
    const content = JSON.stringify({ url, secret: store.addCode(Date.now()) })
    return pairingCodePrefix + Buffer.from(content).toString('base64url')
  })
  process.stderr.write('For one desktop, within a day: Settings, Callbacks, Mailbox.\n')
  print(false, null, code)
}

async function listBoxes({ values, positionals, asJson }: Given): Promise<void> {
  refusePositionals(positionals, 'sheaf mailbox list [--json]')
  const boxes = await withStore(values, (store) => store.boxes())
  const rows = boxes.map(({ id, name, pairedAt, fetchedAt, messages, sizeBytes }) => ({
    id,
    name,
    pairedAt,
    fetchedAt,
    messages,
    sizeBytes,
  }))
  const none = 'No desktop is paired. A code for one: sheaf mailbox code'
  print(asJson, rows, rows.length === 0 ? none : boxTable(rows))
}

async function removeBox({ values, positionals }: Given): Promise<number | void> {
  const id = onePositional(positionals, 'Name one box by its ID: sheaf mailbox remove BOX [--yes]')
  const question = `Remove the box ${id}? What waits in it is deleted, and its desktop has to be paired again.`
  if (!(await confirm(values, question))) return 1
  const isRemoved = await withStore(values, (store) => {
    const wasThere = store.removeBox(id)
    while (store.sweep());
    return wasThere
  })
  if (!isRemoved)
    throw usageError(`There is no box with the ID «${id}». IDs stand in the first column of: sheaf mailbox list`)
  print(false, null, `Removed the box ${printable(id)}.`)
}

async function serve(argv: string[]): Promise<number> {
  const { values, positionals } = parse(argv, {
    ...folder,
    port: { type: 'string', default: defaultPort },
    host: { type: 'string', default: '127.0.0.1' },
    'public-url': { type: 'string' },
  })
  refusePositionals(positionals, 'sheaf mailbox [--port N] [--host HOST] [--data-dir DIR] --public-url URL')
  const port = wholeNumber(values['port'])
  if (!(port <= 65_535)) throw usageError(`--port takes a number from 0 to 65535, not «${String(values['port'])}»`)
  const given = textOption(values, 'public-url')
  const dataDir = dataDirFor(values)
  const mailbox = await startMailbox({
    dataDir,
    host: String(values['host']),
    port,
    publicUrl: given === undefined ? null : publicAddress(given),
    log: (line) => process.stderr.write(`${printable(line)}\n`),
  })
  await reportSharedFolder(dataDir)
  const { protocol, hostname } = new URL(mailbox.publicUrl)
  if (protocol === 'http:' && !isLoopback(hostname)) {
    process.stderr.write(
      'Note: the public address is http, so whoever is on the way can read callbacks. Put a proxy with a certificate in front (docs/callbacks.md).\n',
    )
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
    throw error instanceof AppError
      ? usageError(`--public-url is not an http or https address: ${String(error.details['address'])}`)
      : error
  }
}

function dataDirFor(values: Values): string {
  return textOption(values, 'data-dir') ?? join(dataDirOf(process.env), 'mailbox')
}

/** Works on the data of a mailbox, whether its server runs or not. Throws `usage` where there is none. */
async function withStore<T>(values: Values, work: (store: MailboxStore) => T): Promise<T> {
  const dataDir = dataDirFor(values)
  if (!existsSync(join(dataDir, 'mailbox.db')))
    throw usageError(
      `There is no mailbox in ${dataDir}. Start it first: sheaf mailbox --public-url URL, or name its folder: --data-dir DIR`,
    )
  const db = openMailboxDatabase(dataDir)
  try {
    return work(new MailboxStore(db))
  } finally {
    db.close()
  }
}

type BoxRow = {
  id: string
  name: string
  pairedAt: number
  fetchedAt: number | null
  messages: number
  sizeBytes: number
}

function boxTable(rows: BoxRow[]): string {
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
