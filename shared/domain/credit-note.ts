/** What credit notes call themselves (EN, DE, FR, ES, IT, NL), or their code (UNTDID 1001). */
const names =
  /credit[\s_-]*(?:note|memo|invoice|nota|factuur)|gutschrift|(?:rechnungs|korrektur)(?:korrektur|rechnung)|storno|\bavoir|note de credit|abono|rectificativa|nota (?:de |di )?credito|^381$/
/** «Rechnung (kein Storno)», and invoices that the buyer writes: «Gutschrift (selbst ausgestellte Rechnung)». */
const denied = /\b(?:kein|no|not|pas|non|selbst|self)\b/

/** Whether the type of a document is that of a credit note. An invoice that the buyer writes may say no more than that. Pure. */
export function isCreditNote(type: string): boolean {
  const text = plain(type)
  return names.test(text) && !denied.test(text)
}

const invoices =
  /invoice|rechnung|factur|fattura|\bbill\b|\bfact\b|receipt|\bbeleg|quittung|\brecu\b|kassenbon|\bticket\b|^380$/
/** What names an invoice and is none yet, or once more. */
const otherPapers =
  /pro[\s-]?forma|mahnung|erinnerung|reminder|rappel|angebot|offer|quote|devis|order|bestellung|auftrag/

/** Whether the type of a document is that of an invoice or a receipt. Pure. */
export function isInvoice(type: string): boolean {
  const text = plain(type)
  return invoices.test(text) && !otherPapers.test(text) && !isCreditNote(type)
}

function plain(text: string): string {
  return text.trim().normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
