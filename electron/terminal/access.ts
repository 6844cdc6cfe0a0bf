import type { AccountRow, OrganizationRow } from '../../shared/service-control.ts'
import { parse, wrong } from './arguments.ts'
import type { Options, Values } from './arguments.ts'
import { isMeant, known, none, noteSameName, onlyOne, removing, say, textOf, unknownCommand, withService, yesOrNo } from './service-calls.ts'
import type { CallService } from './service-calls.ts'
import { localDate } from './locale.ts'
import { printable } from './report.ts'
import { tableOf } from './table.ts'

const json: Options = { json: { type: 'boolean', default: false } }
const text = { type: 'string' } as const
const organizationOptions: Options = { api: text, subscribed: text, quota: text, cap: text, price: text, ...json }
const accountOptions: Options = { active: text, administrator: text, ...json }

/** `sheaf access …`: the organizations, accounts and clients that may use the service on this computer. */
export async function accessCommand(argv: string[]): Promise<number> {
  const [command, ...rest] = argv
  switch (command) {
    case 'list': {
      const { values, positionals } = parse(rest, json)
      none(positionals, 'sheaf access list [--json]')
      const listed = await withService(listAll)
      say(values['json'] === true, listed, accessTables(listed))
      return 0
    }
    case 'add-organization': {
      const { values, positionals } = parse(rest, organizationOptions)
      const name = onlyOne(positionals, 'Name the organization: sheaf access add-organization NAME [--quota TOKENS] [--cap EUROS] [--price EUROS]')
      const input = { id: null, name, apiEnabled: true, subscribed: true, quotaTokens: null, spendingCapEuros: null, eurosPerMillionTokens: 0, ...organizationChanges(values) }
      const saved = await withService(async (call) => {
        noteSameName('organization', name, (await call('organizations.list', {})).organizations)
        return call('organizations.save', input)
      })
      say(values['json'] === true, saved, saved.id)
      return 0
    }
    case 'set-organization': {
      const { values, positionals } = parse(rest, { ...organizationOptions, name: text })
      const id = onlyOne(positionals, 'Name one organization by its ID: sheaf access set-organization ID [--api yes|no] [--subscribed yes|no] [--quota …] [--cap …] [--price …]')
      const changes = { ...organizationChanges(values), ...named(values) }
      const stored = await withService(async (call) => {
        const row = { ...known((await call('organizations.list', {})).organizations, id, 'organization'), ...changes }
        await call('organizations.save', row)
        return row
      })
      say(values['json'] === true, stored, describedOrganization(stored))
      return 0
    }
    case 'add-account': {
      const { values, positionals } = parse(rest, { ...accountOptions, organization: text })
      const name = onlyOne(positionals, 'Name the account: sheaf access add-account NAME --organization ID')
      const organizationId = textOf(values, 'organization')
      if (organizationId === undefined) throw wrong('Say to which organization the account belongs: --organization ID')
      const input = { id: null, organizationId, name, active: true, administrator: true, ...accountChanges(values) }
      const saved = await withService(async (call) => {
        known((await call('organizations.list', {})).organizations, organizationId, 'organization')
        noteSameName('account', name, (await call('accounts.list', {})).accounts.filter((account) => account.organizationId === organizationId))
        return call('accounts.save', input)
      })
      say(values['json'] === true, saved, saved.id)
      return 0
    }
    case 'set-account': {
      const { values, positionals } = parse(rest, { ...accountOptions, name: text })
      const id = onlyOne(positionals, 'Name one account by its ID: sheaf access set-account ID [--active yes|no] [--administrator yes|no]')
      const changes = { ...accountChanges(values), ...named(values) }
      const stored = await withService(async (call) => {
        const row = { ...known((await call('accounts.list', {})).accounts, id, 'account'), ...changes }
        await call('accounts.save', row)
        return row
      })
      say(values['json'] === true, stored, describedAccount(stored))
      return 0
    }
    case 'add-client': {
      const { values, positionals } = parse(rest, { ...json, name: text })
      const accountId = onlyOne(positionals, 'Name one account by its ID: sheaf access add-client ACCOUNT [--name NAME]')
      const client = await withService(async (call) => {
        known((await call('accounts.list', {})).accounts, accountId, 'account')
        return call('clients.add', { accountId, ...named(values) })
      })
      say(values['json'] === true, client, `client_id      ${client.clientId}\nclient_secret  ${client.clientSecret}\nThe secret is shown only now.`)
      return 0
    }
    case 'remove-client': {
      const { values, positionals } = parse(rest, removing)
      const clientId = onlyOne(positionals, 'Name one client: sheaf access remove-client CLIENT_ID [--yes]')
      if (!(await isMeant(values, `Remove the client ${clientId}? Its secret and its tokens are worth nothing then.`))) return 1
      await withService((call) => call('clients.remove', { clientId }))
      say(false, null, `Removed the client ${printable(clientId)}.`)
      return 0
    }
    default:
      throw unknownCommand('access', command, 'list | add-organization | set-organization | add-account | set-account | add-client | remove-client')
  }
}

function named(values: Values): { name?: string } {
  const name = textOf(values, 'name')
  return name === undefined ? {} : { name }
}

function organizationChanges(values: Values): Partial<OrganizationRow> {
  const given = {
    apiEnabled: yesOrNo(values, 'api'),
    subscribed: yesOrNo(values, 'subscribed'),
    quotaTokens: amountOf(values, 'quota', /^\d{1,15}$/, 'a whole number of tokens in digits only, such as 1000000, or none'),
    spendingCapEuros: amountOf(values, 'cap', /^\d{1,12}(\.\d{1,2})?$/, 'an amount of euros such as 12 or 12.50, or none'),
    eurosPerMillionTokens: amountOf(values, 'price', /^\d{1,9}(\.\d{1,6})?$/, 'the euros for a million tokens, such as 2 or 2.50') ?? undefined,
  }
  if (given.eurosPerMillionTokens === undefined && values['price'] !== undefined) throw wrong('--price is the euros for a million tokens, such as 2 or 2.50; 0 for no price')
  return onlyGiven(given)
}

function accountChanges(values: Values): Partial<AccountRow> {
  return onlyGiven({ active: yesOrNo(values, 'active'), administrator: yesOrNo(values, 'administrator') })
}

/** What was not given stays as it is. */
function onlyGiven<T extends object>(given: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as { [K in keyof T]?: Exclude<T[K], undefined> }
}

/** A number in the one notation that cannot be misread, or null for `none`; undefined when the option is not given. */
function amountOf(values: Values, option: string, notation: RegExp, what: string): number | null | undefined {
  const value = textOf(values, option)
  if (value === undefined) return undefined
  if (value === 'none') return null
  if (!notation.test(value)) throw wrong(`--${option} is ${what}, not «${value}»`)
  return Number(value)
}

function describedOrganization(row: OrganizationRow): string {
  return tableOf([
    ['Organization', row.id],
    ['Name', row.name],
    ['API', word(row.apiEnabled)],
    ['Subscribed', word(row.subscribed)],
    ['Quota', row.quotaTokens === null ? 'none' : `${row.quotaTokens} tokens a month`],
    ['Cap', row.spendingCapEuros === null ? 'none' : `${row.spendingCapEuros.toFixed(2)} € a month for what is over the quota`],
    ['Price', `${row.eurosPerMillionTokens} € for a million tokens over the quota`],
  ], Infinity)
}

function describedAccount(row: AccountRow): string {
  return tableOf([
    ['Account', row.id],
    ['Name', row.name],
    ['Active', word(row.active)],
    ['Administrator', word(row.administrator)],
    ['Organization', row.organizationId],
  ], Infinity)
}

function word(is: boolean): string {
  return is ? 'yes' : 'no'
}

/** Two decimals; an amount that would read as nothing is told as what it is less than. */
function euros(amount: number): string {
  return amount > 0 && amount < 0.01 ? '< 0.01' : amount.toFixed(2)
}

type Listed = Awaited<ReturnType<typeof listAll>>

async function listAll(call: CallService) {
  const { organizations } = await call('organizations.list', {})
  const { accounts } = await call('accounts.list', {})
  const { clients } = await call('clients.list', {})
  const months = await Promise.all(organizations.map(({ id }) => call('usage.month', { organizationId: id })))
  return { organizations: organizations.map((organization, index) => ({ ...organization, month: months[index]! })), accounts, clients }
}

function accessTables({ organizations, accounts, clients }: Listed): string {
  const or = (value: number | null): string => (value === null ? 'none' : String(value))
  return [
    tableOf([
      ['Organization', 'Name', 'API', 'Subscribed', 'Tokens a month (quota)', 'Cap of overage (€ a month)', '€ per million tokens of overage', 'Tokens this month', 'Overage this month (€)'],
      ...organizations.map((each) => [
        each.id,
        each.name,
        word(each.apiEnabled),
        word(each.subscribed),
        or(each.quotaTokens),
        or(each.spendingCapEuros),
        String(each.eurosPerMillionTokens),
        String(each.month.tokens),
        euros(each.month.overageEuros),
      ]),
    ]),
    tableOf([
      ['Account', 'Name', 'Active', 'Administrator', 'Organization'],
      ...accounts.map((each) => [each.id, each.name, word(each.active), word(each.administrator), each.organizationId]),
    ]),
    tableOf([['Client', 'Name', 'Account', 'Since'], ...clients.map((each) => [each.clientId, each.name, each.accountId, localDate(each.createdAt)])]),
  ].join('\n\n')
}
