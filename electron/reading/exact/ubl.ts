import type { ExactValue } from '../../../shared/domain/document.ts'
import { elementsAt, addressValues, documentType, textAt, valuesAt } from './xml-values.ts'
import type { XmlElement } from '../office/xml.ts'
import type { TermPath } from './xml-values.ts'
import { unitName } from './units.ts'

const headerPaths: readonly TermPath[] = [
  ['invoice_number', 'ID'],
  ['issue_date', 'IssueDate', 'date'],
  ['due_date', 'DueDate', 'date'],
  ['due_date', 'PaymentMeans/PaymentDueDate', 'date'],
  ['currency', 'DocumentCurrencyCode'],
  ['buyer_reference', 'BuyerReference'],
  ['order_number', 'OrderReference/ID'],
  ['seller_order_number', 'OrderReference/SalesOrderID'],
  ['contract_number', 'ContractDocumentReference/ID'],
  ['delivery_note_number', 'DespatchDocumentReference/ID'],
  ['project', 'ProjectReference/ID'],
  ['billing_period_start', 'InvoicePeriod/StartDate', 'date'],
  ['billing_period_end', 'InvoicePeriod/EndDate', 'date'],
  ['preceding_invoice_number', 'BillingReference/InvoiceDocumentReference/ID'],
  ['preceding_invoice_date', 'BillingReference/InvoiceDocumentReference/IssueDate', 'date'],
  ['delivery_date', 'Delivery/ActualDeliveryDate', 'date'],
  ['payee_name', 'PayeeParty/PartyName/Name'],
  ['payment_reference', 'PaymentMeans/PaymentID'],
  ['payment_terms', 'PaymentTerms/Note'],
  ['mandate_reference', 'PaymentMeans/PaymentMandate/ID'],
  ['iban', 'PaymentMeans/PayeeFinancialAccount/ID'],
  ['account_name', 'PaymentMeans/PayeeFinancialAccount/Name'],
  ['bic', 'PaymentMeans/PayeeFinancialAccount/FinancialInstitutionBranch/ID'],
  ['buyer_iban', 'PaymentMeans/PaymentMandate/PayerFinancialAccount/ID'],
  ['line_total', 'LegalMonetaryTotal/LineExtensionAmount', 'number'],
  ['allowance_total', 'LegalMonetaryTotal/AllowanceTotalAmount', 'number'],
  ['charge_total', 'LegalMonetaryTotal/ChargeTotalAmount', 'number'],
  ['net_amount', 'LegalMonetaryTotal/TaxExclusiveAmount', 'number'],
  ['total_amount', 'LegalMonetaryTotal/TaxInclusiveAmount', 'number'],
  ['prepaid_amount', 'LegalMonetaryTotal/PrepaidAmount', 'number'],
  ['rounding_amount', 'LegalMonetaryTotal/PayableRoundingAmount', 'number'],
  ['amount_due', 'LegalMonetaryTotal/PayableAmount', 'number'],
]

const taxPaths: readonly TermPath[] = [
  ['tax_rate', 'TaxCategory/Percent', 'number'],
  ['taxable_amount', 'TaxableAmount', 'number'],
  ['tax_amount', 'TaxAmount', 'number'],
  ['tax_category', 'TaxCategory/ID'],
  ['exemption_reason', 'TaxCategory/TaxExemptionReason'],
]

const allowancePaths: readonly TermPath[] = [
  ['amount', 'Amount', 'number'],
  ['percent', 'MultiplierFactorNumeric', 'number'],
  ['reason', 'AllowanceChargeReason'],
]

const linePaths: readonly TermPath[] = [
  ['line_number', 'ID'],
  ['item_name', 'Item/Name'],
  ['item_description', 'Item/Description'],
  ['article_number', 'Item/SellersItemIdentification/ID'],
  ['buyer_article_number', 'Item/BuyersItemIdentification/ID'],
  ['gtin', 'Item/StandardItemIdentification/ID'],
  ['country_of_origin', 'Item/OriginCountry/IdentificationCode'],
  ['note', 'Note'],
  ['gross_unit_price', 'Price/AllowanceCharge/BaseAmount', 'number'],
  ['unit_price', 'Price/PriceAmount', 'number'],
  ['price_quantity', 'Price/BaseQuantity', 'number'],
  ['quantity', 'InvoicedQuantity', 'number'],
  ['quantity', 'CreditedQuantity', 'number'],
  ['tax_rate', 'Item/ClassifiedTaxCategory/Percent', 'number'],
  ['discount_amount', 'AllowanceCharge/Amount', 'number'],
  ['discount_percent', 'AllowanceCharge/MultiplierFactorNumeric', 'number'],
  ['line_amount', 'LineExtensionAmount', 'number'],
]

const partyPaths = (side: string): readonly TermPath[] => [
  [`${side}_name`, 'PartyLegalEntity/RegistrationName'],
  [`${side}_name`, 'PartyName/Name'],
  [`${side}_trade_name`, 'PartyName/Name'],
  [`${side}_id`, 'PartyIdentification/ID'],
  [`${side}_register_number`, 'PartyLegalEntity/CompanyID'],
  [`${side}_contact_person`, 'Contact/Name'],
  [`${side}_phone`, 'Contact/Telephone'],
  [`${side}_email`, 'Contact/ElectronicMail'],
  [`${side}_country`, 'PostalAddress/Country/IdentificationCode'],
]

/** The values of a UBL 2.1 Invoice or CreditNote: of the document, its tax rows, allowances and charges, its lines. */
export function ublValues(root: XmlElement): ExactValue[] {
  const typeCode = textAt(root, root.name === 'CreditNote' ? 'CreditNoteTypeCode' : 'InvoiceTypeCode')
  const delivery = elementsAt(root, 'Delivery')[0]
  const taxes = elementsAt(taxTotal(root), 'TaxSubtotal')
  return [
    ...valuesAt(root, headerPaths),
    ...documentType(typeCode ?? (root.name === 'CreditNote' ? '381' : '380')),
    ...elementsAt(root, 'Note').flatMap(({ text }) =>
      text.trim() === '' ? [] : [{ term: 'note', value: text.trim() }],
    ),
    ...party('seller', elementsAt(root, 'AccountingSupplierParty/Party')[0]),
    ...party('buyer', elementsAt(root, 'AccountingCustomerParty/Party')[0]),
    ...valuesAt(delivery, [['delivery_name', 'DeliveryParty/PartyName/Name']]),
    ...address('delivery', elementsAt(delivery, 'DeliveryLocation/Address')[0]),
    ...valuesAt(taxTotal(root), [['tax_amount', 'TaxAmount', 'number']]),
    ...(taxes.length === 1 ? valuesAt(taxes[0], taxPaths.slice(0, 1)) : []),
    ...taxes.flatMap((tax, index) => valuesAt(tax, taxPaths, { list: 'tax_breakdown', index })),
    ...allowancesAndCharges(root),
    ...lineValues(root),
  ]
}

/** The total of tax in the money of the invoice; beside it may stand another in the money of the accounts. */
function taxTotal(root: XmlElement): XmlElement | undefined {
  const totals = elementsAt(root, 'TaxTotal')
  const currency = textAt(root, 'DocumentCurrencyCode')
  return totals.find((total) => elementsAt(total, 'TaxAmount')[0]?.attributes.currencyID === currency) ?? totals[0]
}

function party(side: string, element: XmlElement | undefined): ExactValue[] {
  const schemes = elementsAt(element, 'PartyTaxScheme')
  const registered = (isVat: boolean): string | undefined =>
    schemes
      .filter((scheme) => (textAt(scheme, 'TaxScheme/ID')?.toUpperCase() === 'VAT') === isVat)
      .flatMap((scheme) => textAt(scheme, 'CompanyID') ?? [])[0]
  const numbers: [string, string | undefined][] = [
    [`${side}_vat_id`, registered(true)],
    [`${side}_tax_number`, registered(false)],
  ]
  return [
    ...valuesAt(element, partyPaths(side)),
    ...numbers.flatMap(([term, value]) => (value === undefined ? [] : [{ term, value }])),
    ...address(side, elementsAt(element, 'PostalAddress')[0]),
  ]
}

function address(side: string, element: XmlElement | undefined): ExactValue[] {
  const lines = ['StreetName', 'AdditionalStreetName', 'AddressLine/Line'].flatMap(
    (path) => textAt(element, path) ?? [],
  )
  return addressValues(side, lines, textAt(element, 'PostalZone'), textAt(element, 'CityName'))
}

function allowancesAndCharges(root: XmlElement): ExactValue[] {
  const all = elementsAt(root, 'AllowanceCharge')
  const isCharge = (one: XmlElement): boolean => textAt(one, 'ChargeIndicator') === 'true'
  const rows = (list: string, elements: readonly XmlElement[]): ExactValue[] =>
    elements.flatMap((element, index) => valuesAt(element, allowancePaths, { list, index }))
  return [
    ...rows(
      'allowances',
      all.filter((one) => !isCharge(one)),
    ),
    ...rows('charges', all.filter(isCharge)),
  ]
}

function lineValues(root: XmlElement): ExactValue[] {
  const lines = [...elementsAt(root, 'InvoiceLine'), ...elementsAt(root, 'CreditNoteLine')]
  return lines.flatMap((line, index) => {
    const row = { list: 'line_items', index }
    const quantity = [...elementsAt(line, 'InvoicedQuantity'), ...elementsAt(line, 'CreditedQuantity')][0]
    const unit = quantity?.attributes.unitCode
    return [
      ...valuesAt(line, linePaths, row),
      ...(unit === undefined ? [] : [{ term: 'unit', value: unitName(unit), row }]),
    ]
  })
}
