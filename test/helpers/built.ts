import { fileURLToPath } from 'node:url'

/** A program or thread of the tests' own, as build.ts has built it; those of the product are at `entryPath`. */
export function testProgram(name: 'serve' | 'harness' | 'rename-child' | 'migration-child' | 'fuzz-thread'): string {
  return fileURLToPath(new URL(`../../dist/test/${name}.mjs`, import.meta.url))
}

/** Of what the launcher gives Node: a start takes 0.22 s of processor time instead of 0.29. */
export const launcherMemory = ['--min-semi-space-size=16', '--max-semi-space-size=16']

/** All of it: the launcher starts no second process where it finds this. */
export const launcherOptions = [...launcherMemory, '--heap-growing-percent=20']
