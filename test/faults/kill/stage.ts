import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Core } from '../../../electron/core/core.ts'
import type { Mailbox } from '../../../electron/mailbox/server.ts'
import { fileSecrets } from '../../../electron/system/secret-file.ts'
import { pairingCodePrefix } from '../../../shared/wire/mailbox.ts'
import { pdfBytes } from '../../helpers/core.ts'
import { freePort } from '../../helpers/free-port.ts'
import { codeSecret, startTestMailbox } from '../../helpers/mailbox.ts'
import { vendorCredentials } from '../../helpers/vendor.ts'
import type { Seeded } from '../harness/seeded.ts'
import { setUp } from '../harness/set-up.ts'
import { writeOldFolder } from './old-folder.ts'
import type { OldDocument } from './old-folder.ts'
import type { Mode, Point } from './points.ts'
import { quickFolder } from '../../helpers/temporary.ts'

/** A document of a run, and the way that it goes. */
export type StagedFile = { name: string; path: string; mode: Mode; bytes: Buffer }

export type Stage = {
  root: string
  dataDir: string
  folders: Record<Mode, string>
  files: StagedFile[]
  hit: StagedFile
  exportsDir: string
  remove: () => void
}

/** A data folder and watched folders of one run, with the documents that it is about; none of them is written yet. */
export function makeStage(point: Point, mode: Mode, random: Seeded): Stage {
  // In memory where there is such a disk: what a killed process wrote is there all the same, and nobody waits for a
  // real one.
  const root = mkdtempSync(join(quickFolder, 'sheaf-kill-'))
  const dataDir = join(root, 'data')
  const folders: Record<Mode, string> = { sync: join(root, 'in-sync'), async: join(root, 'in-async') }
  const count = random.between(1, 5)
  const hitIndex = random.between(0, count - 1)
  const files = Array.from({ length: count }, (_, index) => {
    const isHit = index === hitIndex
    const way: Mode = isHit && point.asynchronous === true ? 'async' : mode
    const sizeBytes =
      isHit && point.largeBytes !== undefined
        ? random.between(point.largeBytes, point.largeBytes * 2)
        : random.between(400, random.chance(0.2) ? 400_000 : 6000)
    const name = `${['Rechnung', 'facture', 'invoice', 'Beleg'][index % 4]} ${random.between(1000, 9999)}-${index}.pdf`
    return {
      name,
      path: join(folders[way], name),
      mode: way,
      bytes: pdfBytes(`${name} ${random.between(0, 1e9)}`, sizeBytes),
    }
  })
  for (const path of Object.values(folders)) mkdirSync(path)
  return {
    root,
    dataDir,
    folders,
    files,
    hit: files[hitIndex]!,
    exportsDir: join(dataDir, 'exports'),
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

export function writeFiles({ files }: Stage): void {
  for (const { path, bytes } of files) writeFileSync(path, bytes)
}

export type Prepared = { mailbox: Mailbox | null; old: OldDocument[] }

/** What a person has set up before: a connection to the vendor, and one folder for each way that documents go. */
export async function prepare(stage: Stage, point: string, baseUrl: string): Promise<Prepared> {
  if (point === 'K21') {
    writeFiles(stage)
    const old = writeOldFolder(stage, baseUrl, await freePort())
    await fileSecrets(stage.dataDir).set(2, vendorCredentials.clientSecret)
    return { mailbox: null, old }
  }
  let mailbox: Mailbox | null = null
  await setUp(stage.dataDir, {
    baseUrl,
    folders: stage.folders,
    afterwards: point === 'K18' ? 'move' : 'stay',
    more: async (core) =>
      void (mailbox = point === 'K22' ? await pairWithMailbox(core, join(stage.root, 'mailbox')) : null),
  })
  return { mailbox, old: [] }
}

async function pairWithMailbox(core: Core, dataDir: string): Promise<Mailbox> {
  const mailboxPort = await freePort()
  const url = `http://127.0.0.1:${mailboxPort}`
  const mailbox = await startTestMailbox(dataDir, { port: mailboxPort, publicUrl: url })
  const code =
    pairingCodePrefix + Buffer.from(JSON.stringify({ url, secret: codeSecret(dataDir) })).toString('base64url')
  await core.handlers['callbacks.pair']({ code })
  return mailbox
}
