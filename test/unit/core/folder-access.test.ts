import { describe, expect, it } from 'vitest'
import { grantsOthersWriting, isWritableByOthers } from '../../../electron/system/folder-access.ts'

describe('a folder that others may change, by its mode', () => {
  const own = { mode: 0o40700, uid: 1000, gid: 1000 }
  it.each([
    ['of one’s own, closed', own, false],
    ['that others may read', { ...own, mode: 0o40755 }, false],
    ['that everybody may change', { ...own, mode: 0o40777 }, true],
    ['that everybody may add to (sticky)', { ...own, mode: 0o41777 }, true],
    ['that a group of several may change', { ...own, mode: 0o40775, gid: 100 }, true],
    ['that the group of one’s own name may change', { ...own, mode: 0o40775 }, false],
    ['of another account', { ...own, uid: 1001 }, true],
    ['of the administrator', { ...own, uid: 0, gid: 0 }, false],
  ])('%s', (_what, folder, expected) => {
    expect(isWritableByOthers(folder, 1000)).toBe(expected)
  })
})

const folder = 'C:\\Users\\Anna Müller\\AppData\\Roaming\\Sheaf'
/** As icacls prints it: the folder before the first entry, and as much room before the others. */
function listing(entries: string[], last = 'Successfully processed 1 files; Failed processing 0 files'): string {
  const lines = entries.map((entry, index) => `${index === 0 ? folder : ' '.repeat(folder.length)} ${entry}`)
  return `${lines.join('\r\n')}\r\n\r\n${last}\r\n`
}

describe('a folder that others may change, by the output of icacls', () => {
  const profile = [
    'NT AUTHORITY\\SYSTEM:(I)(OI)(CI)(F)',
    'BUILTIN\\Administrators:(I)(OI)(CI)(F)',
    'DESKTOP-1\\Anna:(I)(OI)(CI)(F)',
  ]
  it.each([
    ['a profile as Windows makes it', profile, false],
    ['others may read and run', [...profile, 'BUILTIN\\Users:(I)(OI)(CI)(RX)', 'Everyone:(R)'], false],
    ['everybody may do everything', ['Everyone:(OI)(CI)(F)', ...profile], true],
    ['users may change', [...profile, 'BUILTIN\\Users:(OI)(CI)(M)'], true],
    ['what is made on another drive', [...profile, 'NT AUTHORITY\\Authenticated Users:(I)(M)'], true],
    ['only what is made in it', [...profile, 'NT AUTHORITY\\Authenticated Users:(I)(OI)(CI)(IO)(M)'], true],
    ['users may add files', [...profile, 'BUILTIN\\Users:(CI)(RX,WD)'], true],
    ['users may add folders', [...profile, 'BUILTIN\\Users:(I)(CI)(AD)'], true],
    ['a right that is taken', [...profile, 'Everyone:(DENY)(W)'], false],
    ['German', ['NT-AUTORITÄT\\SYSTEM:(I)(F)', 'VORDEFINIERT\\Benutzer:(I)(OI)(CI)(RX)'], false],
    ['German, writable', ['NT-AUTORITÄT\\SYSTEM:(I)(F)', 'NT-AUTORITÄT\\Authentifizierte Benutzer:(I)(M)'], true],
    ['German, everybody', ['Jeder:(OI)(CI)(F)'], true],
    ['French, writable', ['AUTORITE NT\\Utilisateurs authentifiés:(I)(M)'], true],
    ['French, as a console of another code page prints it', ['AUTORITE NT\\Utilisateurs authentifi‚s:(I)(M)'], true],
    ['French, everybody', ['Tout le monde:(F)'], true],
    ['by number, where the name is not found', ['*S-1-1-0:(OI)(CI)(F)', 'S-1-5-32-545:(RX)'], true],
    ['an account of which nothing is known', [...profile, 'CORP\\Backup:(OI)(CI)(F)'], false],
  ])('%s', (_what, entries, expected) => {
    expect(grantsOthersWriting(listing(entries), folder)).toBe(expected)
  })

  it('says nothing of what it cannot read', () => {
    for (const output of ['', 'Access is denied.', `${folder}: Zugriff verweigert\r\n`, 'Everyone', '(F)', ':(F)'])
      expect(grantsOthersWriting(output, folder)).toBe(false)
  })
})
