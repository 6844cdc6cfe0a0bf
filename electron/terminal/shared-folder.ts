import { sentenceFor } from '../../shared/messages/sentences.ts'
import { othersMayWrite } from '../system/folder-access.ts'
import { printable } from './format.ts'

/** Says on stderr that others may change what is in a data folder, where that is so. */
export async function reportSharedFolder(dataDir: string): Promise<void> {
  if (await othersMayWrite(dataDir))
    process.stderr.write(`${sentenceFor('data_folder_shared', { path: printable(dataDir) }, 'en')}\n`)
}
