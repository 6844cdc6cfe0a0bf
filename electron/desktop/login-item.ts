import { mkdir, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { app } from 'electron'

/** Has Sheaf started with the session of this person, without its window, or no longer. */
export async function setStartAtLogin(isOn: boolean): Promise<void> {
  if (process.platform === 'linux') return setAutostartEntry(isOn)
  app.setLoginItemSettings({ openAtLogin: isOn, args: ['--hidden'] })
}

/** Electron knows login items of Windows and macOS only; Linux desktops read files (XDG Autostart). */
async function setAutostartEntry(isOn: boolean): Promise<void> {
  const directory = join(process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'), 'autostart')
  const path = join(directory, 'sheaf.desktop')
  if (!isOn) return rm(path, { force: true })
  await mkdir(directory, { recursive: true })
  // An AppImage is mounted elsewhere at each start.
  await writeFile(path, autostartEntry(process.env['APPIMAGE'] ?? process.execPath))
}

/** A file that starts `program` with the session. Pure. */
export function autostartEntry(program: string): string {
  const quoted = `"${program.replaceAll(/[\\"`$]/g, '\\$&').replaceAll('%', '%%')}"`
  return `[Desktop Entry]\nType=Application\nName=Sheaf\nExec=${quoted} --hidden\n`
}
