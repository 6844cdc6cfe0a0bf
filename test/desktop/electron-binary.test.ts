import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findElectron } from '../../electron/terminal/electron-binary.ts'
import { temporaryDir } from '../helpers/core.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

describe.runIf(process.platform === 'linux')('Electron’s program', () => {
  it('is found in the folder that a person names, before it is looked for in its package', () => {
    const dir = temporaryDir()
    onTestFinished(() => dir.remove())
    const environment = { DISPLAY: ':0', ELECTRON_OVERRIDE_DIST_PATH: dir.path }
    expect(findElectron(environment)).not.toMatchObject({ path: join(dir.path, 'electron') })
    writeFileSync(join(dir.path, 'electron'), '')
    expect(findElectron(environment)).toMatchObject({ path: join(dir.path, 'electron') })
  })

  it('is of no use without a display', () => {
    expect(findElectron({})).toEqual({ why: 'there is no display' })
  })

  it('is what the tests of the desktop need: without it none has passed, and they say why', async () => {
    const { DISPLAY: _display, WAYLAND_DISPLAY: _wayland, ...env } = process.env
    const run = (...more: string[]) =>
      promisify(execFile)(process.execPath, ['--import', 'tsx', 'test/ui/run-desktop.ts', ...more], { cwd: root, env })
    const last = '0 passed, 0 failed, no Electron here: there is no display\n'
    const [{ stdout }] = await Promise.all([
      run(),
      expect(run('--required')).rejects.toMatchObject({ code: 1, stdout: last }),
    ])
    expect(stdout).toBe(last)
  })
})
