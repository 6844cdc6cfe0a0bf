import { plain } from './known-labels.ts'
import type { Block } from './lines.ts'

/** What a document calls itself, by the keys of the templates. */
const titles: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['purchase_order', /^(purchase order|bestellung|bon de commande|pedido)\b/],
  ['delivery_note', /^(delivery note|lieferschein|lieferliste|bon de livraison|albaran)\b/],
  [
    'bank_statement',
    /^(kontoauszug|account statement|bank statement|statement of account|statement number|releve de compte)\b|\breleve de compte\b/,
  ],
  [
    'invoice',
    /^((vat |tax |sammel)?(invoice|rechnung)|facture|factura|fattura|gutschrift|credit note|avoir)\b|\b(vat )?invoice$/,
  ],
  ['receipt', /^(receipt|kassenbon|quittung|bon nr|beleg nr|ticket)\b/],
  ['form', /^(application|anmeldung|anmeldeformular|antrag|registration|fiche d inscription|formulaire|formular)\b/],
]

/** What is always asked for, whether or not its label was found: such things stand on the document without one. */
export const alwaysAsked: Record<string, readonly string[]> = {
  invoice: [
    'invoice_number',
    'invoice_date',
    'seller_name',
    'buyer_name',
    'net_amount',
    'tax_amount',
    'total_amount',
    'currency',
  ],
  receipt: [
    'shop_name',
    'receipt_date',
    'receipt_number',
    'total_amount',
    'tax_amount',
    'currency',
    'payment_method',
    'line_items',
  ],
  purchase_order: ['order_number', 'order_date', 'buyer_name', 'supplier_name'],
  delivery_note: ['delivery_note_number', 'delivery_date', 'supplier_name', 'recipient_name'],
  bank_statement: ['account_holder', 'iban', 'statement_number', 'opening_balance', 'closing_balance', 'currency'],
  form: [],
}

/** The document's own number and date are fields of their own names in each template. */
const ownFields: Record<string, Record<string, string>> = {
  invoice: { number: 'invoice_number', date: 'invoice_date' },
  receipt: { number: 'receipt_number', date: 'receipt_date' },
  purchase_order: { number: 'order_number', date: 'order_date' },
  delivery_note: { number: 'delivery_note_number', date: 'delivery_date' },
  bank_statement: { number: 'statement_number', date: 'statement_date' },
  form: { date: 'form_date' },
}

/** The key of a template's field for what a label means on a document of a kind. */
export function fieldKey(kind: string, key: string): string {
  return ownFields[kind]?.[key] ?? key
}

/** The kind of a document by the first title in it; null when it calls itself nothing that is known. */
export function kindOfDocument(blocks: readonly Block[]): string | null {
  for (const run of blocks.flatMap((block) => block.lines).flat()) {
    const text = plain(run.text)
    if (text.split(' ').length > 6) continue
    const kind = titles.find(([, pattern]) => pattern.test(text))?.[0]
    if (kind !== undefined) return kind
  }
  return null
}
