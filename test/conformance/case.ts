import type { Target } from './target.ts'

/** What a case cannot do without, and why a platform that cannot give it is not asked. */
export const needs = {
  documentalist: 'no Documentalist was named (--documentalist)',
  privateDocumentalist: 'no private Documentalist was named (--private-documentalist)',
  extractor: 'no Extractor was named (--extractor)',
  callback: 'no address for webhooks was named (--callback-url)',
  organizations: 'needs organizations and accounts that only the one who runs the service can make',
  agents: 'needs agents that only the one who runs the service can make',
  model: 'needs a scripted model behind the aliases',
  limits: 'needs a service that was started with other limits',
  key: 'needs the key with which the service signs its tokens',
  choice: 'the interface leaves it open; this asks for the choice of this service',
} as const
export type Need = keyof typeof needs

export type CaseBody = {
  /** Never changes, so that two reports can be compared. */
  id: string
  /** The words of the interface. */
  sentence: string
  /** What is checked. */
  name: string
  needs?: Need[]
  /** Throws when the platform does not keep to the sentence. */
  run(target: Target): Promise<void>
}

/** One testable sentence of the interface. */
export type Case = CaseBody & { section: string }

/** The cases of one section of the interface. */
export function section(name: string, bodies: CaseBody[]): Case[] {
  return bodies.map((body) => ({ section: name, ...body }))
}
