import { policyNames } from '../../shared/domain/policies.ts'
import type { PolicyProblem, PolicySet } from '../../shared/domain/policies.ts'
import { placesOf, readPolicies } from '../system/policies.ts'
import { parse } from './arguments.ts'
import { tableOf } from './format.ts'
import { jsonOption, print, refusePositionals } from './service-calls.ts'

const problemWords: Record<PolicyProblem['problem'], string> = {
  unknown: 'Sheaf has no policy of this name',
  ignored: 'not understood, so not in force',
  narrowed: 'not understood; of the list nothing else is allowed',
}

/**
 * `sheaf policies`: what an administrator has set for Sheaf, as every start reads it, and what of that was not
 * understood. Exit code 1 when there is any of the latter. Throws `policies_unreadable`.
 */
export async function policiesCommand(argv: string[], places = placesOf(process.platform)): Promise<number> {
  const { values, positionals } = parse(argv, jsonOption)
  refusePositionals(positionals, 'sheaf policies [--json]')
  const set = await readPolicies(places)
  print(
    values['json'] === true,
    set,
    described(
      set,
      places.map(({ where }) => where),
    ),
  )
  return set.problems.length === 0 ? 0 : 1
}

function described({ values, sources, problems }: PolicySet, places: string[]): string {
  if (Object.keys(sources).length === 0 && problems.length === 0)
    return `No policies are set. Sheaf looks in:\n${places.join('\n')}`
  const rows = policyNames
    .filter((name) => values[name] !== undefined)
    .map((name) => [name, JSON.stringify(values[name]), sources[name]!])
  const wrong = problems.map(({ name, where, problem }) => [name, problemWords[problem], where])
  return [
    rows.length === 0 ? 'No policies are in force.' : tableOf([['In force', 'Value', 'Set in'], ...rows], Infinity),
    ...(wrong.length === 0 ? [] : [tableOf([['Wrong', 'What', 'Set in'], ...wrong], Infinity)]),
  ].join('\n\n')
}
