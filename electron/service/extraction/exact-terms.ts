/**
 * What fields of a schema ask for the terms that exact sources use (e-invoices: `electron/reading/exact/cii.ts`,
 * payment codes: `payment-code.ts`). `names` are what people call the term, in English, German, French, Spanish,
 * Italian and Dutch. `concepts` are what `understand` makes of a field. A `loose` term says in other words what the
 * page says, or something that is mostly the same: it fills a gap and overrules nothing.
 */
export type Term = {
  term: string
  names: readonly string[]
  concepts?: readonly string[]
  side?: 'seller' | 'buyer' | 'delivery'
  loose?: true
}

const names = (text: string): string[] => text.split('|').map((name) => name.trim())

/** What both parties have: «Name des Verkäufers», `buyer_vat_id`. */
const sides = {
  seller:
    'seller|Verkäufer|vendeur|vendedor|venditore|verkoper|supplier|Lieferant|fournisseur|proveedor|fornitore|leverancier',
  buyer: 'buyer|Käufer|acheteur|comprador|acquirente|koper|customer|Kunde|client|cliente|cliente|klant',
  delivery: 'delivery|Lieferung|livraison|entrega|consegna|levering|ship to|Lieferempfänger',
} as const

const attributes: readonly { term: string; names: string; concepts?: readonly string[]; loose?: true }[] = [
  { term: 'name', names: 'name|Name|nom|nombre|nome|naam', concepts: ['partyName'] },
  { term: 'address', names: 'address|Anschrift|adresse|dirección|indirizzo|adres', concepts: ['address'] },
  { term: 'street', names: 'street|Straße|rue|calle|via|straat', concepts: ['street'] },
  { term: 'postcode', names: 'postcode|Postleitzahl|code postal|código postal|CAP|postcode', concepts: ['postcode'] },
  { term: 'city', names: 'city|Ort|ville|ciudad|città|plaats|town', concepts: ['city'] },
  { term: 'country', names: 'country|Land|pays|país|paese|land', concepts: ['country'], loose: true },
  { term: 'vat_id', names: 'VAT number|USt-IdNr|numéro de TVA|NIF|partita IVA|btw-nummer', concepts: ['vatId'] },
  {
    term: 'tax_number',
    names: 'tax number|Steuernummer|numéro fiscal|número fiscal|codice fiscale|fiscaal nummer',
    concepts: ['taxNumber'],
  },
  {
    term: 'register_number',
    names: 'register number|Handelsregisternummer|SIRET|numéro RCS|registro mercantil|KvK-nummer',
    concepts: ['registerNumber'],
    loose: true,
  },
  {
    term: 'contact_person',
    names: 'contact person|Ansprechpartner|contact|persona de contacto|referente|contactpersoon',
    concepts: ['contactPerson'],
    loose: true,
  },
  { term: 'phone', names: 'phone|Telefon|téléphone|teléfono|telefono|telefoon', concepts: ['phone'], loose: true },
  { term: 'email', names: 'email|E-Mail|courriel|correo electrónico|e-mail|e-mail', concepts: ['email'], loose: true },
]

const partyTerms: readonly Term[] = (['seller', 'buyer', 'delivery'] as const).flatMap((side) =>
  attributes.map((one) => ({
    ...one,
    term: `${side}_${one.term}`,
    side,
    names: names(sides[side]).flatMap((who) => names(one.names).map((what) => `${who} ${what}`)),
  })),
)

/** Of a whole document. */
export const documentTerms: readonly Term[] = [
  {
    term: 'invoice_number',
    concepts: ['documentNumber', 'creditNoteNumber'],
    names: names(
      'invoice number|document number|Rechnungsnummer|Belegnummer|numéro de facture|número de factura|numero fattura|factuurnummer',
    ),
  },
  {
    term: 'issue_date',
    concepts: ['documentDate'],
    names: names(
      'issue date|invoice date|Rechnungsdatum|Belegdatum|date de facture|date d’émission|fecha de factura|fecha de emisión|data fattura|data di emissione|factuurdatum',
    ),
  },
  {
    term: 'due_date',
    concepts: ['dueDate'],
    names: names(
      'due date|Fälligkeitsdatum|fällig am|date d’échéance|fecha de vencimiento|data di scadenza|scadenza|vervaldatum',
    ),
  },
  {
    term: 'document_type',
    concepts: ['documentType'],
    loose: true,
    names: names('document type|Belegart|type de document|tipo de documento|tipo documento|documentsoort'),
  },
  {
    term: 'currency',
    concepts: ['currency'],
    names: names('currency|Währung|devise|monnaie|moneda|divisa|valuta|munteenheid'),
  },
  {
    term: 'net_amount',
    concepts: ['net'],
    names: names(
      'net amount|net total|total without VAT|Nettobetrag|Nettosumme|montant HT|total HT|base imponible|importe neto|imponibile|totale netto|nettobedrag|bedrag excl btw',
    ),
  },
  {
    term: 'tax_amount',
    concepts: ['tax'],
    names: names(
      'tax amount|VAT amount|VAT total|Steuerbetrag|Mehrwertsteuer|montant TVA|total TVA|importe IVA|cuota IVA|importo IVA|totale IVA|btw-bedrag|totaal btw',
    ),
  },
  {
    term: 'total_amount',
    concepts: ['gross'],
    names: names(
      'total amount|gross amount|grand total|Gesamtbetrag|Bruttobetrag|Rechnungsbetrag|montant TTC|total TTC|importe total|total factura|totale fattura|importo totale|totaalbedrag|bedrag incl btw',
    ),
  },
  {
    term: 'amount_due',
    concepts: ['amountDue'],
    names: names(
      'amount due|amount payable|Zahlbetrag|fälliger Betrag|offener Betrag|net à payer|montant dû|importe a pagar|totale da pagare|netto a pagare|te betalen bedrag|te betalen',
    ),
  },
  {
    term: 'prepaid_amount',
    concepts: ['prepaid'],
    names: names(
      'prepaid amount|paid amount|Anzahlung|bereits gezahlt|acompte|montant payé|anticipo|importe pagado|acconto|aanbetaling|vooruitbetaald',
    ),
  },
  {
    term: 'line_total',
    names: names(
      'line total|sum of line items|lines total|Summe der Positionen|Positionssumme|total des lignes|suma de las líneas|totale righe|totaal regels',
    ),
  },
  {
    term: 'allowance_total',
    names: names(
      'allowance total|total discount|Summe der Abzüge|Gesamtrabatt|total des remises|total descuentos|totale sconti|totaal kortingen',
    ),
  },
  {
    term: 'charge_total',
    names: names(
      'charge total|total charges|Summe der Zuschläge|total des frais|total cargos|totale maggiorazioni|totaal toeslagen',
    ),
  },
  {
    term: 'rounding_amount',
    names: names('rounding amount|rounding|Rundung|Rundungsbetrag|arrondi|redondeo|arrotondamento|afronding'),
  },
  {
    term: 'tax_rate',
    concepts: ['taxRate'],
    names: names('tax rate|VAT rate|Steuersatz|taux de TVA|tipo de IVA|aliquota IVA|btw-tarief'),
  },
  { term: 'iban', concepts: ['iban'], names: names('IBAN|bank account|Bankverbindung IBAN') },
  { term: 'bic', concepts: ['bic'], names: names('BIC|SWIFT') },
  {
    term: 'bank_name',
    concepts: ['bankName'],
    loose: true,
    names: names('bank name|bank|Kreditinstitut|banque|banco|banca'),
  },
  {
    term: 'account_name',
    concepts: ['accountHolder'],
    loose: true,
    names: names('account holder|Kontoinhaber|titulaire du compte|titular de la cuenta|intestatario|rekeninghouder'),
  },
  {
    term: 'payment_reference',
    concepts: ['paymentReference'],
    loose: true,
    names: names(
      'payment reference|remittance information|Verwendungszweck|référence de paiement|referencia de pago|causale|betalingskenmerk',
    ),
  },
  {
    term: 'payment_terms',
    concepts: ['paymentTerms'],
    loose: true,
    names: names(
      'payment terms|Zahlungsbedingungen|conditions de paiement|condiciones de pago|condizioni di pagamento|betalingsvoorwaarden',
    ),
  },
  {
    term: 'payment_means',
    concepts: ['paymentMethod'],
    loose: true,
    names: names('payment method|Zahlungsart|mode de paiement|forma de pago|metodo di pagamento|betaalwijze'),
  },
  {
    term: 'creditor_id',
    names: names(
      'creditor identifier|Gläubiger-Identifikationsnummer|identifiant créancier|identificador del acreedor|identificativo del creditore|incassant id',
    ),
  },
  {
    term: 'mandate_reference',
    names: names(
      'mandate reference|Mandatsreferenz|référence du mandat|referencia del mandato|riferimento mandato|mandaatreferentie',
    ),
  },
  {
    term: 'buyer_reference',
    loose: true,
    names: names(
      'buyer reference|Leitweg-ID|Kundenreferenz|référence acheteur|service exécutant|referencia del comprador|riferimento acquirente|referentie koper',
    ),
  },
  {
    term: 'buyer_id',
    concepts: ['customerNumber'],
    loose: true,
    names: names('customer number|Kundennummer|numéro client|número de cliente|codice cliente|klantnummer'),
  },
  {
    term: 'order_number',
    concepts: ['orderNumber'],
    names: names(
      'order number|purchase order|Bestellnummer|numéro de commande|número de pedido|numero ordine|ordernummer|bestelnummer',
    ),
  },
  {
    term: 'order_date',
    concepts: ['orderDate'],
    names: names('order date|Bestelldatum|date de commande|fecha de pedido|data ordine|besteldatum'),
  },
  {
    term: 'seller_order_number',
    names: names(
      'sales order number|Auftragsnummer|numéro de commande vendeur|numero ordine venditore|verkoopordernummer',
    ),
  },
  {
    term: 'contract_number',
    concepts: ['contractNumber'],
    names: names('contract number|Vertragsnummer|numéro de contrat|número de contrato|numero contratto|contractnummer'),
  },
  {
    term: 'quote_number',
    concepts: ['quoteNumber'],
    names: names('quote number|Angebotsnummer|numéro de devis|número de presupuesto|numero preventivo|offertenummer'),
  },
  { term: 'project', loose: true, names: names('project|Projekt|projet|proyecto|progetto') },
  {
    term: 'delivery_date',
    concepts: ['deliveryDate'],
    names: names(
      'delivery date|date of supply|Lieferdatum|Leistungsdatum|date de livraison|fecha de entrega|data di consegna|leverdatum',
    ),
  },
  {
    term: 'delivery_note_number',
    concepts: ['deliveryNoteNumber'],
    names: names(
      'delivery note number|Lieferscheinnummer|numéro de bon de livraison|número de albarán|numero DDT|pakbonnummer',
    ),
  },
  {
    term: 'billing_period_start',
    concepts: ['startDate'],
    loose: true,
    names: names(
      'billing period start|Abrechnungszeitraum von|début de période|inicio del periodo|inizio periodo|begin periode',
    ),
  },
  {
    term: 'billing_period_end',
    concepts: ['endDate'],
    loose: true,
    names: names(
      'billing period end|Abrechnungszeitraum bis|fin de période|fin del periodo|fine periodo|einde periode',
    ),
  },
  {
    term: 'preceding_invoice_number',
    concepts: ['originalInvoice'],
    names: names(
      'original invoice number|preceding invoice|ursprüngliche Rechnungsnummer|facture d’origine|factura rectificada|fattura collegata|oorspronkelijke factuur',
    ),
  },
  {
    term: 'preceding_invoice_date',
    concepts: ['originalInvoiceDate'],
    names: names('original invoice date|Datum der ursprünglichen Rechnung|date de la facture d’origine'),
  },
  {
    term: 'cash_discount_percent',
    loose: true,
    names: names(
      'cash discount percent|Skonto Prozent|taux d’escompte|descuento por pronto pago|sconto cassa|betalingskorting',
    ),
  },
  ...partyTerms,
  // Of payment codes. Who is paid is mostly who sells, but may be a bank that bought the claim.
  {
    term: 'creditor_name',
    names: names(
      'creditor name|payee name|Zahlungsempfänger|Name des Gläubigers|nom du créancier|bénéficiaire|nombre del acreedor|beneficiario|nome del creditore|naam begunstigde',
    ),
  },
  {
    term: 'creditor_address',
    names: names(
      'creditor address|Adresse des Gläubigers|adresse du créancier|dirección del acreedor|indirizzo del creditore|adres begunstigde',
    ),
  },
  { term: 'creditor_street', names: names('creditor street|Straße des Gläubigers|rue du créancier') },
  { term: 'creditor_postcode', names: names('creditor postcode|PLZ des Gläubigers|code postal du créancier') },
  {
    term: 'creditor_city',
    names: names('creditor city|creditor town|Ort des Gläubigers|ville du créancier|località del creditore'),
  },
  { term: 'creditor_name', concepts: ['partyName'], side: 'seller', loose: true, names: [] },
  {
    term: 'debtor_name',
    names: names(
      'debtor name|payer name|Zahlungspflichtiger|Name des Schuldners|nom du débiteur|payeur|nombre del deudor|nome del debitore|naam debiteur|naam betaler',
    ),
  },
  {
    term: 'debtor_address',
    names: names(
      'debtor address|Adresse des Schuldners|adresse du débiteur|dirección del deudor|indirizzo del debitore|adres debiteur',
    ),
  },
  { term: 'debtor_street', names: names('debtor street|Straße des Schuldners|rue du débiteur') },
  { term: 'debtor_postcode', names: names('debtor postcode|PLZ des Schuldners|code postal du débiteur') },
  {
    term: 'debtor_city',
    names: names('debtor city|debtor town|Ort des Schuldners|ville du débiteur|località del debitore'),
  },
  { term: 'debtor_name', concepts: ['partyName'], side: 'buyer', loose: true, names: [] },
  { term: 'amount', names: names('amount|payment amount|Betrag|Überweisungsbetrag|montant|importe|importo|bedrag') },
  { term: 'amount', concepts: ['amountDue', 'gross'], loose: true, names: [] },
  {
    term: 'reference',
    concepts: ['paymentReference'],
    names: names(
      'reference|payment reference|QR reference|Referenznummer|Referenz|référence|referencia|riferimento|referentie|betalingskenmerk',
    ),
  },
  {
    term: 'message',
    names: names(
      'message|additional information|Mitteilung|Verwendungszweck|zusätzliche Informationen|communication|informations supplémentaires|mensaje|concepto|messaggio|informazioni aggiuntive|mededeling',
    ),
  },
]

/** Of a row, for each list that a source may have. */
export const rowTerms: Readonly<Record<string, readonly Term[]>> = {
  line_items: [
    {
      term: 'line_number',
      concepts: ['lineIndex'],
      loose: true,
      names: names('line number|position|Position|ligne|línea|riga|regel'),
    },
    {
      term: 'item_name',
      concepts: ['description'],
      names: names('item name|description|Bezeichnung|Artikel|désignation|descripción|descrizione|omschrijving'),
    },
    {
      term: 'article_number',
      concepts: ['articleNumber'],
      names: names(
        'article number|item number|Artikelnummer|référence article|número de artículo|codice articolo|artikelnummer',
      ),
    },
    { term: 'gtin', names: names('GTIN|EAN|barcode') },
    {
      term: 'quantity',
      concepts: ['quantity'],
      names: names('quantity|Menge|Anzahl|quantité|cantidad|quantità|aantal'),
    },
    { term: 'unit', concepts: ['unit'], loose: true, names: names('unit|Einheit|unité|unidad|unità|eenheid') },
    {
      term: 'unit_price',
      concepts: ['unitPrice'],
      names: names('unit price|Einzelpreis|prix unitaire|precio unitario|prezzo unitario|stukprijs'),
    },
    {
      term: 'line_amount',
      concepts: ['lineAmount', 'net'],
      names: names('line amount|amount|Betrag|Gesamtpreis|montant|importe|importo|bedrag'),
    },
    {
      term: 'tax_rate',
      concepts: ['taxRate'],
      names: names('tax rate|VAT rate|Steuersatz|taux de TVA|tipo de IVA|aliquota IVA|btw-tarief'),
    },
    {
      term: 'discount_amount',
      concepts: ['discount'],
      loose: true,
      names: names('discount amount|Rabatt|remise|descuento|sconto|korting'),
    },
    {
      term: 'discount_percent',
      concepts: ['percentDiscount'],
      loose: true,
      names: names('discount percent|Rabatt Prozent|taux de remise|porcentaje de descuento'),
    },
    {
      term: 'delivery_date',
      concepts: ['deliveryDate'],
      loose: true,
      names: names('delivery date|Lieferdatum|date de livraison|fecha de entrega'),
    },
    {
      term: 'order_number',
      concepts: ['orderNumber'],
      loose: true,
      names: names('order number|Bestellnummer|numéro de commande'),
    },
  ],
  tax_breakdown: [
    {
      term: 'tax_rate',
      concepts: ['taxRate'],
      names: names('tax rate|rate|VAT rate|Steuersatz|taux|tipo|aliquota|tarief'),
    },
    {
      term: 'taxable_amount',
      concepts: ['net'],
      names: names('taxable amount|base|net|Bemessungsgrundlage|Netto|base HT|base imponible|imponibile|grondslag'),
    },
    {
      term: 'tax_amount',
      concepts: ['tax'],
      names: names('tax amount|tax|VAT amount|Steuerbetrag|Steuer|montant TVA|cuota|imposta|btw-bedrag'),
    },
  ],
  allowances: [
    {
      term: 'reason',
      concepts: ['description', 'comment'],
      loose: true,
      names: names('reason|description|Grund|motif|motivo|reden'),
    },
    {
      term: 'amount',
      concepts: ['lineAmount', 'discount'],
      names: names('amount|discount|Betrag|montant|importe|importo|bedrag'),
    },
    {
      term: 'percent',
      concepts: ['percentDiscount'],
      loose: true,
      names: names('percent|Prozent|taux|porcentaje|percentuale|percentage'),
    },
  ],
  charges: [
    {
      term: 'reason',
      concepts: ['description', 'comment'],
      loose: true,
      names: names('reason|description|Grund|motif|motivo|reden'),
    },
    { term: 'amount', concepts: ['lineAmount'], names: names('amount|charge|Betrag|montant|importe|importo|bedrag') },
    { term: 'percent', loose: true, names: names('percent|Prozent|taux|porcentaje|percentuale|percentage') },
  ],
}

/** What the lists that are not the line items are called. */
export const listNames: Readonly<Record<string, readonly string[]>> = {
  tax_breakdown: names(
    'tax breakdown|VAT breakdown|taxes|tax rates|Steuern|Steueraufschlüsselung|Mehrwertsteuern|ventilation TVA|taux de TVA|desglose de IVA|impuestos|riepilogo IVA|aliquote|btw-specificatie',
  ),
  allowances: names('allowances|discounts|Rabatte|Abzüge|remises|descuentos|sconti|kortingen'),
  charges: names('charges|surcharges|Zuschläge|frais|cargos|maggiorazioni|toeslagen'),
}
