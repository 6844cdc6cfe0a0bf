import { resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { agentKinds, visibilities } from '../../shared/domain/agent.ts'
import type { AgentDocumentRow, AgentRow } from '../../shared/domain/agent.ts'
import { sentenceFor } from '../../shared/messages/sentences.ts'
import type { ControlInput } from '../../shared/wire/service-control.ts'
import { readSchemaFile, usageError } from './arguments.ts'
import type { Options } from './arguments.ts'
import { printable, tableOf } from './format.ts'
import {
  confirm,
  confirmOptions,
  jsonOption,
  onePositional,
  print,
  refusePositionals,
  runCommand,
  textOption,
  warnSameName,
  withService,
} from './service-calls.ts'
import type { CallService, Command, Given } from './service-calls.ts'

const text = { type: 'string' } as const
const pollMs = 300

/**
 * `sheaf agents …`: the agents of the service on this computer. Exit code 1 when a document was not taken or could not
 * be read. Paths are meant from `base`.
 */
export function agentsCommand(argv: string[], base: string): Promise<number> {
  const addOptions: Options = {
    kind: text,
    schema: text,
    visibility: { ...text, default: 'Organization' },
    reference: text,
    organization: text,
    ...jsonOption,
  }
  const commands: Record<string, Command> = {
    list: { options: jsonOption, run: listAgents },
    add: { options: addOptions, run: (given) => addAgent(given, base) },
    remove: { options: confirmOptions, run: removeAgent },
    documents: { options: jsonOption, run: listDocuments },
    'add-documents': { options: {}, run: (given) => addDocuments(given, base) },
    'remove-document': { options: {}, run: removeDocument },
  }
  return runCommand('agents', commands, argv)
}

async function listAgents({ positionals, asJson }: Given): Promise<void> {
  refusePositionals(positionals, 'sheaf agents list [--json]')
  const { agents } = await withService((call) => call('agents.list', {}))
  const none = 'There are no agents yet: sheaf agents add NAME --kind documentalist|extractor'
  print(asJson, agents, agents.length === 0 ? none : agentTable(agents))
}

async function addAgent(given: Given, base: string): Promise<void> {
  const input = agentFrom(given, base)
  const saved = await withService(async (call) => {
    const { agents } = await call('agents.list', {})
    // Saving under a known reference would change that agent instead.
    if (agents.some(({ reference }) => reference === input.reference))
      throw usageError(`There is an agent ${String(input.reference)} already. Choose another --reference.`)
    warnSameName('agent', input.name, agents)
    return call('agents.save', input)
  })
  print(given.asJson, saved, saved.reference)
}

async function removeAgent({ values, positionals }: Given): Promise<number | void> {
  const reference = onePositional(positionals, 'Name one agent: sheaf agents remove REFERENCE [--yes]')
  const question = `Remove the agent ${reference}? The copies of its documents and its conversations go with it.`
  if (!(await confirm(values, question))) return 1
  await withService((call) => call('agents.remove', { reference }))
  print(false, null, `Removed the agent ${printable(reference)}.`)
}

async function listDocuments({ positionals, asJson }: Given): Promise<void> {
  const reference = onePositional(positionals, 'Name one Documentalist: sheaf agents documents REFERENCE [--json]')
  const { documents } = await withService(async (call) => {
    await refuseOtherKinds(call, reference)
    return call('agents.documents', { reference })
  })
  const none = 'It has no documents yet: sheaf agents add-documents REFERENCE PATH...'
  print(asJson, documents, documents.length === 0 ? none : documentTable(documents))
}

async function addDocuments({ positionals }: Given, base: string): Promise<number> {
  const [reference, ...paths] = positionals
  if (reference === undefined || paths.length === 0)
    throw usageError('Name a Documentalist and files or folders: sheaf agents add-documents REFERENCE PATH...')
  const resolved = paths.map((path) => resolve(base, path))
  return withService((call) => copyAndRead(call, reference, resolved))
}

async function removeDocument({ positionals }: Given): Promise<void> {
  const [reference, id, ...others] = positionals
  if (reference === undefined || id === undefined || others.length > 0)
    throw usageError('Name a Documentalist and one document: sheaf agents remove-document REFERENCE ID')
  await withService(async (call) => {
    await refuseOtherKinds(call, reference)
    return call('agents.removeDocument', { reference, id })
  })
  print(false, null, `Removed the document ${printable(id)}.`)
}

/** The agent that the options of `add` describe. Throws `usage`. */
function agentFrom({ values, positionals }: Given, base: string): ControlInput<'agents.save'> {
  const name = onePositional(
    positionals,
    'Name the agent: sheaf agents add NAME --kind documentalist, or --kind extractor --schema FILE.json',
  )
  const kind = agentKinds.find((known) => known === textOption(values, 'kind')?.toLowerCase())
  if (kind === undefined) throw usageError('--kind is documentalist or extractor')
  if (kind === 'writer') throw usageError(sentenceFor('agent_coming_soon', {}, 'en'))
  const visibility = visibilities.find(
    (known) => known.toLowerCase() === textOption(values, 'visibility')?.toLowerCase(),
  )
  if (visibility === undefined)
    throw usageError(`--visibility is ${visibilities.join(', ')}, not «${String(values['visibility'])}»`)
  const schemaFile = textOption(values, 'schema')
  if (kind === 'extractor' && schemaFile === undefined)
    throw usageError('Say what the Extractor extracts: --schema FILE.json')
  if (kind !== 'extractor' && schemaFile !== undefined) throw usageError(`A ${kind} has no schema; leave --schema out`)
  const organizationId = textOption(values, 'organization')
  return {
    name,
    kind,
    visibility,
    reference: textOption(values, 'reference') ?? null,
    ...(schemaFile === undefined ? {} : { schema: readSchemaFile(resolve(base, schemaFile)) }),
    ...(organizationId === undefined ? {} : { organizationId }),
  }
}

/** Adds them and waits until all are read, so that failures can be reported. */
async function copyAndRead(call: CallService, reference: string, paths: string[]): Promise<number> {
  await refuseOtherKinds(call, reference)
  const known = new Set((await call('agents.documents', { reference })).documents.map(({ id }) => id))
  const { added, skipped, refused } = await call('agents.addDocuments', { reference, paths })
  const report = (line: string): void => void process.stderr.write(`${printable(line)}\n`)
  for (const { name, problem } of refused)
    report(
      `${name}: ${problem.code === 'duplicate' ? 'is there already' : sentenceFor(problem.code, problem.details, 'en')}`,
    )
  if (skipped > refused.length) report(`… and ${skipped - refused.length} more`)
  report(`${added} added${skipped === 0 ? '' : `, ${skipped} skipped`}`)
  if (added > 0)
    report(
      `Waiting until they are read. If you stop this command, reading goes on in the background: sheaf agents documents ${reference}`,
    )
  const missed = refused.some(({ named, problem }) => named && problem.code !== 'duplicate')
  for (;;) {
    const { documents } = await call('agents.documents', { reference })
    const mine = documents.filter(({ id }) => !known.has(id))
    if (mine.some(({ state }) => state === 'reading')) {
      await setTimeout(pollMs)
      continue
    }
    const failed = mine.filter(({ state }) => state === 'failed')
    for (const { name, problem } of failed)
      report(`${name}: ${problem === null ? 'not read' : sentenceFor(problem.code, problem.details, 'en')}`)
    return failed.length === 0 && !missed ? 0 : 1
  }
}

/** Says what kind of agent is needed; that there is none at all is the service's to say. */
async function refuseOtherKinds(call: CallService, reference: string): Promise<void> {
  const agent = (await call('agents.list', {})).agents.find((each) => each.reference === reference)
  if (agent === undefined || agent.kind === 'documentalist') return
  throw usageError(
    `«${agent.name}» is an agent of the kind ${agent.kind}, which has no documents. Only a Documentalist has: sheaf agents add NAME --kind documentalist`,
  )
}

function agentTable(agents: AgentRow[]): string {
  const rows = agents.map((agent) => [
    agent.reference,
    agent.kind,
    agent.visibility,
    agent.name,
    agent.organizationId,
    holdingsOf(agent),
  ])
  return tableOf([['Reference', 'Kind', 'Visibility', 'Name', 'Organization', 'Has'], ...rows])
}

function holdingsOf({ kind, schema, ready, reading, failed }: AgentRow): string {
  if (kind === 'extractor') return `${schema?.length ?? 0} fields`
  if (kind === 'writer') return ''
  const others = [reading === 0 ? [] : `${reading} being read`, failed === 0 ? [] : `${failed} not readable`].flat()
  return [`${ready} documents`, ...others].join(', ')
}

function documentTable(documents: AgentDocumentRow[]): string {
  const rows = documents.map(({ id, state, pages, name, problem }) => [
    id,
    state,
    String(pages),
    name,
    problem === null ? '' : sentenceFor(problem.code, problem.details, 'en'),
  ])
  return tableOf([['ID', 'State', 'Pages', 'Name', 'Problem'], ...rows])
}
