import { z } from 'zod'
import { estimate } from './contract-platform.ts'
import { jobCounts } from './contract-jobs.ts'
import { patternList } from './file-patterns.ts'
import { afterwardsChoices } from './job.ts'

/** The part of the contract between window and core that is about what lies in a folder, and what came of it today. */

const id = z.number().int().positive()
const time = z.number().int()
const nothing = z.object({})

/** Whether a folder can be listed now; `silent`: its drive or share does not answer. */
export const reaches = ['there', 'missing', 'refused', 'silent', 'failed'] as const
export type Reach = (typeof reaches)[number]

/**
 * Why a file that lies in a folder would not be sent. `known`: this version of it has its document already. `duplicate`: the same
 * content as a document of Sheaf's or another file there. `earlier`: it was there when a person chose to have new files only.
 * `left_out`: by the patterns. The others are the codes of intake; what cannot be opened now waits until it can.
 */
export const lookReasons = [
  'known',
  'duplicate',
  'left_out',
  'earlier',
  'unsupported_type',
  'file_too_large',
  'empty_file',
  'file_damaged',
  'extension_mismatch',
  'own_export',
  'hidden_file',
  'lock_file',
  'unfinished_download',
  'symbolic_link',
  'not_a_file',
  'file_unreadable',
] as const
export type LookReason = (typeof lookReasons)[number]

export const look = z.object({
  /** Everything that lies there and could be looked at. */
  files: z.number().int(),
  documents: z.number().int(),
  sizeBytes: z.number(),
  /** What would not be sent, in the order of the reasons; of each at most so many names as `mostLookNames`, from the folder on. */
  groups: z.array(z.object({ why: z.enum(lookReasons), files: z.number().int(), names: z.array(z.string()) })),
  /** Files whose content could be one that is known, and was not compared: it was stopped, or would be too much to read. They count as documents. */
  notCompared: z.number().int(),
  estimate,
})
export type Look = z.infer<typeof look>
export const mostLookNames = 200

/** A folder that is watched (`folderId`) or may be. */
const lookPlace = z.object({
  folderId: id.nullable().default(null),
  path: z.string().min(1),
  includeSubfolders: z.boolean(),
  afterwards: z.enum(afterwardsChoices),
  include: patternList,
  exclude: patternList,
  schemaId: id,
  connectionId: id,
  agentReference: z.string().trim().min(1).nullable(),
})

/** A name that the window gives a look, to follow and to stop it. */
const token = z.string().min(1).max(100)

export const folderActivity = z.object({
  folderId: id,
  /** What was received since midnight, by its state now. */
  today: jobCounts,
  lastFile: z.object({ id, name: z.string(), at: time }).nullable(),
})
export type FolderActivity = z.infer<typeof folderActivity>

export const folderCalls = {
  /**
   * What would become of the files that lie in a folder: by their directory entries, and their content only where the size is one
   * that is known. Stores nothing and sends nothing. Null when it was stopped before all was listed. Throws `folder_missing`.
   */
  'folders.look': { input: lookPlace.extend({ token }), output: z.object({ look: look.nullable() }) },
  'folders.stopLook': { input: z.object({ token }), output: nothing },
  /** Asks the folder itself, now. */
  'folders.reach': { input: z.object({ id }), output: z.object({ reach: z.enum(reaches) }) },
  'folders.activity': { input: nothing, output: z.object({ folders: z.array(folderActivity) }) },
  /** Takes in after all what was there before the folder was watched. */
  'folders.takeEarlier': { input: z.object({ id }), output: nothing },
} as const

export const folderEvents = {
  /** How far a look is: `toCompare` is 0 while files are still listed. */
  'folders.looking': z.object({ token, files: z.number().int(), compared: z.number().int(), toCompare: z.number().int() }),
} as const
