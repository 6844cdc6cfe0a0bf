import type { Core } from '../../../electron/core/core.ts'
import { fileSecrets } from '../../../electron/system/secret-file.ts'
import type { Afterwards } from '../../../shared/domain/document-status.ts'
import { simpleSchema } from '../../helpers/core.ts'
import { freePort } from '../../helpers/free-port.ts'
import { vendorCredentials } from '../../helpers/vendor.ts'
import { harnessCore } from './harness-core.ts'
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
export async function setUp(dataDir: string, { baseUrl, folders, afterwards, more }: SetUp): Promise<void> {
  const core = await harnessCore(dataDir, { timings: quickTimings })
  const { tables, now } = core.context
  const connectionId = tables.connections.addPlatform('Vendor', baseUrl, vendorCredentials.clientId)
  const { id: schemaId } = tables.schemas.save(null, 'Invoice', [...simpleSchema], now())
  for (const mode of ['sync', 'async'] as const) {
    tables.folders.add(
      {
        kind: 'watched',
        path: folders[mode],
        name: mode,
        schemaId,
        connectionId,
        agentReference: null,
        mode,
        includeSubfolders: true,
        afterwards,
      },
      now(),
    )
  }
  await more?.(core)
  tables.settings.setCallbackPort(await freePort())
  await core.stop()
  await fileSecrets(dataDir).set(connectionId, vendorCredentials.clientSecret)
}
