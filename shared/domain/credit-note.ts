/** What credit notes call themselves (EN, DE, FR, ES, IT, NL); so do some self-billed invoices in German. */
const names =
  /credit[\s-]?(?:note|memo|invoice)|gutschrift|rechnungskorrektur|storno|\bavoir|abono|nota (?:de |di )?credito|credit(?:nota|factuur)/

/** Whether the type of a document is that of a credit note. Pure. */
export function isCreditNote(type: string): boolean {
  return names.test(type.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase())
}
