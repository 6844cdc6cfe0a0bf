import { EventEmitter } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pdfBytes, temporaryDir, until } from '../helpers/core.ts'
import { electronNet } from '../helpers/electron-net.ts'
import { electronStandIn, replaceElectron, strict } from '../helpers/electron-stand-in.ts'
import { manifestOf, startUpdateServer } from '../helpers/update-server.ts'

const dist = fileURLToPath(new URL('../../dist/', import.meta.url))
const require = createRequire(import.meta.url)
const dir = temporaryDir()
const at = (name: string): string => join(dir.path, name)
const standIn = electronStandIn({ documents: at('documents') })
/** The service's process, which says nothing as long as a document waits for it. */
const service = Object.assign(new EventEmitter(), { pid: undefined, kill: () => void service.emit('exit', 0) })
let restore: () => void

async function call(name: string, input: object): Promise<Record<string, unknown>> {
  const answer = (await standIn.bridge().call(name, input)) as { ok: boolean; value: Record<string, unknown> }
  if (!answer.ok) throw new Error(JSON.stringify(answer))
  return answer.value
}

beforeAll(() => {
  for (const name of ['documents', 'resources', 'in']) mkdirSync(at(name))
  writeFileSync(at('Sheaf.AppImage'), 'old')
  writeFileSync(
    at('resources/app-update.yml'),
    'provider: generic\nurl: https://updates.test\nupdaterCacheDirName: sheaf-updater\n',
  )
  Object.assign(process.env, {
    SHEAF_DATA_DIR: at('data'),
    XDG_CACHE_HOME: at('cache'),
    APPIMAGE: at('Sheaf.AppImage'),
  })
  Object.defineProperty(process, 'resourcesPath', { value: at('resources') })
  restore = replaceElectron(standIn.electron)
})
afterAll(() => {
  restore()
  dir.remove()
})

it('the desktop asks for an update when a person does, and quitting in the middle of a batch installs none', async () => {
  const program = { name: 'Sheaf-0.2.0.AppImage', content: '#!/bin/sh\n' }
  const server = await startUpdateServer({
    '/latest-linux.yml': (_request, response) => void response.end(manifestOf(program)),
    [`/${program.name}`]: (_request, response) => void response.end(program.content),
  })
  const { net, session } = electronNet({ 'https://updates.test': server.port })
  const electron = standIn.electron as Record<'app' | 'session', object>
  Object.assign(electron, {
    net,
    autoUpdater: strict('autoUpdater', new EventEmitter()),
    utilityProcess: strict('utilityProcess', { fork: () => service }),
  })
  Object.assign(electron.session, { fromPartition: session })
  Object.assign(electron.app, {
    isPackaged: true,
    getVersion: () => '0.1.0',
    getName: () => 'Sheaf',
    getPath: () => at('documents'),
  })
  require(`${dist}main.cjs`)
  await until(() => standIn.loadedUrl() !== null, 'the window')
  require(`${dist}preload.cjs`)
  expect(await call('updates.get', {})).toEqual({ state: { kind: 'idle', checkedAt: null } })
  expect(server.asked).toEqual([])

  const states: unknown[] = []
  standIn.bridge().onEvent((name) => {
    if (name === 'updates.changed') void call('updates.get', {}).then(({ state }) => states.push(state))
  })
  await call('updates.check', {})
  await until(() => JSON.stringify(states.at(-1)) === '{"kind":"ready","version":"0.2.0"}', 'the update')

  const { connections } = (await call('connections.list', {})) as { connections: { id: number }[] }
  const { id: schemaId } = await call('schemas.save', {
    id: null,
    name: 'Receipt',
    elements: [{ name: 'shop', format: 'text', description: 'Its name' }],
  })
  writeFileSync(at('in/a.pdf'), pdfBytes('a'))
  await call('folders.add', { path: at('in'), schemaId, connectionId: connections[0]?.id })
  await until(() => service.listenerCount('message') > 0, 'the document to be sent')
  expect(await standIn.bridge().call('updates.install', {})).toMatchObject({
    ok: false,
    error: { code: 'batch_running' },
  })
  const quitting = standIn.quit()
  service.emit('exit', 0)
  await quitting
  expect(readFileSync(at('Sheaf.AppImage'), 'utf8')).toBe('old')
})
