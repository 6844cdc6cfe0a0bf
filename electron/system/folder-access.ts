import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Whether others than this account may change what is in a folder; false also where that cannot be told. */
export async function othersMayWrite(folder: string): Promise<boolean> {
  try {
    if (process.platform !== 'win32') return isWritableByOthers(await stat(folder), process.getuid!())
    const icacls = join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'icacls.exe')
    const { stdout } = await promisify(execFile)(icacls, [folder], { windowsHide: true })
    return grantsOthersWriting(stdout, folder)
  } catch {
    return false
  }
}

type FolderOwnership = { mode: number; uid: number; gid: number }

/**
 * Judges a folder by its mode and its owner. A group of the owner's own number is one that Linux makes for each account
 * alone; the administrator may write everywhere. Pure.
 */
export function isWritableByOthers({ mode, uid, gid }: FolderOwnership, account: number): boolean {
  if (uid !== account && uid !== 0) return true
  return (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && gid !== uid)
}

/**
 * Everyone, authenticated users, users and guests, by their numbers (learn.microsoft.com, Well-known SIDs) and by their
 * names in the languages of Sheaf. What the console's code page makes of «é» is any character.
 */
const everybody =
  /^(\*?S-1-(1-0|5-11|5-32-54[56])|Everyone|Jeder|Tout le monde|[^\\]+\\(Authenticated Users|Authentifizierte Benutzer|Utilisateurs authentifi.s|Users|Benutzer|Utilisateurs|Guests|Gäste|Invit.s))$/i

/** Full, modify, write, add files or folders, delete, and change rights or the owner (icacls /?). */
const writing = /[(,](F|M|W|GA|GW|WD|AD|D|DE|DC|WDAC|WO)[,)]/

/**
 * Judges a folder by what `icacls FOLDER` prints: one entry a line, `NAME:(flags)(rights)`, the first one behind the
 * folder. Only of accounts that stand for everybody; what another one is, its name does not say. Pure.
 */
export function grantsOthersWriting(listing: string, folder: string): boolean {
  return listing.split(/\r?\n/).some((line) => {
    const entry = (line.startsWith(folder) ? line.slice(folder.length) : line).trim()
    const [, name, rights] = /^([^:]+):((?:\([A-Z,]+\))+)$/.exec(entry) ?? []
    if (name === undefined || rights === undefined || rights.includes('(DENY)')) return false
    return everybody.test(name) && writing.test(rights.slice(rights.lastIndexOf('(')))
  })
}
