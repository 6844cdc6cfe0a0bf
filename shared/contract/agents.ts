import * as z from 'zod'
import { agentDocumentRow, agentInput, agentRow } from '../domain/agent.ts'
import { errorReason } from '../domain/error-reason.ts'
import { modelServer, modelServerInput } from '../wire/service-control.ts'
import { id, nothing } from './shapes.ts'

/** The part of the contract between window and core that is about agents, models, and this computer's model server. */

export const agentCalls = {
  /** Of this computer: its agents. Of a platform: the ones that were used from here, since it lists none. */
  'agents.list': {
    input: z.object({ connectionId: id }),
    output: z.object({ agents: z.array(agentRow), managed: z.boolean() }),
  },
  /** Only on this computer, as everything below. */
  'agents.save': {
    input: agentInput.omit({ schema: true }).extend({ schemaId: id.nullable().default(null) }),
    output: z.object({ reference: z.string() }),
  },
  'agents.remove': { input: z.object({ reference: z.string() }), output: nothing },
  /** Documents are read in the background and no event says so: asked again every second while any is `reading`. */
  'agents.documents': {
    input: z.object({ reference: z.string() }),
    output: z.object({ documents: z.array(agentDocumentRow) }),
  },
  'agents.addDocuments': {
    input: z.object({ reference: z.string(), paths: z.array(z.string().min(1)).min(1) }),
    output: z.object({ added: z.number().int(), skipped: z.number().int() }),
  },
  'agents.removeDocument': { input: z.object({ reference: z.string(), id: z.string() }), output: nothing },

  /** The models that a connection offers; the problem when it offers none just now. */
  'models.list': {
    input: z.object({ connectionId: id }),
    output: z.object({ models: z.array(z.string()), problem: errorReason.nullable() }),
  },
  'models.server': { input: nothing, output: modelServer },
  'models.saveServer': { input: modelServerInput, output: modelServer },
  'models.discover': {
    input: z.object({ baseUrl: z.url(), apiKey: z.string().min(1).nullable().optional() }),
    output: z.object({ models: z.array(z.string()), problem: errorReason.nullable() }),
  },
} as const

export const agentEvents = {
  'agents.changed': nothing,
} as const
