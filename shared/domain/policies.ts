import * as z from 'zod'
import { AppError } from './errors.ts'

/** `api.example.com`, `*.example.com` for what is below it, `[::1]`; with `:8443` only that port. */
const host = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^(?:\*\.)?(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:]+\])(?::\d{1,5})?$/)
/** In the registry, which has no other, 0 and 1. */
const onOff = z.union([z.boolean(), z.literal([0, 1])]).transform(Boolean)
const documents = z.number().int().min(1).max(1_000_000)
const tokens = z.number().int().min(1).max(1_000_000_000_000)

/**
 * What an administrator sets for Sheaf, by the names that stand in the registry, in managed preferences and in
 * policies.json (docs/administration.md). What is absent is as the person chooses.
 */
export const policyShape = z
  .object({
    /** To which hosts a connection to a platform may lead. An empty list: only this computer is used. */
    AllowedPlatformHosts: z.array(host),
    /** On which hosts a model server for this computer may run. An empty list: none is used. */
    AllowedModelServerHosts: z.array(host),
    /** By which routes callbacks may come, besides none at all: a public address, a mailbox. */
    AllowedCallbackRoutes: z.array(z.enum(['address', 'mailbox'])),
    /** Folders that may be watched, with all below them; `~` is the home of the person who works here. */
    AllowedFolders: z.array(
      z
        .string()
        .trim()
        .regex(/^(?:~(?:[\\/]|$)|\/|[a-z]:[\\/]|\\\\)/i),
    ),
    /** The daily cap of documents, which nobody changes then. */
    DailyDocumentCap: documents,
    /** The largest daily cap of documents that a person may set. */
    MaximumDailyDocumentCap: documents,
    /** The daily cap of tokens, which nobody changes then. */
    DailyTokenCap: tokens,
    /** The largest daily cap of tokens that a person may set. */
    MaximumDailyTokenCap: tokens,
    /** Off: Sheaf neither looks for a newer version nor installs one. */
    UpdatesEnabled: onOff,
    /** The folder of a web server in which newer versions lie, instead of the maker's. */
    UpdateUrl: z.url({ protocol: /^https$/ }),
    /** Which versions are offered, such as `latest` or `beta`. */
    UpdateChannel: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/),
  })
  .partial()

export type Policies = z.output<typeof policyShape>
export type PolicyName = keyof Policies

export const policyNames = Object.keys(policyShape.shape) as PolicyName[]

/**
 * What became of what was not understood. `unknown`: Sheaf has no policy of that name. `ignored`: the policy is not in
 * force. `narrowed`: of a list what was understood is in force and nothing else, which may be nothing.
 */
const policyProblems = ['unknown', 'ignored', 'narrowed'] as const

export const policySet = z.object({
  /** Those in force. */
  values: policyShape,
  /** Where each of them was set, by its name: a file or a key of the registry. */
  sources: z.record(z.string(), z.string()),
  problems: z.array(z.object({ name: z.string(), where: z.string(), problem: z.enum(policyProblems) })),
})
export type PolicySet = z.output<typeof policySet>
export type PolicyProblem = PolicySet['problems'][number]

export const noPolicies: PolicySet = { values: {}, sources: {}, problems: [] }

/** What one place says, not looked at yet; `where` names the place for people. */
export type PolicySource = { where: string; given: Readonly<Record<string, unknown>> }

/**
 * What is in force: of several places that name the same policy the first one counts, also where it was not understood.
 * A list says what is allowed, so what is not understood in one allows nothing; any other policy is ignored then. Pure.
 */
export function policiesFrom(places: readonly PolicySource[]): PolicySet {
  const set: PolicySet = { values: {}, sources: {}, problems: [] }
  const seen = new Set<string>()
  for (const { where, given } of places) {
    for (const [name, value] of Object.entries(given)) {
      if (seen.has(name)) continue
      seen.add(name)
      const { inForce, problem } = understood(name, value)
      if (problem !== null) set.problems.push({ name, where, problem })
      if (inForce === undefined) continue
      Object.assign(set.values, { [name]: inForce })
      set.sources[name] = where
    }
  }
  return set
}

function understood(name: string, value: unknown): { inForce?: unknown; problem: PolicyProblem['problem'] | null } {
  if (!isPolicyName(name)) return { problem: 'unknown' }
  const shape = policyShape.shape[name].unwrap()
  const parsed = shape.safeParse(value)
  if (parsed.success) return { inForce: parsed.data, problem: null }
  if (!(shape instanceof z.ZodArray)) return { problem: 'ignored' }
  const items: unknown[] = Array.isArray(value) ? value : []
  return { inForce: items.flatMap((item) => shape.safeParse([item]).data ?? []), problem: 'narrowed' }
}

function isPolicyName(name: string): name is PolicyName {
  return Object.hasOwn(policyShape.shape, name)
}

/** The refusal of what a policy does not allow. */
export function refusedBy(policy: PolicyName): AppError {
  return new AppError('set_by_administrator', { policy })
}

/** Throws `set_by_administrator` for an address on a host that the policy does not name. */
export function requireAllowedHost(
  policies: Policies,
  policy: 'AllowedPlatformHosts' | 'AllowedModelServerHosts',
  address: string,
): void {
  if (!isAllowedHost(policies[policy], address)) throw refusedBy(policy)
}

/** Whether a list of hosts names the one of an address; no list allows any, and no address is on none. Pure. */
export function isAllowedHost(hosts: readonly string[] | undefined, address: string): boolean {
  if (hosts === undefined) return true
  const url = URL.parse(address)
  if (url === null) return false
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  return hosts.some((pattern) => {
    const [, name, wantedPort] = /^(.*?)(?::(\d+))?$/.exec(pattern)!
    const isNamed = name!.startsWith('*.') ? url.hostname.endsWith(name!.slice(1)) : url.hostname === name
    return isNamed && (wantedPort === undefined || wantedPort === port)
  })
}

type Caps = { dailyDocumentCap: number | null; dailyTokenCap: number | null }

/** Which policies speak of a daily cap. */
export const capPolicies = {
  dailyDocumentCap: { fixed: 'DailyDocumentCap', most: 'MaximumDailyDocumentCap' },
  dailyTokenCap: { fixed: 'DailyTokenCap', most: 'MaximumDailyTokenCap' },
} as const satisfies Record<keyof Caps, { fixed: PolicyName; most: PolicyName }>

const capNames = Object.keys(capPolicies) as (keyof Caps)[]

/** Settings as policies let them be: what is stored stays, and counts again without the policy. Pure. */
export function withPolicies<S extends Caps>(policies: Policies, settings: S): S {
  const caps = capNames.map((name) => {
    const { fixed, most } = capPolicies[name]
    const largest = policies[most]
    const chosen = largest === undefined ? settings[name] : Math.min(settings[name] ?? largest, largest)
    return [name, policies[fixed] ?? chosen]
  })
  return { ...settings, ...Object.fromEntries(caps) }
}

/** Throws `set_by_administrator` for a change of settings that a policy does not allow. */
export function requireAllowedSettings(policies: Policies, change: Partial<Caps>): void {
  for (const name of capNames) {
    const wanted = change[name]
    if (wanted === undefined) continue
    const { fixed, most } = capPolicies[name]
    if (policies[fixed] !== undefined) throw refusedBy(fixed)
    if ((wanted ?? Infinity) > (policies[most] ?? Infinity)) throw refusedBy(most)
  }
}

/** What the updater is to do; null where the maker's own place and channel count. Pure. */
export function updateOptions(policies: Policies): { enabled: boolean; url: string | null; channel: string | null } {
  const { UpdatesEnabled: enabled = true, UpdateUrl: url = null, UpdateChannel: channel = null } = policies
  return { enabled, url, channel }
}
