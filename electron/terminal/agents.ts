import { resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { agentKinds, visibilities } from '../../shared/agent.ts'
import type { AgentDocumentRow, AgentRow } from '../../shared/agent.ts'
import { sentenceFor } from '../../shared/sentences.ts'
import type { ControlInput } from '../../shared/service-control.ts'
import { parse, readSchemaFile, wrong } from './arguments.ts'
import { printable } from './report.ts'
import { isMeant, none, noteSameName, onlyOne, removing, say, textOf, unknownCommand, withService } from './service-calls.ts'
import type { CallService } from './service-calls.ts'
import { tableOf } from './table.ts'

const json = { json: { type: 'boolean', default: false } } as const
const pollMs = 300

/** `sheaf agents …`: the agents of the service on this computer. Exit code 1 when a document was not taken or could not be read. */
export async function agentsCommand(argv: string[], base: string): Promise<number> {
  const [command, ...rest] = argv
  switch (command) {
    case 'list': {
      const { values, positionals } = parse(rest, json)
      none(positionals, 'sheaf agents list [--json]')
      const { agents } = await withService((call) => call('agents.list', {}))
      say(values['json'] === true, agents, agents.length === 0 ? 'There are no agents yet: sheaf agents add NAME --kind documentalist|extractor' : agentTable(agents))
      return 0
    }
    case 'add': {
      const { input, asJson } = parseAdd(rest, base)
      const saved = await withService(async (call) => {
        const { agents } = await call('agents.list', {})
        // Saving under a known reference would change that agent instead.
        if (agents.some(({ reference }) => reference === input.reference)) throw wrong(`There is an agent ${String(input.reference)} already. Choose another --reference.`)
        noteSameName('agent', input.name, agents)
        return call('agents.save', input)
      })
      say(asJson, saved, saved.reference)
      return 0
    }
    case 'remove': {
      const { values, positionals } = parse(rest, removing)
      const reference = onlyOne(positionals, 'Name one agent: sheaf agents remove REFERENCE [--yes]')
      if (!(await isMeant(values, `Remove the agent ${reference}? The copies of its documents and its conversations go with it.`))) return 1
      await withService((call) => call('agents.remove', { reference }))
      say(false, null, `Removed the agent ${printable(reference)}.`)
      return 0
    }
    case 'documents': {
      const { values, positionals } = parse(rest, json)
      const reference = onlyOne(positionals, 'Name one Documentalist: sheaf agents documents REFERENCE [--json]')
      const { documents } = await withService(async (call) => {
        await refuseOtherKinds(call, reference)
        return call('agents.documents', { reference })
      })
      say(values['json'] === true, documents, documents.length === 0 ? 'It has no documents yet: sheaf agents add-documents REFERENCE PATH...' : documentTable(documents))
      return 0
    }
    case 'add-documents': {
      const [reference, ...paths] = parse(rest, {}).positionals
      if (reference === undefined || paths.length === 0) throw wrong('Name a Documentalist and files or folders: sheaf agents add-documents REFERENCE PATH...')
      return withService((call) => addDocuments(call, reference, paths.map((path) => resolve(base, path))))
    }
    case 'remove-document': {
      const [reference, id, ...others] = parse(rest, {}).positionals
      if (reference === undefined || id === undefined || others.length > 0) throw wrong('Name a Documentalist and one document: sheaf agents remove-document REFERENCE ID')
      await withService(async (call) => {
        await refuseOtherKinds(call, reference)
        return call('agents.removeDocument', { reference, id })
      })
      say(false, null, `Removed the document ${printable(id)}.`)
      return 0
    }
    default:
      throw unknownCommand('agents', command, 'list | add | remove | documents | add-documents | remove-document')
  }
}

function parseAdd(argv: string[], base: string): { input: ControlInput<'agents.save'>; asJson: boolean } {
  const options = { kind: { type: 'string' }, schema: { type: 'string' }, visibility: { type: 'string', default: 'Organization' }, reference: { type: 'string' }, organization: { type: 'string' }, ...json } as const
  const { values, positionals } = parse(argv, options)
  const name = onlyOne(positionals, 'Name the agent: sheaf agents add NAME --kind documentalist, or --kind extractor --schema FILE.json')
  const kind = agentKinds.find((known) => known === textOf(values, 'kind')?.toLowerCase())
  if (kind === undefined) throw wrong('--kind is documentalist or extractor')
  if (kind === 'writer') throw wrong(sentenceFor('agent_coming_soon', {}, 'en'))
  const visibility = visibilities.find((known) => known.toLowerCase() === textOf(values, 'visibility')?.toLowerCase())
  if (visibility === undefined) throw wrong(`--visibility is ${visibilities.join(', ')}, not «${String(values['visibility'])}»`)
  const schemaFile = textOf(values, 'schema')
  if (kind === 'extractor' && schemaFile === undefined) throw wrong('Say what the Extractor extracts: --schema FILE.json')
  if (kind !== 'extractor' && schemaFile !== undefined) throw wrong(`A ${kind} has no schema; leave --schema out`)
  const organizationId = textOf(values, 'organization')
  const input = {
    name,
    kind,
    visibility,
    reference: textOf(values, 'reference') ?? null,
    ...(schemaFile === undefined ? {} : { schema: readSchemaFile(resolve(base, schemaFile)) }),
    ...(organizationId === undefined ? {} : { organizationId }),
  }
  return { input, asJson: values['json'] === true }
}

/** Adds them and waits until all are read, so that whoever asks next has them and what failed is said. */
async function addDocuments(call: CallService, reference: string, paths: string[]): Promise<number> {
  await refuseOtherKinds(call, reference)
  const known = new Set((await call('agents.documents', { reference })).documents.map(({ id }) => id))
  const { added, skipped, refused } = await call('agents.addDocuments', { reference, paths })
  const tell = (line: string): void => void process.stderr.write(`${printable(line)}\n`)
  for (const { name, problem } of refused) tell(`${name}: ${problem.code === 'duplicate' ? 'is there already' : sentenceFor(problem.code, problem.details, 'en')}`)
  if (skipped > refused.length) tell(`… and ${skipped - refused.length} more`)
  tell(`${added} added${skipped === 0 ? '' : `, ${skipped} skipped`}`)
  if (added > 0) tell(`Waiting until they are read. If you stop this command, reading goes on in the background: sheaf agents documents ${reference}`)
  const missed = refused.some(({ named, problem }) => named && problem.code !== 'duplicate')
  for (;;) {
    const { documents } = await call('agents.documents', { reference })
    const mine = documents.filter(({ id }) => !known.has(id))
    if (mine.some(({ state }) => state === 'reading')) {
      await setTimeout(pollMs)
      continue
    }
    const failed = mine.filter(({ state }) => state === 'failed')
    for (const { name, problem } of failed) tell(`${name}: ${problem === null ? 'not read' : sentenceFor(problem.code, problem.details, 'en')}`)
    return failed.length === 0 && !missed ? 0 : 1
  }
}

/** Says what kind of agent is needed; that there is none at all is the service's to say. */
async function refuseOtherKinds(call: CallService, reference: string): Promise<void> {
  const agent = (await call('agents.list', {})).agents.find((each) => each.reference === reference)
  if (agent === undefined || agent.kind === 'documentalist') return
  throw wrong(`«${agent.name}» is an agent of the kind ${agent.kind}, which has no documents. Only a Documentalist has: sheaf agents add NAME --kind documentalist`)
}

function agentTable(agents: AgentRow[]): string {
  const rows = agents.map((agent) => [agent.reference, agent.kind, agent.visibility, agent.name, agent.organizationId, holdingsOf(agent)])
  return tableOf([['Reference', 'Kind', 'Visibility', 'Name', 'Organization', 'Has'], ...rows])
}

function holdingsOf({ kind, schema, ready, reading, failed }: AgentRow): string {
  if (kind === 'extractor') return `${schema?.length ?? 0} fields`
  if (kind === 'writer') return ''
  const others = [reading === 0 ? [] : `${reading} being read`, failed === 0 ? [] : `${failed} not readable`].flat()
  return [`${ready} documents`, ...others].join(', ')
}

function documentTable(documents: AgentDocumentRow[]): string {
  const rows = documents.map(({ id, state, pages, name, problem }) => [id, state, String(pages), name, problem === null ? '' : sentenceFor(problem.code, problem.details, 'en')])
  return tableOf([['ID', 'State', 'Pages', 'Name', 'Problem'], ...rows])
}
