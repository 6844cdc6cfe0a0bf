import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Asked } from './suite.ts'

const reportFile = fileURLToPath(new URL('../../test-results/conformance.md', import.meta.url))

/** Writes the outcome where generated things go. */
export async function writeReport(asked: readonly Asked[]): Promise<void> {
  await mkdir(dirname(reportFile), { recursive: true })
  await writeFile(reportFile, reportOf(asked))
}

/**
 * The outcome as a document: for each section sentence, case and result. It has no times, addresses or identifiers, so
 * that two runs with the same outcome give the same text. The last line is `N passed, N failed`.
 */
export function reportOf(asked: readonly Asked[]): string {
  const sections = new Map<string, Asked[]>()
  for (const entry of asked) sections.set(entry.one.section, [...(sections.get(entry.one.section) ?? []), entry])
  const parts = [...sections].map(([section, entries]) => {
    const rows = entries.map(
      ({ one, outcome }) => `| ${cell(one.sentence)} | ${cell(one.name)} | ${cell(resultOf(outcome))} |`,
    )
    return [`## ${section}`, '', '| sentence | case | result |', '|---|---|---|', ...rows, ''].join('\n')
  })
  const notAsked = asked.filter(({ outcome }) => outcome.result === 'not asked').length
  return [
    '# Conformance',
    '',
    'What a platform was asked, sentence by sentence of the interface, and how it answered. Made by `npm run conformance`; not edited by hand.',
    '',
    ...parts,
    ...(notAsked === 0 ? [] : [`${notAsked} not asked`, '']),
    summary(asked),
    '',
  ].join('\n')
}

export function summary(asked: readonly Asked[]): string {
  const count = (result: string): number => asked.filter(({ outcome }) => outcome.result === result).length
  return `${count('passed')} passed, ${count('failed')} failed`
}

function resultOf(outcome: Asked['outcome']): string {
  return outcome.result === 'passed' ? 'passed' : `${outcome.result}: ${outcome.why}`
}

/** A line of a Markdown table: no line ends, no column of its own, shown as it is. */
function cell(text: string): string {
  return text
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .replaceAll('\\', '\\\\')
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;')
    .slice(0, 500)
}
