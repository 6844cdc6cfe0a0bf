// `npm run dev`: the window from its source, with hot reload, against a running core in a data folder of its own
// (SHEAF_DATA_DIR, else .dev-data). Core is restarted by hand. For this computer only: Vite listens on 127.0.0.1 and
// passes its requests on to core.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'

const root = fileURLToPath(new URL('..', import.meta.url))
const launcher = `${root}electron/launch.mjs`

const run = (args, options) => spawn(process.execPath, [launcher, ...args], { cwd: root, ...options })

await new Promise((resolve, reject) => {
  run(['build'], { stdio: 'inherit' }).on('exit', (code) =>
    code === 0 ? resolve() : reject(new Error('build failed')),
  )
})

const core = run(['serve', '--port', '0'], {
  stdio: ['ignore', 'pipe', 'inherit'],
  env: { SHEAF_DATA_DIR: `${root}.dev-data`, ...process.env },
})
core.on('exit', (code) => process.exit(code ?? 1))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => core.kill(signal))

const launchUrl = await new Promise((resolve) => {
  let output = ''
  core.stdout.setEncoding('utf8').on('data', (chunk) => {
    output += chunk
    const url = /READY (http:\S+)/.exec(output)?.[1]
    if (url) resolve(url)
  })
})
const { origin, search } = new URL(launchUrl)
/** Core answers its own origin only, so what Vite passes on names that. */
const proxy = { target: origin, changeOrigin: true, headers: { origin } }
const vite = await createServer({
  configFile: `${root}renderer/vite.config.ts`,
  server: {
    host: '127.0.0.1',
    proxy: {
      '/ws': { ...proxy, ws: true },
      '^/(session|calls|upload|pdfjs/|files/|exports/|licenses)': proxy,
    },
  },
})
await vite.listen()
// With core's launch token, which the window exchanges for a session as it does without Vite.
process.stdout.write(`${new URL(search, vite.resolvedUrls.local[0])}\n`)
