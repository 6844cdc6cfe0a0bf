import type { AccountRow, OrganizationRow } from '../../shared/wire/service-control.ts'
import { usageError } from './arguments.ts'
import type { Options, Values } from './arguments.ts'
import {
  booleanOption,
  confirm,
  confirmOptions,
  findById,
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
import { localDate, printable, tableOf } from './format.ts'

const text = { type: 'string' } as const
const organizationOptions: Options = { api: text, subscribed: text, quota: text, cap: text, price: text, ...jsonOption }
const accountOptions: Options = { active: text, administrator: text, ...jsonOption }

const commands: Record<string, Command> = {
  list: { options: jsonOption, run: listAccess },
  'add-organization': { options: organizationOptions, run: addOrganization },
  'set-organization': { options: { ...organizationOptions, name: text }, run: setOrganization },
  'add-account': { options: { ...accountOptions, organization: text }, run: addAccount },
  'set-account': { options: { ...accountOptions, name: text }, run: setAccount },
  'add-client': { options: { ...jsonOption, name: text }, run: addClient },
  'remove-client': { options: confirmOptions, run: removeClient },
}

/** `sheaf access …`: the organizations, accounts and clients that may use the service on this computer. */
export function accessCommand(argv: string[]): Promise<number> {
  return runCommand('access', commands, argv)
}

async function listAccess({ positionals, asJson }: Given): Promise<void> {
  refusePositionals(positionals, 'sheaf access list [--json]')
  const listed = await withService(listAll)
  print(asJson, listed, accessTables(listed))
}

async function addOrganization({ values, positionals, asJson }: Given): Promise<void> {
  const name = onePositional(
    positionals,
    'Name the organization: sheaf access add-organization NAME [--quota TOKENS] [--cap EUROS] [--price EUROS]',
  )
  const input = {
    id: null,
    name,
    apiEnabled: true,
    subscribed: true,
    quotaTokens: null,
    spendingCapEuros: null,
    eurosPerMillionTokens: 0,
    ...organizationChanges(values),
  }
  const saved = await withService(async (call) => {
    warnSameName('organization', name, (await call('organizations.list', {})).organizations)
    return call('organizations.save', input)
  })
  print(asJson, saved, saved.id)
}

async function setOrganization({ values, positionals, asJson }: Given): Promise<void> {
  const id = onePositional(
    positionals,
    'Name one organization by its ID: sheaf access set-organization ID [--api yes|no] [--subscribed yes|no] [--quota …] [--cap …] [--price …]',
  )
  const changes = { ...organizationChanges(values), ...nameOption(values) }
  const stored = await withService(async (call) => {
    const row = { ...findById((await call('organizations.list', {})).organizations, id, 'organization'), ...changes }
    await call('organizations.save', row)
    return row
  })
  print(asJson, stored, describedOrganization(stored))
}

async function addAccount({ values, positionals, asJson }: Given): Promise<void> {
  const name = onePositional(positionals, 'Name the account: sheaf access add-account NAME --organization ID')
  const organizationId = textOption(values, 'organization')
  if (organizationId === undefined) throw usageError('Say to which organization the account belongs: --organization ID')
  const input = { id: null, organizationId, name, active: true, administrator: true, ...accountChanges(values) }
  const saved = await withService(async (call) => {
    findById((await call('organizations.list', {})).organizations, organizationId, 'organization')
    const { accounts } = await call('accounts.list', {})
    warnSameName(
      'account',
      name,
      accounts.filter((account) => account.organizationId === organizationId),
    )
    return call('accounts.save', input)
  })
  print(asJson, saved, saved.id)
}

async function setAccount({ values, positionals, asJson }: Given): Promise<void> {
  const id = onePositional(
    positionals,
    'Name one account by its ID: sheaf access set-account ID [--active yes|no] [--administrator yes|no]',
  )
  const changes = { ...accountChanges(values), ...nameOption(values) }
  const stored = await withService(async (call) => {
    const row = { ...findById((await call('accounts.list', {})).accounts, id, 'account'), ...changes }
    await call('accounts.save', row)
    return row
  })
  print(asJson, stored, describedAccount(stored))
}

async function addClient({ values, positionals, asJson }: Given): Promise<void> {
  const accountId = onePositional(
    positionals,
    'Name one account by its ID: sheaf access add-client ACCOUNT [--name NAME]',
  )
  const client = await withService(async (call) => {
    findById((await call('accounts.list', {})).accounts, accountId, 'account')
    return call('clients.add', { accountId, ...nameOption(values) })
  })
  print(
    asJson,
    client,
    `client_id      ${client.clientId}\nclient_secret  ${client.clientSecret}\nThe secret is shown only now.`,
  )
}

async function removeClient({ values, positionals }: Given): Promise<number | void> {
  const clientId = onePositional(positionals, 'Name one client: sheaf access remove-client CLIENT_ID [--yes]')
  if (!(await confirm(values, `Remove the client ${clientId}? Its secret and its tokens are worth nothing then.`)))
    return 1
  await withService((call) => call('clients.remove', { clientId }))
  print(false, null, `Removed the client ${printable(clientId)}.`)
}

function nameOption(values: Values): { name?: string } {
  const name = textOption(values, 'name')
  return name === undefined ? {} : { name }
}

function organizationChanges(values: Values): Partial<OrganizationRow> {
  const given = {
    apiEnabled: booleanOption(values, 'api'),
    subscribed: booleanOption(values, 'subscribed'),
    quotaTokens: amountOf(
      values,
      'quota',
      /^\d{1,15}$/,
      'a whole number of tokens in digits only, such as 1000000, or none',
    ),
    spendingCapEuros: amountOf(
      values,
      'cap',
      /^\d{1,12}(\.\d{1,2})?$/,
      'an amount of euros such as 12 or 12.50, or none',
    ),
    eurosPerMillionTokens:
      amountOf(values, 'price', /^\d{1,9}(\.\d{1,6})?$/, 'the euros for a million tokens, such as 2 or 2.50') ??
      undefined,
  }
  if (given.eurosPerMillionTokens === undefined && values['price'] !== undefined)
    throw usageError('--price is the euros for a million tokens, such as 2 or 2.50; 0 for no price')
  return onlyGiven(given)
}

function accountChanges(values: Values): Partial<AccountRow> {
  return onlyGiven({ active: booleanOption(values, 'active'), administrator: booleanOption(values, 'administrator') })
}

/** What was not given stays as it is. */
function onlyGiven<T extends object>(given: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}

/** A number in the one notation that cannot be misread, or null for `none`; undefined when the option is not given. */
function amountOf(values: Values, option: string, notation: RegExp, what: string): number | null | undefined {
  const value = textOption(values, option)
  if (value === undefined) return undefined
  if (value === 'none') return null
  if (!notation.test(value)) throw usageError(`--${option} is ${what}, not «${value}»`)
  return Number(value)
}

function describedOrganization(row: OrganizationRow): string {
  return tableOf(
    [
      ['Organization', row.id],
      ['Name', row.name],
      ['API', yesNo(row.apiEnabled)],
      ['Subscribed', yesNo(row.subscribed)],
      ['Quota', row.quotaTokens === null ? 'none' : `${row.quotaTokens} tokens a month`],
      [
        'Cap',
        row.spendingCapEuros === null
          ? 'none'
          : `${row.spendingCapEuros.toFixed(2)} € a month for what is over the quota`,
      ],
      ['Price', `${row.eurosPerMillionTokens} € for a million tokens over the quota`],
    ],
    Infinity,
  )
}

function describedAccount(row: AccountRow): string {
  return tableOf(
    [
      ['Account', row.id],
      ['Name', row.name],
      ['Active', yesNo(row.active)],
      ['Administrator', yesNo(row.administrator)],
      ['Organization', row.organizationId],
    ],
    Infinity,
  )
}

function yesNo(is: boolean): string {
  return is ? 'yes' : 'no'
}

/** Two decimals; an amount above zero that would read as 0.00 becomes «< 0.01». */
function euros(amount: number): string {
  return amount > 0 && amount < 0.01 ? '< 0.01' : amount.toFixed(2)
}

type Listed = Awaited<ReturnType<typeof listAll>>

async function listAll(call: CallService) {
  const { organizations } = await call('organizations.list', {})
  const { accounts } = await call('accounts.list', {})
  const { clients } = await call('clients.list', {})
  const months = await Promise.all(organizations.map(({ id }) => call('usage.month', { organizationId: id })))
  return {
    organizations: organizations.map((organization, index) => ({ ...organization, month: months[index]! })),
    accounts,
    clients,
  }
}

function accessTables({ organizations, accounts, clients }: Listed): string {
  const or = (value: number | null): string => (value === null ? 'none' : String(value))
  return [
    tableOf([
      [
        'Organization',
        'Name',
        'API',
        'Subscribed',
        'Tokens a month (quota)',
        'Cap of overage (€ a month)',
        '€ per million tokens of overage',
        'Tokens this month',
        'Overage this month (€)',
      ],
      ...organizations.map((each) => [
        each.id,
        each.name,
        yesNo(each.apiEnabled),
        yesNo(each.subscribed),
        or(each.quotaTokens),
        or(each.spendingCapEuros),
        String(each.eurosPerMillionTokens),
        String(each.month.tokens),
        euros(each.month.overageEuros),
      ]),
    ]),
    tableOf([
      ['Account', 'Name', 'Active', 'Administrator', 'Organization'],
      ...accounts.map((each) => [
        each.id,
        each.name,
        yesNo(each.active),
        yesNo(each.administrator),
        each.organizationId,
      ]),
    ]),
    tableOf([
      ['Client', 'Name', 'Account', 'Since'],
      ...clients.map((each) => [each.clientId, each.name, each.accountId, localDate(each.createdAt)]),
    ]),
  ].join('\n\n')
}
