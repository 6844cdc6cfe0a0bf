import { homedir } from 'node:os'
import { join } from 'node:path'

/** `SHEAF_DATA_DIR`, or where the system keeps an application's data. */
export function dataDirOf(environment: NodeJS.ProcessEnv): string {
  if (environment['SHEAF_DATA_DIR']) return environment['SHEAF_DATA_DIR']
  if (process.platform === 'win32')
    return join(environment['APPDATA'] ?? join(homedir(), 'AppData', 'Roaming'), 'Sheaf')
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Sheaf')
  return join(environment['XDG_DATA_HOME'] ?? join(homedir(), '.local', 'share'), 'sheaf')
}
