import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { launcherOptions } from './built.ts'
import { vendorCredentials } from './vendor.ts'
import type { Vendor } from './vendor.ts'

const launcher = fileURLToPath(new URL('../../electron/launch.mjs', import.meta.url))

export type Run = { code: number | null; stdout: string; stderr: string }
export type Running = { child: ChildProcess; output: Run; ended: Promise<Run> }

/**
 * Starts `sheaf` as a process of its own, as a person would in a terminal; `before` is a shell's command for its
 * limits, `nodeOptions` are Node's own.
 */
export function startSheaf(
  args: string[],
  environment: Record<string, string>,
  cwd?: string,
  { before, nodeOptions = [] }: { before?: string; nodeOptions?: readonly string[] } = {},
): Running {
  const { SHEAF_BASE_URL: _url, SHEAF_CLIENT_ID: _id, SHEAF_CLIENT_SECRET: _secret, ...rest } = process.env
  const [program, ...parts] = [
    ...(before === undefined ? [] : ['sh', '-c', `${before}; exec "$0" "$@"`]),
    process.execPath,
    ...nodeOptions,
    launcher,
    ...args,
  ]
  const child = spawn(program!, parts, {
    env: { ...rest, LC_ALL: 'C', ...environment },
    ...(cwd === undefined ? {} : { cwd }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output: Run = { code: null, stdout: '', stderr: '' }
  child.stdout.on('data', (data) => (output.stdout += String(data)))
  child.stderr.on('data', (data) => (output.stderr += String(data)))
  const ended = new Promise<Run>((resolve) =>
    child.on('close', (code) => {
      output.code = code
      resolve(output)
    }),
  )
  return { child, output, ended }
}

/** Runs `sheaf` to its end; what the launcher gives Node is given already, so that there is one process and not two. */
export function sheaf(args: string[], environment: Record<string, string>, cwd?: string): Promise<Run> {
  return startSheaf(args, environment, cwd, { nodeOptions: launcherOptions }).ended
}

/** The environment that chooses the vendor as the platform. */
export function platformOf(vendor: Vendor): Record<string, string> {
  return {
    SHEAF_BASE_URL: vendor.baseUrl,
    SHEAF_CLIENT_ID: vendorCredentials.clientId,
    SHEAF_CLIENT_SECRET: vendorCredentials.clientSecret,
  }
}
