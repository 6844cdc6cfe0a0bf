import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { requireOfPackager } from './electron-dist.ts'
import type { System } from './electron-dist.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** What a package is made for. */
export type Target = { system: System; arch: 'x64' | 'arm64' }

type Contents = {
  limits: Record<string, { mb: number; measured: number }>
  filesOf: (archive: string) => string[]
  differences: (files: string[], target: Target) => { unexpected: string[]; missing: string[] }
  faultsOf: (archive: string, target: Target) => string[]
}

/** .config/package-contents.mjs: plain JavaScript, since electron-builder loads it as well. */
export const contents = (await import(
  new URL('../../../.config/package-contents.mjs', import.meta.url).href
)) as Contents

const { load } = requireOfPackager('js-yaml') as { load: (text: string) => unknown }

type OfSystem = { target: { target: string; arch: string | string[] }[]; files: string[] }

/** electron-builder.yml, as far as it is looked at. */
export const packagerConfig = load(readFileSync(`${root}electron-builder.yml`, 'utf8')) as {
  files: string[]
  electronFuses: Record<string, boolean>
  win: OfSystem
  mac: OfSystem & { fileAssociations: { ext: string | string[]; role: string; rank: string }[] }
  linux: OfSystem & { mimeTypes: string[] }
  nsis: Record<string, unknown>
  msi: Record<string, unknown>
}

type Check = {
  validateConfiguration: (config: unknown, logger: { isEnabled: boolean; add: () => void }) => Promise<void>
}
const { validateConfiguration } = requireOfPackager('./out/util/config/config') as Check

/** The packager's own check of its own schema; rejects with what is wrong. */
export function validate(config: unknown): Promise<void> {
  return validateConfiguration(config, { isEnabled: false, add: () => undefined })
}
