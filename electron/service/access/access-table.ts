import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { AppError } from '../../../shared/domain/errors.ts'
import type { AccountRow, ClientRow, OrganizationRow } from '../../../shared/wire/service-control.ts'
import type { ServiceDatabase } from '../database.ts'

/** The account that every service has: that of the computer it runs on. */
const localAccountId = 'local'

/** The client in `service.json`, for the programs of this computer; nobody else's may have its name. */
const ownClientName = 'This computer'

/** A client with everything that decides what it may do. */
export type Membership = { clientId: string; account: AccountRow; organization: OrganizationRow }

type StoredOrganization = {
  id: string
  name: string
  api_enabled: number
  subscribed: number
  quota_tokens: number | null
  spending_cap_euros: number | null
  euros_per_million_tokens: number
}
type StoredAccount = { id: string; organization_id: string; name: string; active: number; administrator: number }

/** The SQL of organizations, accounts and clients (spec, «What the service does»). Secrets are kept as hashes only. */
export class AccessTable {
  readonly #db: ServiceDatabase

  constructor(db: ServiceDatabase) {
    this.#db = db
  }

  /** Every organization, the oldest first; so are accounts and clients. */
  organizations(): OrganizationRow[] {
    return this.#db
      .prepare<[], StoredOrganization>('select * from organizations order by created_at, rowid')
      .all()
      .map(toOrganization)
  }

  /** Null when there is none with this id. */
  organization(id: string): OrganizationRow | null {
    const row = this.#db.prepare<[string], StoredOrganization>('select * from organizations where id = ?').get(id)
    return row ? toOrganization(row) : null
  }

  /** Adds one when the id is null, else changes it. Returns the id; throws `not_found`. */
  saveOrganization(given: Omit<OrganizationRow, 'id'> & { id: string | null }): string {
    const { name, quotaTokens, spendingCapEuros, eurosPerMillionTokens } = given
    const id = given.id ?? randomUUID()
    const values = [
      name,
      Number(given.apiEnabled),
      Number(given.subscribed),
      quotaTokens,
      spendingCapEuros,
      eurosPerMillionTokens,
    ] as const
    if (given.id === null) {
      this.#db
        .prepare(
          `insert into organizations (name, api_enabled, subscribed, quota_tokens, spending_cap_euros, euros_per_million_tokens, id, created_at)
           values (?, ?, ?, ?, ?, ?, ?, ?)`,
        )
        .run(...values, id, Date.now())
      return id
    }
    const { changes } = this.#db
      .prepare(
        `update organizations set name = ?, api_enabled = ?, subscribed = ?, quota_tokens = ?, spending_cap_euros = ?, euros_per_million_tokens = ?
         where id = ?`,
      )
      .run(...values, id)
    if (changes === 0) throw new AppError('not_found', { what: `organization ${id}` })
    return id
  }

  accounts(): AccountRow[] {
    return this.#db.prepare<[], StoredAccount>('select * from accounts order by created_at, rowid').all().map(toAccount)
  }

  /**
   * Adds one when the id is null, else changes it; an account stays in its organization. Throws `not_found`,
   * `invalid_input`.
   */
  saveAccount(given: Omit<AccountRow, 'id'> & { id: string | null }): string {
    const { organizationId, name } = given
    if (this.organization(organizationId) === null)
      throw new AppError('not_found', { what: `organization ${organizationId}` })
    if (given.id === null) {
      const id = randomUUID()
      this.#db
        .prepare(
          'insert into accounts (id, organization_id, name, active, administrator, created_at) values (?, ?, ?, ?, ?, ?)',
        )
        .run(id, organizationId, name, Number(given.active), Number(given.administrator), Date.now())
      return id
    }
    const known = this.#account(given.id)
    if (known.organizationId !== organizationId)
      throw new AppError('invalid_input', { problem: 'an account cannot move to another organization' })
    this.#db
      .prepare('update accounts set name = ?, active = ?, administrator = ? where id = ?')
      .run(name, Number(given.active), Number(given.administrator), given.id)
    return given.id
  }

  clients(): ClientRow[] {
    return this.#db
      .prepare<[], ClientRow>(
        `select client_id as clientId, account_id as accountId, organization_id as organizationId, clients.name, clients.created_at as createdAt
         from clients join accounts on accounts.id = account_id order by clients.created_at, clients.rowid`,
      )
      .all()
  }

  /** A new client of an account; its secret is returned here and never again. Throws `not_found`, `invalid_input`. */
  addClient(accountId: string, name: string): { clientId: string; clientSecret: string } {
    if (name === ownClientName)
      throw new AppError('invalid_input', { problem: `the name «${ownClientName}» belongs to Sheaf’s own client` })
    this.#account(accountId)
    const client = newClient()
    this.#insertClient(client, accountId, name)
    return client
  }

  /**
   * Removes a client; its tokens are invalid from now on. Throws `not_found`, or `invalid_input` for this computer's
   * own client.
   */
  removeClient(clientId: string): void {
    const own = this.#db
      .prepare('select 1 from clients where client_id = ? and account_id = ? and name = ?')
      .get(clientId, localAccountId, ownClientName)
    if (own !== undefined)
      throw new AppError('invalid_input', {
        problem: 'this is the client of this computer itself, without which Sheaf could extract nothing here',
      })
    const { changes } = this.#db.prepare('delete from clients where client_id = ?').run(clientId)
    if (changes === 0) throw new AppError('not_found', { what: `client ${clientId}` })
  }

  /** Makes `client` this computer's own in place of the one before; the other clients stay. */
  replaceOwnClient(client: { clientId: string; clientSecret: string }): void {
    const replace = this.#db.transaction(() => {
      this.#db
        .prepare('delete from clients where (account_id = ? and name = ?) or client_id = ?')
        .run(localAccountId, ownClientName, client.clientId)
      this.#insertClient(client, localAccountId, ownClientName)
    })
    replace()
  }

  /** The client with its account and organization as they are now; null when it was removed. */
  membership(clientId: string): Membership | null {
    const row = this.#db
      .prepare<[string], { account_id: string }>('select account_id from clients where client_id = ?')
      .get(clientId)
    if (!row) return null
    const account = this.#account(row.account_id)
    const organization = this.organization(account.organizationId)
    return organization && { clientId, account, organization }
  }

  /** Compares in constant time. The secret is 32 random bytes, so one round of SHA-256 is enough. */
  secretMatches(clientId: string, clientSecret: string): boolean {
    const row = this.#db
      .prepare<[string], { secret_hash: Buffer }>('select secret_hash from clients where client_id = ?')
      .get(clientId)
    const expected = row?.secret_hash ?? Buffer.alloc(32)
    return timingSafeEqual(hashOf(clientSecret), expected) && row !== undefined
  }

  #account(id: string): AccountRow {
    const row = this.#db.prepare<[string], StoredAccount>('select * from accounts where id = ?').get(id)
    if (!row) throw new AppError('not_found', { what: `account ${id}` })
    return toAccount(row)
  }

  #insertClient(client: { clientId: string; clientSecret: string }, accountId: string, name: string): void {
    this.#db
      .prepare('insert into clients (client_id, secret_hash, account_id, name, created_at) values (?, ?, ?, ?, ?)')
      .run(client.clientId, hashOf(client.clientSecret), accountId, name, Date.now())
  }
}

/** A client id and a secret that nobody can guess. */
export function newClient(): { clientId: string; clientSecret: string } {
  return { clientId: randomUUID(), clientSecret: randomBytes(32).toString('base64url') }
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

function toOrganization(row: StoredOrganization): OrganizationRow {
  return {
    id: row.id,
    name: row.name,
    apiEnabled: row.api_enabled === 1,
    subscribed: row.subscribed === 1,
    quotaTokens: row.quota_tokens,
    spendingCapEuros: row.spending_cap_euros,
    eurosPerMillionTokens: row.euros_per_million_tokens,
  }
}

function toAccount(row: StoredAccount): AccountRow {
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    active: row.active === 1,
    administrator: row.administrator === 1,
  }
}
