import type { AboutDocument } from '../../../shared/domain/about-document.ts'
import { listItems } from '../../../shared/domain/list-items.ts'
import { toCell } from './values.ts'
import type { CellValue } from './values.ts'

// What both kinds of tables are made of: `flatten.ts` for those that follow the schema, `columns.ts` for those that a
// person chose.

export type ExportRecord = Record<string, unknown>

/** Who sent what a record says, as the office keeps it in its books; null where that is nobody it knows. */
export type PartnerOf = (record: ExportRecord) => { number: string | null; bookAccount: string | null } | null

/** One document with its result. `fileName` is shown, never used as a path; `id`: where a person can be led to it. */
export type ExportDocument = { id?: number; fileName: string; records: readonly ExportRecord[]; about?: AboutDocument }

export type Column = { header: string; align: 'left' | 'right' }

export type TablePlan = {
  /** '' for the table that stands for the whole export, otherwise what tells it apart: the list's name. */
  key: string
  /** For the sheet's tab. */
  name: string
  columns: Column[]
  /** Rows of one record. `number` counts records over the whole export, from 1. */
  rowsOf(record: ExportRecord, fileName: string, number: number, about?: AboutDocument): Iterable<CellValue[]>
}

/** The headers that are Sheaf's own. */
export const words = {
  en: {
    document: 'Document',
    documents: 'Documents',
    file: 'File',
    row: 'Row',
    rowIn: (list: string) => `Row in ${list}`,
    more: 'More',
    moreOf: (list: string) => `More of ${list}`,
    link: 'Link',
    schemaName: 'Schema',
    folderName: 'Folder',
    state: 'State',
    states: { flagged: 'To check', ready: 'Ready', approved: 'Approved' },
    receivedOn: 'Received',
    approvedOn: 'Approved',
    approvedBy: 'Approved by',
    partnerNumber: 'Partner number',
    partnerAccount: 'Partner account',
    mailSender: 'Sender of the mail',
    mailSubject: 'Subject of the mail',
  },
  de: {
    document: 'Dokument',
    documents: 'Dokumente',
    file: 'Datei',
    row: 'Zeile',
    rowIn: (list: string) => `Zeile in ${list}`,
    more: 'Weiteres',
    moreOf: (list: string) => `Weiteres in ${list}`,
    link: 'Link',
    schemaName: 'Schema',
    folderName: 'Ordner',
    state: 'Stand',
    states: { flagged: 'Zu prüfen', ready: 'Bereit', approved: 'Freigegeben' },
    receivedOn: 'Eingegangen',
    approvedOn: 'Freigegeben',
    approvedBy: 'Freigegeben von',
    partnerNumber: 'Partnernummer',
    partnerAccount: 'Partnerkonto',
    mailSender: 'Absender der Mail',
    mailSubject: 'Betreff der Mail',
  },
  fr: {
    document: 'Document',
    documents: 'Documents',
    file: 'Fichier',
    row: 'Ligne',
    rowIn: (list: string) => `Ligne de ${list}`,
    more: 'Autres',
    moreOf: (list: string) => `Autres de ${list}`,
    link: 'Lien',
    schemaName: 'Schéma',
    folderName: 'Dossier',
    state: 'État',
    states: { flagged: 'À vérifier', ready: 'Prêt', approved: 'Approuvé' },
    receivedOn: 'Reçu',
    approvedOn: 'Approuvé',
    approvedBy: 'Approuvé par',
    partnerNumber: 'Numéro du partenaire',
    partnerAccount: 'Compte du partenaire',
    mailSender: 'Expéditeur du mail',
    mailSubject: 'Objet du mail',
  },
} as const

/** Gives every column of a table a header of its own: a name that is taken gets its list's name, then a number. */
export class Headers {
  readonly #used = new Set<string>()

  add(name: string, align: Column['align'], context = ''): Column {
    const candidates = context === '' ? [name] : [name, `${name} (${context})`]
    let header = candidates.find((candidate) => !this.#isUsed(candidate))
    for (let number = 2; header === undefined; number++) {
      const candidate = `${candidates.at(-1)!} ${number}`
      if (!this.#isUsed(candidate)) header = candidate
    }
    this.#used.add(header.toLowerCase())
    return { header, align }
  }

  #isUsed(name: string): boolean {
    return this.#used.has(name.toLowerCase())
  }
}

export type Item = { fields: ExportRecord; row: number; parentRow: number }

/** The items of the list at `path`, numbered within their record. */
export function itemsAt(record: ExportRecord, path: readonly string[]): Item[] {
  let level: Item[] = [{ fields: record, row: 1, parentRow: 0 }]
  for (const name of path) {
    const next: Item[] = []
    for (const parent of level) {
      for (const fields of listItems(parent.fields, name))
        next.push({ fields, row: next.length + 1, parentRow: parent.row })
    }
    level = next
  }
  return level
}

/** The cell of one field; null where the record has none. */
export function cellOf(record: ExportRecord, name: string): CellValue {
  return Object.hasOwn(record, name) ? toCell(record[name]) : null
}
