/** What a person chose elsewhere to be exported; the export screen starts with it. */
export type ExportDraft = { schemaId: number | null; folderId: number | null; jobIds: number[] | null }

let draft: ExportDraft = { schemaId: null, folderId: null, jobIds: null }

/** Keeps a choice for the export screen. */
export function draftExport(next: ExportDraft): void {
  draft = next
}

/** The choice that was kept last. */
export function exportDraft(): ExportDraft {
  return draft
}
