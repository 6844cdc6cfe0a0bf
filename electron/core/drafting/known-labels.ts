/**
 * What labels and column headings mean in the languages that documents come in, as keys of the templates' fields.
 * `number` and `date` are the document's own, whatever kind it is of.
 */
type Meanings = readonly (readonly [key: string, pattern: RegExp])[]

const ofDocument: Meanings = [
  [
    'order_number',
    /^(your |customer |purchase |ihre )?(order|bestellung|best|bestellnummer|po|p o|commande|commande client|pedido)( no| nr| number| #| n°)?$|^(n°|numero) de commande$|^original order$/,
  ],
  [
    'number',
    /^(vat |tax )?(invoice|inv|credit note|delivery note|receipt|statement|bill|form)( no| nr| number| #| num)$|^(rechnungs?|rechn|gutschrifts?|lieferschein|bon|beleg|auszugs?)( ?nr| ?nummer)$|^(facture|factura|fattura|ticket|releve|bon de livraison|bon de commande)( n| no| n°| nº| numero)$|^(n|no|nº|n°|numero) (de )?(factura|facture|ticket|releve|bon)$|^rechnung nr$|^lieferschein$/,
  ],
  [
    'due_date',
    /^(due|due date|date due|payment due( date)?|falligkeit|fallig( am)?|zahlbar bis|zahlungsziel|echeance|date (d )?echeance|date limite de paiement|vencimiento|scadenza)$/,
  ],
  [
    'delivery_date',
    /^((required )?delivery date|lieferdatum|liefertermin|date de livraison|livraison( souhaitee)?( le)?)$/,
  ],
  ['birth_date', /^(date of birth|birth ?date|geburtsdatum|geboren am|date de naissance|ne e? ?le)( .*)?$/],
  [
    'date',
    /^((invoice|issue|order|statement|bill|receipt|tax point) date.*|date|date of (issue|invoice|order)|datum|(rechnungs?|rechn|bestell|beleg|auszugs?) ?datum|date de (la )?(facture|commande)|facture du|fecha( de factura)?|data)$/,
  ],
  [
    'net_amount',
    /^(sub ?total|zwischensumme( netto)?|summe netto|netto( ?betrag| ?summe)?( gesamt)?|warenwert netto|(total )?net( amount| total| €| £)?|total (net|ht|goods|base|hors taxes|excluding tax|excl( vat| tax)?|exkl mwst)|order total excl vat|base imponible|imponibile)$/,
  ],
  [
    'tax_amount',
    /^(zzgl |total |plus |enthaltene )?(vat|tax|sales tax|mwst|ust|iva|tva|umsatzsteuer|mehrwertsteuer)( total| gesamt| incl| ohio)?$|^total (vat|iva|tva|taxes)$/,
  ],
  [
    'total_amount',
    /^(total|totale|(invoice|grand|order) total( gbp| eur)?|total (amount|due|ttc|to pay|factura|incl|inkl mwst|ttc eur|claimed)( chf| eur)?|amount due|balance due|gesamt(betrag|summe)?( eur)?( inkl mwst)?|rechnungs(betrag|summe)( eur)?|total credit|endbetrag|gutschriftsbetrag|summe( eur)?|zu zahlen( eur)?|net a payer( ttc)?|montant (a payer|a regler|total))$/,
  ],
  ['iban', /^(iban|konto|compte)$/],
  [
    'opening_balance',
    /^(opening balance|alter (konto)?stand|alter saldo|ancien solde|brought forward|balance brought forward).*$/,
  ],
  ['closing_balance', /^(closing balance|neuer (konto)?stand|neuer saldo|nouveau solde).*$/],
  ['account_holder', /^(account (holder|name)|kontoinhaber|titulaire)$/],
  [
    'payment_method',
    /^(payment (method|terms)|zahlungsart|zahlungsbedingungen|mode de (paiement|reglement)|forma de pago|terms)( incoterms)?$/,
  ],
  ['supplier_name', /^(supplier|vendor|lieferant|fournisseur|proveedor|absender)$/],
  ['recipient_name', /^(deliver to|ship to|recipient|empfanger|destinataire|lieferadresse)$/],
  ['buyer_name', /^(buyer|customer|client|kunde|cliente|bill to|invoice to|credit to|rechnungsadresse)$/],
  ['last_name', /^(last name|surname|family name|nachname|familienname|nom( de famille)?)$/],
  ['first_name', /^(first name|given name|vorname|prenom)$/],
  ['address', /^(address|street|anschrift|adresse|straße|strasse|straße hausnummer|strasse hausnummer|rue)$/],
  ['email', /^(e ?mail( address)?|email|courriel|e mail adresse)$/],
  ['phone', /^(phone|telephone|telefon|tel|mobile|mobil|telefonnummer)$/],
]

const ofItems: Meanings = [
  [
    'article_number',
    /^((product|item|stock|article|part|order) (code|number|no)|code|sku|art|art nr|artikel ?nr|artikelnummer|ref|reference|referenz|part|item code|stock code)$/,
  ],
  [
    'item_description',
    /^(item )?(description|item|beschreibung|bezeichnung|leistung|leistungsbeschreibung|tatigkeit|artikel|designation|libelle|concepto|concept|work done|text|produit|product|descrizione|detail|details)$/,
  ],
  ['quantity', /^(qty|quantity|order qty|menge|anz|anzahl|qte|quantite|cantidad|cant|hours|stunden|heures)$/],
  ['unit', /^(unit|units|einheit|einh|me|unite|ud|uom|per|unidad)$/],
  [
    'unit_price',
    /^(unit price|price( each)?|rate|einzelpreis|e preis|preis|p u( ht)?|prix unit(aire)?( ht)?|prix|precio|unit cost)( (€|£|eur|gbp|chf|ht))*$/,
  ],
  [
    'amount',
    /^(amount|betrag|summe|gesamt|gesamtpreis|line total|total|montant|importe|goods value|net)( (€|£|eur|gbp|chf|ht))*$/,
  ],
  [
    'purpose',
    /^(vorgang|verwendungszweck|buchungstext|nature des operations|operation|payee|particulars|transaction)$/,
  ],
  ['booking_date', /^(date|datum|bu tag|buchungstag|buchung|booked|date d operation)$/],
]

/** Parts of sums and of page frames: they have a value, and nobody asks for it. */
const neverAsked =
  /^(netto|brutto|steuer|(ust |mwst |tax |vat )?(satz|steuersatz|rate|code)|mwst|vat|taux|tva|base ht|ht|eur|usd|gbp|chf|subtotal|attn)$|^(netto|ubertrag|carried forward|brought forward|page|seite|pagina|blatt|invoice|rechnung|facture|factura)\b/

/** Columns that no template has, but that say: this is a list. */
const otherColumns =
  /^(pos|position|line|no|nr|lfd nr|#|vat|vat code|mwst|ust|tva|iva|tax|rabatt|discount|rem|remise|debit|credit|soll|haben|paid out|paid in|money out|money in|balance|saldo|solde|wert|valeur|value date|valuta|von|bis|from|to|checked|bu tag|%)$/

/** A label without case, accents, punctuation and rates: what labels are compared by. */
export function plain(label: string): string {
  return label
    .replaceAll(/\d+(?:[.,]\d+)?\s*%|\([^)]*\)/g, ' ')
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}#%°º€£]+/gu, ' ')
    .trim()
}

/** The key of a document's own field that a label names, or null. */
export function documentKey(label: string): string | null {
  return keyIn(ofDocument, label)
}

/** The key of a list's field that a column heading names, or null. */
export function itemKey(heading: string): string | null {
  return keyIn(ofItems, heading)
}

/** True for a label whose value nobody wants as a field of its own. */
export function isNeverAsked(label: string): boolean {
  return neverAsked.test(plain(label))
}

/** True for a heading that stands above a column of a list. */
export function isColumnHeading(heading: string): boolean {
  return itemKey(heading) !== null || otherColumns.test(plain(heading))
}

function keyIn(meanings: Meanings, label: string): string | null {
  const text = plain(label)
  return meanings.find(([, pattern]) => pattern.test(text))?.[0] ?? null
}
