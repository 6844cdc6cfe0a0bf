import { toAppError } from '../shared/domain/errors.ts'
import type { ErrorCode } from '../shared/domain/errors.ts'
import { sentenceFor } from '../shared/messages/sentences.ts'
import { parseExtract, parseServe, parseService, parseWatch } from './terminal/arguments.ts'
import { helpOf } from './terminal/help.ts'
import { printable, printableLines } from './terminal/format.ts'
import { version } from './version.ts'

const usage = `Sheaf ${version}: folders of documents into spreadsheets

  sheaf extract PATH... --schema FILE.json [--agent REF] [--mode auto|sync|async]
                [--out FILE.csv|.xlsx|.json] [--json] [--resend] [--resume] [--concurrency N]
  sheaf watch FOLDER --schema FILE.json --out FILE.csv|.xlsx [--once] [--resume] [--concurrency N]
  sheaf serve [--port N]      the app in a browser
  sheaf service [--port N] [--allow-private-callbacks] [--stream-limit SECONDS] [--silence-limit SECONDS]
                              only the platform API on this computer
  sheaf mailbox [--port N] [--host HOST] [--data-dir DIR] --public-url URL
                              keeps results for desktops that nobody reaches from outside
  sheaf mailbox code | list | remove BOX

The service on this computer, running or not (each with --json where it lists):
  sheaf agents list | remove REF | documents REF | add-documents REF PATH... | remove-document REF ID
  sheaf agents add NAME --kind documentalist|extractor [--schema FILE.json] [--reference REF]
                   [--visibility private|organization|public] [--organization ID]
  sheaf access list | remove-client CLIENT_ID | add-client ACCOUNT [--name NAME]
  sheaf access add-organization NAME | set-organization ID [--api yes|no] [--subscribed yes|no]
                   [--quota TOKENS|none] [--cap EUROS|none] [--price EUROS] [--name NAME]
  sheaf access add-account NAME --organization ID | set-account ID [--active yes|no]
                   [--administrator yes|no] [--name NAME]
  sheaf models show | clear | set --url URL [--large MODEL|none] [--small MODEL|none] [--key-from-stdin]
  sheaf deliveries list | retry ID | remove ID    results that no callback has taken yet

  sheaf policies [--json]     what an administrator has set on this computer, and what was not understood

sheaf COMMAND --help explains the words of a command.
A schema file is a JSON array of fields: {"name", "format": text|number|boolean|list, "description", "items"}.
SHEAF_BASE_URL, SHEAF_CLIENT_ID and SHEAF_CLIENT_SECRET choose a platform; without them the documents
stay on this computer. SHEAF_DATA_DIR is the folder for Sheaf's data. SHEAF_MODEL_KEY is the key of a model server.

Exit code 0: all done. 1: at least one not. 2: wrong use.
`

/**
 * A command's arguments are `rest`; paths are meant from `base`. Each returns the exit code. A command is loaded when
 * it is called: whoever asks for help or lists agents does not wait for all of core.
 */
const commands: Record<string, (rest: string[], base: string) => Promise<number>> = {
  extract: async (rest, base) => (await import('./terminal/extract.ts')).extractCommand(parseExtract(rest, base)),
  watch: async (rest, base) => (await import('./terminal/watch.ts')).watchCommand(parseWatch(rest, base)),
  serve: async (rest) => (await import('./terminal/serve.ts')).serveCommand(parseServe(rest)),
  service: async (rest) => (await import('./terminal/service.ts')).serviceCommand(parseService(rest)),
  agents: async (rest, base) => (await import('./terminal/agents.ts')).agentsCommand(rest, base),
  access: async (rest) => (await import('./terminal/access.ts')).accessCommand(rest),
  models: async (rest) => (await import('./terminal/models.ts')).modelsCommand(rest),
  deliveries: async (rest) => (await import('./terminal/deliveries.ts')).deliveriesCommand(rest),
  policies: async (rest) => (await import('./terminal/policies.ts')).policiesCommand(rest),
  mailbox: async (rest) => (await import('./terminal/mailbox.ts')).mailboxCommand(rest),
  start: async () => (await import('./terminal/start.ts')).startCommand(),
  demo: async () => (await import('./terminal/demo.ts')).demoCommand(),
}

/** Wrong use, told from work that was not done. */
const usageErrors: readonly ErrorCode[] = ['usage', 'schema_file_unreadable', 'folder_missing', 'folder_system']

/** Runs one command and returns its exit code: 0 all done, 1 at least one not, 2 wrong use. */
export async function main(argv: string[]): Promise<number> {
  const [command, ...rest] = argv
  // Whoever reads our output may stop reading; the work goes on.
  process.stdout.on('error', () => undefined)
  // `npm run sheaf` moves to the project's folder; paths are meant from where the person stands.
  const base = (process.env['npm_lifecycle_event'] === 'sheaf' && process.env['INIT_CWD']) || process.cwd()
  try {
    const text = textFor(command, rest)
    if (text !== null) {
      process.stdout.write(text)
      return 0
    }
    if (command !== undefined && Object.hasOwn(commands, command)) return await commands[command]!(rest, base)
    process.stderr.write(`${command === undefined ? '' : `There is no command «${printable(command)}».\n\n`}${usage}`)
    return 2
  } catch (thrown) {
    const { code, details } = toAppError(thrown)
    process.stderr.write(`${printableLines(sentenceFor(code, details, 'en'))}\n`)
    if (code === 'restored_from_snapshot')
      process.stderr.write('Look at them with sheaf serve, or run the same command with --resume.\n')
    return usageErrors.includes(code) ? 2 : 1
  }
}

/** The text that is asked for instead of work: the help of a command, the usage of all, the version; null for none. */
function textFor(command: string | undefined, rest: string[]): string | null {
  const isHelp = command === 'help' || rest.includes('--help') || rest.includes('-h')
  const help = isHelp ? helpOf(command === 'help' ? rest[0] : command) : null
  if (command === '--version') return `${version}\n`
  return help ?? (['help', '--help', '-h'].includes(command ?? '') ? usage : null)
}
