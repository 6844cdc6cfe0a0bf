import type { ReadingLanguage } from '../../../shared/domain/reading-languages.ts'
import type { ControlHandlers } from '../../../shared/wire/service-control.ts'
import { AppError } from '../../../shared/domain/errors.ts'
import type { AccessTable } from '../access/access-table.ts'
import { listAgents, saveAgent } from '../access/agents.ts'
import type { AgentDocuments } from '../answering/documents.ts'
import type { AsyncJobs } from '../async/async-jobs.ts'
import type { ServiceDatabase } from '../database.ts'
import type { ModelServers } from '../models/model-servers.ts'
import type { UsageLedger } from '../access/usage-ledger.ts'

/** What the calls work on. */
type ControlContext = {
  db: ServiceDatabase
  access: AccessTable
  usage: UsageLedger
  asyncJobs: AsyncJobs
  documents: AgentDocuments
  models: ModelServers
  useLanguages: (languages: readonly ReadingLanguage[]) => void
}

/** One short function for each call of shared/wire/service-control.ts. */
export function controlHandlers({
  db,
  access,
  usage,
  asyncJobs,
  documents,
  models,
  useLanguages,
}: ControlContext): ControlHandlers {
  return {
    'agents.list': async () => ({ agents: listAgents(db) }),
    'agents.save': async (input) => ({ reference: saveAgent(db, input).reference }),
    'agents.remove': async ({ reference }) => {
      await documents.removeAgent(reference)
      return {}
    },
    'agents.documents': async ({ reference }) => ({ documents: documents.list(reference) }),
    'agents.addDocuments': async ({ reference, paths }) => documents.add(reference, paths),
    'agents.removeDocument': async ({ reference, id }) => {
      await documents.remove(reference, id)
      return {}
    },

    'organizations.list': async () => ({ organizations: access.organizations() }),
    'organizations.save': async (input) => ({ id: access.saveOrganization(input) }),
    'accounts.list': async () => ({ accounts: access.accounts() }),
    'accounts.save': async (input) => ({ id: access.saveAccount(input) }),
    'clients.list': async () => ({ clients: access.clients() }),
    'clients.add': async ({ accountId, name }) => access.addClient(accountId, name),
    'clients.remove': async ({ clientId }) => {
      access.removeClient(clientId)
      return {}
    },

    'models.get': async () => models.get(),
    'models.save': async (input) => models.save(input),
    'models.discover': async (input) => models.discover(input),

    'reading.languages': async ({ languages }) => {
      useLanguages(languages)
      return {}
    },

    'usage.month': async ({ organizationId }) => {
      const organization = access.organization(organizationId)
      if (organization === null) throw new AppError('not_found', { what: `organization ${organizationId}` })
      return usage.month(organization)
    },

    'deliveries.list': async () => ({ deliveries: asyncJobs.list() }),
    'deliveries.retry': async ({ extractId }) => {
      asyncJobs.retry(extractId)
      return {}
    },
    'deliveries.remove': async ({ extractId }) => {
      await asyncJobs.remove(extractId)
      return {}
    },
  }
}
