import type { AccountRow, OrganizationRow } from '../../shared/service-control.ts'
import { parse, wrong } from './arguments.ts'
import type { Options, Values } from './arguments.ts'
import { none, onlyOne, say, textOf, withService, yesOrNo } from './service-calls.ts'
import type { CallService } from './service-calls.ts'
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
      const saved = await withService((call) => call('organizations.save', input))
      say(values['json'] === true, saved, saved.id)
      return 0
    }
    case 'set-organization': {
      const { values, positionals } = parse(rest, { ...organizationOptions, name: text })
      const id = onlyOne(positionals, 'Name one organization by its ID: sheaf access set-organization ID [--api yes|no] [--subscribed yes|no] [--quota …] [--cap …] [--price …]')
      const changes = { ...organizationChanges(values), ...named(values) }
      await withService(async (call) => {
        const { organizations } = await call('organizations.list', {})
        return call('organizations.save', { ...known(organizations, id, 'organization'), ...changes })
      })
      return 0
    }
    case 'add-account': {
      const { values, positionals } = parse(rest, { ...accountOptions, organization: text })
      const name = onlyOne(positionals, 'Name the account: sheaf access add-account NAME --organization ID')
      const organizationId = textOf(values, 'organization')
      if (organizationId === undefined) throw wrong('Say to which organization the account belongs: --organization ID')
      const input = { id: null, organizationId, name, active: true, administrator: true, ...accountChanges(values) }
      const saved = await withService((call) => call('accounts.save', input))
      say(values['json'] === true, saved, saved.id)
      return 0
    }
    case 'set-account': {
      const { values, positionals } = parse(rest, { ...accountOptions, name: text })
      const id = onlyOne(positionals, 'Name one account by its ID: sheaf access set-account ID [--active yes|no] [--administrator yes|no]')
      const changes = { ...accountChanges(values), ...named(values) }
      await withService(async (call) => {
        const { accounts } = await call('accounts.list', {})
        return call('accounts.save', { ...known(accounts, id, 'account'), ...changes })
      })
      return 0
    }
    case 'add-client': {
      const { values, positionals } = parse(rest, { ...json, name: text })
      const accountId = onlyOne(positionals, 'Name one account by its ID: sheaf access add-client ACCOUNT [--name NAME]')
      const client = await withService((call) => call('clients.add', { accountId, ...named(values) }))
      say(values['json'] === true, client, `client_id      ${client.clientId}\nclient_secret  ${client.clientSecret}\nThe secret is shown only now.`)
      return 0
    }
    case 'remove-client': {
      const clientId = onlyOne(parse(rest, {}).positionals, 'Name one client: sheaf access remove-client CLIENT_ID')
      await withService((call) => call('clients.remove', { clientId }))
      return 0
    }
    default:
      throw wrong('Say what to do: sheaf access list | add-organization | set-organization | add-account | set-account | add-client | remove-client')
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
    quotaTokens: amountOf(values, 'quota', 'a number of tokens', true),
    spendingCapEuros: amountOf(values, 'cap', 'an amount of euros', true),
    eurosPerMillionTokens: amountOf(values, 'price', 'the euros for a million tokens', false) ?? undefined,
  }
  if (given.quotaTokens !== undefined && given.quotaTokens !== null && !Number.isInteger(given.quotaTokens)) throw wrong('--quota is a whole number of tokens')
  return onlyGiven(given)
}

function accountChanges(values: Values): Partial<AccountRow> {
  return onlyGiven({ active: yesOrNo(values, 'active'), administrator: yesOrNo(values, 'administrator') })
}

/** What was not given stays as it is. */
function onlyGiven<T extends object>(given: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as { [K in keyof T]?: Exclude<T[K], undefined> }
}

/** A number of at least 0, or null for `none` where that is understood; undefined when the option is not given. */
function amountOf(values: Values, option: string, what: string, mayBeNone: boolean): number | null | undefined {
  const value = textOf(values, option)
  if (value === undefined) return undefined
  if (mayBeNone && value === 'none') return null
  const amount = Number(value)
  if (value.trim() === '' || !Number.isFinite(amount) || amount < 0) throw wrong(`--${option} is ${what}${mayBeNone ? ', or none' : ''}, not «${value}»`)
  return amount
}

function known<T extends { id: string }>(rows: T[], id: string, what: string): T {
  const row = rows.find((each) => each.id === id)
  if (row === undefined) throw wrong(`There is no ${what} «${id}». Its ID stands in: sheaf access list`)
  return row
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
  const word = (is: boolean): string => (is ? 'yes' : 'no')
  const or = (value: number | null): string => (value === null ? 'none' : String(value))
  return [
    tableOf([
      ['Organization', 'Name', 'API', 'Subscribed', 'Quota', 'Cap (€)', '€/million', 'Tokens this month', 'Overage (€)'],
      ...organizations.map((each) => [
        each.id,
        each.name,
        word(each.apiEnabled),
        word(each.subscribed),
        or(each.quotaTokens),
        or(each.spendingCapEuros),
        String(each.eurosPerMillionTokens),
        String(each.month.tokens),
        each.month.overageEuros.toFixed(2),
      ]),
    ]),
    tableOf([
      ['Account', 'Name', 'Active', 'Administrator', 'Organization'],
      ...accounts.map((each) => [each.id, each.name, word(each.active), word(each.administrator), each.organizationId]),
    ]),
    tableOf([['Client', 'Name', 'Account', 'Since'], ...clients.map((each) => [each.clientId, each.name, each.accountId, new Date(each.createdAt).toISOString().slice(0, 10)])]),
  ].join('\n\n')
}
