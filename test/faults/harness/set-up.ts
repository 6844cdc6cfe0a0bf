import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import type { Core } from '../../../electron/core/core.ts'
import { fileSecrets } from '../../../electron/secret-file.ts'
import type { Afterwards } from '../../../shared/job.ts'
import { simpleSchema } from '../../helpers/core.ts'
import { vendorCredentials } from '../../helpers/vendor.ts'
import { harnessCore } from './harness-core.ts'
import type { BuiltProgram } from './program.ts'
import { quickTimings } from './protocol.ts'

export type SetUp = {
  baseUrl: string
  /** A folder for each way that documents go. */
  folders: { sync: string; async: string }
  afterwards: Afterwards
  /** What else a person did. */
  more?: (core: Core) => Promise<void>
}

/** What a person has set up before: a connection to the vendor and the watched folders. */
export async function setUp(dataDir: string, built: BuiltProgram, { baseUrl, folders, afterwards, more }: SetUp): Promise<void> {
  const core = await harnessCore(dataDir, { snapshotThread: built.snapshotThread, timings: quickTimings })
  const { tables, now } = core.context
  const connectionId = tables.connections.addPlatform('Vendor', baseUrl, vendorCredentials.clientId)
  const { id: schemaId } = tables.schemas.save(null, 'Invoice', [...simpleSchema], now())
  for (const mode of ['sync', 'async'] as const) {
    tables.folders.add({ kind: 'watched', path: folders[mode], name: mode, schemaId, connectionId, agentReference: null, mode, includeSubfolders: true, afterwards }, now())
  }
  await more?.(core)
  tables.settings.setCallbackPort(await quietPort())
  await core.stop()
  await fileSecrets(dataDir).set(connectionId, vendorCredentials.clientSecret)
}

/**
 * A port that no outgoing connection of this computer is given (those begin at 32768 on Linux), so that nobody takes it
 * between the kill and the next start.
 */
export async function quietPort(): Promise<number> {
  for (;;) {
    const port = 10_000 + (randomBytes(2).readUInt16BE() % 22_000)
    const isFree = await new Promise<boolean>((resolve) => {
      const server = createServer()
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
    })
    if (isFree) return port
  }
}
