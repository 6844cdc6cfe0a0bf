import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { electronStandIn, replaceElectron } from '../helpers/electron-stand-in.ts'
import { startTestCore, temporaryDir, until } from '../helpers/core.ts'

it('a shutdown of the system waits until the desktop app has let go of its data', async () => {
  const dir = temporaryDir()
  onTestFinished(dir.remove)
  process.env['SHEAF_DATA_DIR'] = dir.path
  const standIn = electronStandIn({ documents: dir.path })
  onTestFinished(replaceElectron(standIn.electron))
  createRequire(import.meta.url)(fileURLToPath(new URL('../../dist/main.cjs', import.meta.url)))
  await until(() => standIn.loadedUrl() !== null, 'the window to load its page')
  expect(standIn.power.shutDown()).toBe(true)
  expect(standIn.app.hasQuit()).toBe(false)
  await until(() => standIn.app.hasQuit(), 'the end of the app')
  // Nobody holds the data folder any more.
  const next = await startTestCore(dir.path)
  await next.stop({ atOnce: true })
})
