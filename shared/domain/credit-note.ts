/** What credit notes call themselves (EN, DE, FR, ES, IT, NL), or their code (UNTDID 1001). */
const names = [
  /credit[\s_-]*(?:note|memo|invoice|nota|factuur)|gutschrift|rechnungskorrektur|storno/,
  /\bavoir|note de credit|abono|nota (?:de |di )?credito|^381$/,
]
/** «Rechnung (kein Storno)», and invoices that the buyer writes: «Gutschrift (selbst ausgestellte Rechnung)». */
const denied = /\b(?:keine?|not|pas|non|selbst|self)\b/

/**
 * Whether the type of a document is that of a credit note. An invoice that the buyer writes may say no more than that.
 * Pure.
 */
export function isCreditNote(type: string): boolean {
  const text = plain(type)
  return names.some((name) => name.test(text)) && !denied.test(text)
}

const invoices =
  /invoice|rechnung|factur|factuur|fattura|\bbill\b|\bfact\b|receipt|\bbeleg|quittung|\brecu\b|kassenbon|\bticket\b|^380$/
/**
 * What has such a word and is no supplier's invoice: one that is none yet, once more, of the office itself, or
 * corrected in full, and lists and statements of several.
 */
const otherPapers = [
  /pro[\s-]?forma|mahnung|erinnerung|reminder|rappel|angebot|offer|quote|devis|order|bestellung|auftrag/,
  /abrechnung|aufstellung|avis|statement|auszug|releve|list|lading|lieferschein|delivery/,
  /ausgangsrechnung|korrektur|rectific|selbst|self/,
]

/** Whether the type of a document is that of a supplier's invoice or receipt. Pure. */
export function isInvoice(type: string): boolean {
  const text = plain(type)
  return invoices.test(text) && !otherPapers.some((paper) => paper.test(text)) && !isCreditNote(type)
}

const finals = [
  /\bschlu(?:ss|ß)[\s-]*rechnung|\b(?:end|rest)[\s-]?rechnung|\b(?:eind|slot)[\s-]?factuur/,
  /\bfinal\b.*\b(?:invoice|bill)\b|\b(?:invoice|bill)\b.*\bfinal\b/,
  /factur[ea] (?:de |du |pour )?(?:solde|saldo|finale?|definitiv[ea])\b|fattura (?:a |di )?saldo\b|fattura finale/,
]

/** Whether an invoice is the last of several, whose total may hold what earlier ones have already. Pure. */
export function isFinalInvoice(type: string): boolean {
  const text = plain(type)
  return finals.some((name) => name.test(text)) && !isCreditNote(type)
}

function plain(text: string): string {
  return text.trim().normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
