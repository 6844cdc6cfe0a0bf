import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AgentDocumentRow } from '../../shared/domain/agent.ts'
import type { Rig } from './setup.ts'
import { eventually } from '../helpers/eventually.ts'

/** Writes the files into a folder of their own, gives them to the agent and waits until all are read. */
export async function giveDocuments(rig: Rig, reference: string, files: Record<string, Buffer>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-documents-'))
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes)
  await rig.control('agents.addDocuments', { reference, paths: [folder] })
  await rm(folder, { recursive: true, force: true })
  await untilRead(rig, reference)
}

/** Resolves with the agent's documents as soon as none is being read. */
export async function untilRead(rig: Rig, reference: string): Promise<AgentDocumentRow[]> {
  return eventually(async () => {
    const { documents } = await rig.control('agents.documents', { reference })
    if (documents.some(({ state }) => state === 'reading')) throw new Error('still reading')
    return documents
  })
}

/** What the Documentalist answers, whole. */
export async function ask(rig: Rig, reference: string, body: Record<string, unknown>): Promise<string> {
  const response = await rig.post(`/v2/documentalist/${reference}`, body)
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`)
  return response.text()
}
