import * as z from 'zod'
import { estimate } from './usage.ts'
import { documentCounts } from './documents.ts'
import { archiveName } from '../domain/archive-name.ts'
import { patternList } from '../domain/file-patterns.ts'
import { afterwardsChoices, extractionModes } from '../domain/document-status.ts'
import { cutChoices } from '../domain/sorting.ts'
import { errorReason } from '../domain/error-reason.ts'
import { id, time, nothing } from './shapes.ts'

/** The part of the contract between window and core about folders: which are watched, and what lies in one. */

/** Whether a folder can be listed now; `silent`: its drive or share does not answer. */
export const reaches = ['there', 'missing', 'refused', 'silent', 'failed'] as const
export type Reach = (typeof reaches)[number]

/**
 * Why a file that lies in a folder would not be sent. `known`: this version of it has its document already.
 * `duplicate`: the same content as a document of Sheaf's or another file there. `earlier`: it was there when a person
 * chose to have new files only. `left_out`: by the patterns. The others are the codes of intake; what cannot be opened
 * now waits until it can.
 */
export const dryRunReasons = [
  'known',
  'duplicate',
  'left_out',
  'earlier',
  'unsupported_type',
  'file_too_large',
  'empty_file',
  'file_damaged',
  'extension_mismatch',
  'mail',
  'own_export',
  'hidden_file',
  'lock_file',
  'unfinished_download',
  'symbolic_link',
  'not_a_file',
  'file_unreadable',
] as const
export type DryRunReason = (typeof dryRunReasons)[number]

export const dryRun = z.object({
  /** Everything that lies there and could be looked at. */
  files: z.number().int(),
  documents: z.number().int(),
  sizeBytes: z.number(),
  /** Of the documents: e-invoices, which are read on this computer whatever the folder has. */
  readHere: z.number().int(),
  /**
   * What would not be sent, in the order of the reasons; of each at most so many names as `maxDryRunNames`, from the
   * folder on.
   */
  groups: z.array(z.object({ why: z.enum(dryRunReasons), files: z.number().int(), names: z.array(z.string()) })),
  /**
   * Files whose content could be one that is known, and was not compared: it was stopped, or would be too much to read.
   * They count as documents.
   */
  notCompared: z.number().int(),
  estimate,
})
export type DryRun = z.infer<typeof dryRun>
export const maxDryRunNames = 200
export const maxNamesShown = 5

/** A folder that is watched (`folderId`) or may be. */
const dryRunTarget = z.object({
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

/** A name that the window gives a dry run, to follow and to stop it. */
const token = z.string().min(1).max(100)

export const folderActivity = z.object({
  folderId: id,
  /** What was received since midnight, by its state now. */
  today: documentCounts,
  lastFile: z.object({ id, name: z.string(), at: time }).nullable(),
})
export type FolderActivity = z.infer<typeof folderActivity>

export const folderRow = z.object({
  id,
  path: z.string(),
  name: z.string(),
  schemaId: id,
  schemaName: z.string(),
  /** The others that its documents may be asked by; each by the one that fits. */
  otherSchemaIds: z.array(id),
  cuts: z.enum(cutChoices),
  agentReference: z.string().nullable(),
  connectionId: id,
  connectionName: z.string(),
  mode: z.enum(extractionModes),
  includeSubfolders: z.boolean(),
  afterwards: z.enum(afterwardsChoices),
  archiveName: z.string(),
  include: z.array(z.string()),
  exclude: z.array(z.string()),
  /** How many files the patterns leave out; null while the folder is paused. */
  leftOut: z.number().int().nullable(),
  /** What lay there before it was watched is left alone. */
  leavesEarlier: z.boolean(),
  /**
   * Why a file could not be moved after its outcome (`move_failed`, `failed_not_moved`) or the text beside it is not
   * true (`failed_note_stale`); null when none waits for that.
   */
  moveProblem: errorReason.nullable(),
  paused: z.boolean(),
  /** Why it is paused, where that was no person; null else. */
  pausedReason: errorReason.nullable(),
  online: z.boolean(),
  /** Files of it were found that are not in the list yet, or it was not looked yet. */
  arriving: z.boolean(),
  /** Files by state, for the card. */
  total: z.number().int(),
  open: z.number().int(),
  /** Those of the open ones that are not sent yet: they end when the folder is removed. */
  queued: z.number().int(),
  done: z.number().int(),
  attention: z.number().int(),
  lastFileAt: time.nullable(),
})
export type FolderRow = z.infer<typeof folderRow>

const folderFields = z.object({
  path: z.string().min(1),
  schemaId: id,
  otherSchemaIds: z.array(id).max(30),
  cuts: z.enum(cutChoices),
  connectionId: id,
  agentReference: z.string().trim().min(1).nullable(),
  mode: z.enum(extractionModes),
  includeSubfolders: z.boolean(),
  /** Whether originals stay, or move into `Done` and `Failed` in the folder. */
  afterwards: z.enum(afterwardsChoices),
  /** What files are called in `Done`, once their values are settled. */
  archiveName,
  include: patternList,
  exclude: patternList,
})

/** Defaults only here: in a partial change they would undo what was not meant to change. */
export const folderInput = folderFields.extend({
  otherSchemaIds: folderFields.shape.otherSchemaIds.default([]),
  cuts: folderFields.shape.cuts.default('never'),
  agentReference: folderFields.shape.agentReference.default(null),
  mode: folderFields.shape.mode.default('auto'),
  includeSubfolders: folderFields.shape.includeSubfolders.default(true),
  afterwards: folderFields.shape.afterwards.default('stay'),
  archiveName: archiveName.default(''),
  include: patternList.default([]),
  exclude: patternList.default([]),
  /** What lies there already: taken in, or left alone as long as it stays as it is. */
  existing: z.enum(['take', 'leave']).default('take'),
})

export const folderCalls = {
  'folders.list': { input: nothing, output: z.object({ folders: z.array(folderRow) }) },
  'folders.add': { input: folderInput, output: z.object({ id }) },
  /**
   * What is queued, was never sent, and is left out by new patterns is cancelled; with other patterns it is taken in
   * anew.
   */
  'folders.update': { input: folderFields.partial().extend({ id, paused: z.boolean().optional() }), output: nothing },
  /**
   * Stops watching and cancels what is not sent yet. Files, documents and results stay; watched again, what was
   * cancelled is taken in anew.
   */
  'folders.remove': { input: z.object({ id }), output: z.object({ cancelled: z.number().int() }) },
  /**
   * What the files of the last documents of these schemas would be called in `Done`, at most `maxNamesShown`; null for
   * one without a value that the name asks for.
   */
  'folders.previewNames': {
    input: z.object({ schemaIds: z.array(id).max(31), archiveName }),
    output: z.object({ names: z.array(z.object({ id, from: z.string(), to: z.string().nullable() })) }),
  },
  'folders.rescan': { input: z.object({ id }), output: nothing },
  /** Makes a folder of copies of the sample documents in the person's documents and watches it. */
  'folders.addSamples': {
    input: z.object({ schemaId: id, connectionId: id }),
    output: z.object({ id, path: z.string() }),
  },
  /** Directories below a path, for choosing a folder in the browser host; null starts at the home folder. */
  'folders.browse': {
    input: z.object({ path: z.string().nullable() }),
    output: z.object({
      path: z.string(),
      parent: z.string().nullable(),
      directories: z.array(z.object({ name: z.string(), path: z.string() })),
    }),
  },
  /** The system's folder dialog; null when cancelled. Only on the desktop host. */
  'folders.choose': { input: nothing, output: z.object({ path: z.string().nullable() }) },
  /**
   * What would become of the files that lie in a folder: by their directory entries, and their content only where the
   * size is one that is known. Stores nothing and sends nothing. Null when it was stopped before all was listed. Throws
   * `folder_missing`, `folder_system`.
   */
  'folders.dryRun': { input: dryRunTarget.extend({ token }), output: z.object({ result: dryRun.nullable() }) },
  'folders.stopDryRun': { input: z.object({ token }), output: nothing },
  /** Asks the folder itself, now. */
  'folders.reach': { input: z.object({ id }), output: z.object({ reach: z.enum(reaches) }) },
  'folders.activity': { input: nothing, output: z.object({ folders: z.array(folderActivity) }) },
  /** Takes in after all what was there before the folder was watched. */
  'folders.takeEarlier': { input: z.object({ id }), output: nothing },
} as const

export const folderEvents = {
  /** How far a dry run is: `toCompare` is 0 while files are still listed. */
  'folders.dryRunProgress': z.object({
    token,
    files: z.number().int(),
    compared: z.number().int(),
    toCompare: z.number().int(),
  }),
} as const
