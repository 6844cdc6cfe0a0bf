/** Kinds of papers, and what the sets call them otherwise, but for words before it («tax invoice»). */
const calledOtherwise: Record<string, string> = {
  invoice:
    'commercial invoice form (export)|freight bill|rent statement|rechnung|hotelrechnung|facture|note d’honoraires|' +
    'factura|factura de restaurante|fattura|parcella|factuur',
  credit_note: 'gutschrift|avoir|factura rectificativa|nota di credito|creditnota',
  receipt: 'restaurant check|card terminal slip|avis de paiement stationnement',
  purchase_order: 'delivery schedule',
  order_confirmation: 'order acknowledgement',
  quote: 'quotation',
  delivery_note: 'goods received note|albarán',
  waybill: 'lettre de voiture cmr|carta de porte|cmr frachtbrief|dangerous goods note',
  bank_statement: 'kontoauszug|relevé de compte|cash statement',
  credit_card_statement: 'card statement|extracto de tarjeta',
  payslip: 'lohnabrechnung|entgeltabrechnung|bulletin de paie',
  utility_bill:
    'stromrechnung|factura de agua|facture de gaz|bolletta|jaarnota energie|service charge statement|utility cost statement',
  phone_bill: 'telephone bill',
  insurance_policy: 'insurance schedule|versicherungsschein|versicherung prämienvorschreibung|recibo de seguro',
  tax_notice:
    'tax assessment|steuerbescheid|gebührenbescheid|aanslagbiljet|property tax statement|administrative decision|' +
    'avviso di pagamento tassa rifiuti|court cost order',
  timetable: 'fahrplan',
  price_list: 'preisliste',
  reminder: 'mahnung',
  expense_report: 'expense claim|note de frais',
  lab_report: 'laboratory report|laborbefund',
  membership_form: 'membership renewal|solicitud de alta con mandato sepa',
  application_form:
    'loan application|building permit application|school enrolment form|patient registration form|' +
    'kontoeröffnungsantrag mit sepa mandat|grant claim form|richiesta di ferie|' +
    'déclaration de changement d’adresse',
  rental_contract: 'contrato de arrendamiento|contratto di locazione',
  inventory_list: 'inventory|inventario|stock list|stock count variance report',
  customs_declaration: 'déclaration en douane postale|dichiarazione doganale (documento unico)',
  booking_confirmation: 'airline ticket|billet de train|travel itinerary',
  medical_bill: 'hospital bill',
  certificate: 'reçu fiscal|certificado de retenciones|garantiebewijs|verification of employment',
  annual_accounts:
    'balance sheet|income statement|profit and loss|profit and loss account|accounts|trial balance|' +
    'financial statements|cash flow statement|' +
    'jaarrekening|winst en verliesrekening|bilan|compte de résultat|balance de vérification|annexe comptes annuels|' +
    'annual report|budget|budget vs actual|begroting en realisatie|budget execution',
  tax_form_w2: 'wage and tax statement',
  tax_form_1099: 'information return (interest)',
  medical_claim_form: 'health insurance claim form',
  accident_report: 'unfallanzeige',
  insurance_card: 'insurance membership card',
  statement_of_account: 'supplier statement',
  commission_statement: 'provisionsabrechnung|estratto provvigioni',
  time_sheet: 'stundenzettel|urenstaat',
  rota: 'rooster',
  school_report: 'bulletin scolaire|transcript|student record',
  inspection_report:
    'keuringsrapport|rapporto di controllo|material test certificate|wohnungsübergabeprotokoll|equipment hand over record',
  bill_of_materials: 'bill of material|recipe costing',
  contract: 'promissory note (mortgage)|loan term sheet',
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[_-]/gu, ' ').replaceAll("'", '’').trim()

const known = new Map(
  Object.entries(calledOtherwise).flatMap(([kind, names]) => names.split('|').map((name) => [name, kind] as const)),
)

/**
 * The kind of a paper by what its set calls it: as it is listed, or by its last words («vehicle repair invoice», «air
 * waybill»); what is neither is a kind of its own.
 */
export function kindCalled(name: string): string {
  const words = plain(name.replace(/\(.*\)/u, '')).split(' ')
  const all = [plain(name), ...words.map((_, from) => words.slice(from).join(' '))]
  const found = all.flatMap((text) => known.get(text) ?? (isKind(text) ? text.replaceAll(' ', '_') : []))
  return found[0] ?? plain(name).replaceAll(' ', '_')
}

const isKind = (text: string): boolean => Object.hasOwn(calledOtherwise, text.replaceAll(' ', '_'))
