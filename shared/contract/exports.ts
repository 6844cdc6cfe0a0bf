import * as z from 'zod'
import { billPrograms, billSettings } from '../domain/bill-settings.ts'
import { unbooked } from '../domain/bookings.ts'
import { datevSettings } from '../domain/datev.ts'
import { reviewStates } from '../domain/document-status.ts'
import { locales } from '../messages/sentences.ts'
import { id, time, nothing } from './shapes.ts'

/** The part of the contract between window and core that is about exports and how they are asked for. */

/** Tables of what a schema has. */
export const tableFormats = ['csv', 'xlsx', 'json'] as const
/** Bookings of suppliers’ invoices: for the books of a tax adviser, or as a program imports them. */
export const bookFormats = ['datev', ...billPrograms] as const
export type BookFormat = (typeof bookFormats)[number]
export const exportFormats = [...tableFormats, ...bookFormats] as const

/**
 * What becomes of the rows of a list. `sheets`: lists on their own, joined by document. `rows`: the document's fields
 * repeated on each item's row. `text`: all of it in one cell. `columns`: columns of its own for each of the first
 * items.
 */
export const listLayouts = ['sheets', 'rows', 'text', 'columns'] as const
export type ListLayout = (typeof listLayouts)[number]
/** What stands once in a document is there once, so that sums are right. */
export const usualListLayout: ListLayout = 'sheets'

/** What is known of a document besides its values, each a column of its own. */
export const abouts = [
  'fileName',
  'link',
  'schemaName',
  'folderName',
  'state',
  'receivedOn',
  'approvedOn',
  'approvedBy',
  'partnerNumber',
  'partnerAccount',
  'mailSender',
  'mailSubject',
] as const

const header = z.string().trim().min(1).max(200)

/**
 * `field`: by its path through the schema; a list as a whole stands for all of its fields. Without a header it has its
 * own.
 */
export const exportColumn = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('field'),
    field: z.array(z.string().min(1)).min(1).max(10),
    header: header.nullable().default(null),
  }),
  z.object({ kind: z.literal('constant'), value: z.string().max(1000), header }),
  z.object({
    kind: z.literal('about'),
    about: z.enum(abouts),
    header: header.nullable().default(null),
  }),
])
export type ExportColumn = z.infer<typeof exportColumn>

const day = z.iso.date().nullable().default(null)

/** Both days included; `last` so many days up to today. What was not approved has no day of approval. */
const exportDays = z.object({
  by: z.enum(['received', 'approved']).default('received'),
  from: day,
  to: day,
  last: z.number().int().min(1).max(3660).nullable().default(null),
})
export type ExportDays = z.infer<typeof exportDays>

export const exportSpec = z.object({
  schemaId: id,
  /** Only results of this folder, or of these documents; everything with a result otherwise. */
  folderId: id.nullable().default(null),
  documentIds: z.array(id).nullable().default(null),
  /** Only what is so far with its check; everything where none is named. */
  reviews: z.array(z.enum(reviewStates)).default([]),
  days: exportDays.prefault({}),
  format: z.enum(exportFormats),
  locale: z.enum(locales),
  /**
   * In this order, and no others; null: the file's name, all fields, and what came beside them. JSON has records as
   * they are.
   */
  columns: z.array(exportColumn).min(1).max(500).nullable().default(null),
  lists: z.enum(listLayouts).default(usualListLayout),
  /** For how many items of a list there are columns; further ones share one cell. */
  listLimit: z.number().int().min(1).max(100).default(10),
  /** Wanted by the format `datev` alone. */
  datev: datevSettings.nullable().default(null),
  /** Wanted by the other programs of bookkeeping. */
  bills: billSettings.nullable().default(null),
})
export type ExportSpec = z.infer<typeof exportSpec>

/** Cells as they will be shown by Excel in the chosen locale. */
export const exportTable = z.object({
  name: z.string(),
  columns: z.array(z.object({ header: z.string(), align: z.enum(['left', 'right']) })),
  rows: z.array(z.array(z.string())),
  totalRows: z.number().int(),
})

const exportRow = z.object({
  id,
  paths: z.array(z.string()),
  format: z.enum(exportFormats),
  rows: z.number().int(),
  documents: z.number().int(),
  schemaName: z.string(),
  createdAt: time,
  /** What it was asked for is known: `exports.again` can be asked. */
  repeatable: z.boolean(),
})
export type ExportRow = z.infer<typeof exportRow>

/** An export that a person keeps under a name. It is about documents of any time, so it names none. */
export const presetSpec = exportSpec.omit({ documentIds: true })
const exportPreset = z.object({ id, name: z.string(), spec: presetSpec })
export type ExportPreset = z.infer<typeof exportPreset>

/**
 * For programs of bookkeeping: documents that are no bookings, and of the bills that an earlier export has those that
 * have other values since and the first of the others, of which there are `alreadyBooked`.
 */
const leftOut = { leftOut: z.array(unbooked), alreadyBooked: z.number().int() }
const written = z.object({ export: exportRow.nullable(), ...leftOut })

/** For programs of bookkeeping: with documents that an earlier export has. It is asked for each time, and never kept. */
const booked = { alsoBooked: z.boolean().optional() }

export const exportCalls = {
  /**
   * Of the first documents, however many there are. `flagged`: so many are to be checked, among them or left out.
   * `atLeast`: there are more of either, or more rows and maybe columns, than it says.
   */
  'exports.preview': {
    input: exportSpec.extend({ ...booked, limit: z.number().int().min(1).max(200).default(50) }),
    output: z.object({
      tables: z.array(exportTable),
      documents: z.number().int(),
      flagged: z.number().int(),
      atLeast: z.object({ documents: z.boolean(), flagged: z.boolean(), rows: z.boolean() }),
      ...leftOut,
    }),
  },
  /** Writes the files into the exports folder (or, on the desktop, where the dialog says) and remembers the export. */
  'exports.run': { input: exportSpec.extend({ ...booked, askWhere: z.boolean().default(false) }), output: written },
  /**
   * The same question once more, with the documents of now, but for bills that are booked. Throws `not_found` for one that
   * is not repeatable.
   */
  'exports.again': { input: z.object({ id, askWhere: z.boolean().default(false) }), output: written },
  'exports.list': { input: nothing, output: z.object({ exports: z.array(exportRow) }) },
  'exports.reveal': { input: z.object({ id }), output: nothing },
  /** On the desktop: what the mouse begins to drag out of the window is the files of this export. */
  'exports.drag': { input: z.object({ id }), output: nothing },
  'exports.presets.list': { input: nothing, output: z.object({ presets: z.array(exportPreset) }) },
  /** Creates (id null) or replaces. */
  'exports.presets.save': {
    input: z.object({ id: id.nullable(), name: z.string().trim().min(1).max(200), spec: presetSpec }),
    output: exportPreset,
  },
  'exports.presets.remove': { input: z.object({ id }), output: nothing },
} as const
