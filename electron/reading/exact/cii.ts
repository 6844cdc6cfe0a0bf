import type { ExactValue } from '../../../shared/domain/document.ts'
import type { XmlElement } from '../office/xml.ts'
import { unitName } from './units.ts'
import { addressValues, documentType, elementsAt, numberOf, textAt, valuesAt } from './xml-values.ts'
import type { TermPath } from './xml-values.ts'

/**
 * One name for what ZUGFeRD 1.0, the later Cross Industry Invoice, and header and line of a document call differently:
 * `SpecifiedSupplyChainTradeAgreement`, `ApplicableHeaderTradeAgreement` and the like are `Agreement`.
 */
function naming(name: string): string {
  return name
    .replace(/^(?:Specified|Applicable)?(?:SupplyChain|Header|Line)?Trade(Agreement|Delivery|Settlement)$/, '$1')
    .replace(/^SpecifiedTradeSettlement(?:Header|Line)?MonetarySummation$/, 'Sums')
    .replace(/^(?:Specified)?SupplyChainTradeTransaction$/, 'Transaction')
    .replace(/^HeaderExchangedDocument$/, 'ExchangedDocument')
    .replace(/^(?:Rate)?ApplicablePercent$/, 'Percent')
    .replace(/^SpecifiedTradeSettlementPaymentMeans$/, 'PaymentMeans')
}

const headerPaths: readonly TermPath[] = [
  ['invoice_number', 'ExchangedDocument/ID'],
  ['issue_date', 'ExchangedDocument/IssueDateTime/DateTimeString', 'date'],
  ['issue_date', 'ExchangedDocument/IssueDateTime', 'date'],
]

const agreementPaths: readonly TermPath[] = [
  ['buyer_reference', 'BuyerReference'],
  ['order_number', 'BuyerOrderReferencedDocument/IssuerAssignedID'],
  ['order_number', 'BuyerOrderReferencedDocument/ID'],
  ['order_date', 'BuyerOrderReferencedDocument/FormattedIssueDateTime/DateTimeString', 'date'],
  ['seller_order_number', 'SellerOrderReferencedDocument/IssuerAssignedID'],
  ['contract_number', 'ContractReferencedDocument/IssuerAssignedID'],
  ['contract_number', 'ContractReferencedDocument/ID'],
  ['quote_number', 'QuotationReferencedDocument/IssuerAssignedID'],
  ['project', 'SpecifiedProcuringProject/Name'],
  ['delivery_terms', 'ApplicableTradeDeliveryTerms/DeliveryTypeCode'],
]

const deliveryPaths: readonly TermPath[] = [
  ['delivery_date', 'ActualDeliverySupplyChainEvent/OccurrenceDateTime/DateTimeString', 'date'],
  ['delivery_date', 'ActualDeliverySupplyChainEvent/OccurrenceDateTime', 'date'],
  ['delivery_note_number', 'DeliveryNoteReferencedDocument/IssuerAssignedID'],
  ['delivery_note_number', 'DespatchAdviceReferencedDocument/IssuerAssignedID'],
]

const settlementPaths: readonly TermPath[] = [
  ['currency', 'InvoiceCurrencyCode'],
  ['currency', 'OrderCurrencyCode'],
  ['payment_reference', 'PaymentReference'],
  ['creditor_id', 'CreditorReferenceID'],
  ['payee_name', 'PayeeTradeParty/Name'],
  ['payment_terms', 'SpecifiedTradePaymentTerms/Description'],
  ['due_date', 'SpecifiedTradePaymentTerms/DueDateDateTime/DateTimeString', 'date'],
  ['due_date', 'SpecifiedTradePaymentTerms/DueDateDateTime', 'date'],
  ['mandate_reference', 'SpecifiedTradePaymentTerms/DirectDebitMandateID'],
  [
    'cash_discount_percent',
    'SpecifiedTradePaymentTerms/ApplicableTradePaymentDiscountTerms/CalculationPercent',
    'number',
  ],
  ['billing_period_start', 'BillingSpecifiedPeriod/StartDateTime/DateTimeString', 'date'],
  ['billing_period_end', 'BillingSpecifiedPeriod/EndDateTime/DateTimeString', 'date'],
  ['preceding_invoice_number', 'InvoiceReferencedDocument/IssuerAssignedID'],
  ['preceding_invoice_date', 'InvoiceReferencedDocument/FormattedIssueDateTime/DateTimeString', 'date'],
  ['payment_means', 'PaymentMeans/Information'],
  ['iban', 'PaymentMeans/PayeePartyCreditorFinancialAccount/IBANID'],
  ['account_name', 'PaymentMeans/PayeePartyCreditorFinancialAccount/AccountName'],
  ['account_number', 'PaymentMeans/PayeePartyCreditorFinancialAccount/ProprietaryID'],
  ['bic', 'PaymentMeans/PayeeSpecifiedCreditorFinancialInstitution/BICID'],
  ['bank_name', 'PaymentMeans/PayeeSpecifiedCreditorFinancialInstitution/Name'],
  ['buyer_iban', 'PaymentMeans/PayerPartyDebtorFinancialAccount/IBANID'],
  ['line_total', 'Sums/LineTotalAmount', 'number'],
  ['allowance_total', 'Sums/AllowanceTotalAmount', 'number'],
  ['charge_total', 'Sums/ChargeTotalAmount', 'number'],
  ['net_amount', 'Sums/TaxBasisTotalAmount', 'number'],
  ['rounding_amount', 'Sums/RoundingAmount', 'number'],
  ['total_amount', 'Sums/GrandTotalAmount', 'number'],
  ['prepaid_amount', 'Sums/TotalPrepaidAmount', 'number'],
  ['amount_due', 'Sums/DuePayableAmount', 'number'],
]

const taxPaths: readonly TermPath[] = [
  ['tax_rate', 'Percent', 'number'],
  ['taxable_amount', 'BasisAmount', 'number'],
  ['tax_amount', 'CalculatedAmount', 'number'],
  ['tax_category', 'CategoryCode'],
  ['exemption_reason', 'ExemptionReason'],
]

const allowancePaths: readonly TermPath[] = [
  ['amount', 'ActualAmount', 'number'],
  ['percent', 'CalculationPercent', 'number'],
  ['reason', 'Reason'],
]

const linePaths: readonly TermPath[] = [
  ['line_number', 'AssociatedDocumentLineDocument/LineID'],
  ['item_name', 'SpecifiedTradeProduct/Name'],
  ['item_description', 'SpecifiedTradeProduct/Description'],
  ['article_number', 'SpecifiedTradeProduct/SellerAssignedID'],
  ['buyer_article_number', 'SpecifiedTradeProduct/BuyerAssignedID'],
  ['gtin', 'SpecifiedTradeProduct/GlobalID'],
  ['country_of_origin', 'SpecifiedTradeProduct/OriginTradeCountry/ID'],
  ['note', 'AssociatedDocumentLineDocument/IncludedNote/Content'],
  ['order_number', 'Agreement/BuyerOrderReferencedDocument/IssuerAssignedID'],
  ['gross_unit_price', 'Agreement/GrossPriceProductTradePrice/ChargeAmount', 'number'],
  ['unit_price', 'Agreement/NetPriceProductTradePrice/ChargeAmount', 'number'],
  ['price_quantity', 'Agreement/NetPriceProductTradePrice/BasisQuantity', 'number'],
  ['quantity', 'Delivery/BilledQuantity', 'number'],
  ['quantity', 'Delivery/RequestedQuantity', 'number'],
  ['delivery_date', 'Delivery/ActualDeliverySupplyChainEvent/OccurrenceDateTime/DateTimeString', 'date'],
  ['tax_rate', 'Settlement/ApplicableTradeTax/Percent', 'number'],
  ['discount_amount', 'Settlement/SpecifiedTradeAllowanceCharge/ActualAmount', 'number'],
  ['discount_percent', 'Settlement/SpecifiedTradeAllowanceCharge/CalculationPercent', 'number'],
  ['line_amount', 'Settlement/Sums/LineTotalAmount', 'number'],
]

const partyPaths = (side: string): readonly TermPath[] => [
  [`${side}_name`, 'Name'],
  [`${side}_id`, 'ID'],
  [`${side}_id`, 'GlobalID'],
  [`${side}_vat_id`, 'SpecifiedTaxRegistration/ID@schemeID=VA'],
  [`${side}_tax_number`, 'SpecifiedTaxRegistration/ID@schemeID=FC'],
  [`${side}_register_number`, 'SpecifiedLegalOrganization/ID'],
  [`${side}_trade_name`, 'SpecifiedLegalOrganization/TradingBusinessName'],
  [`${side}_contact_person`, 'DefinedTradeContact/PersonName'],
  [`${side}_phone`, 'DefinedTradeContact/TelephoneUniversalCommunication/CompleteNumber'],
  [`${side}_email`, 'DefinedTradeContact/EmailURIUniversalCommunication/URIID'],
  [`${side}_country`, 'PostalTradeAddress/CountryID'],
]

/** The values of a Cross Industry Invoice: of the document, its tax rows, allowances and charges, and its lines. */
export function ciiValues(root: XmlElement): ExactValue[] {
  const [transaction] = elementsAt(root, 'Transaction', naming)
  const one = (path: string): XmlElement | undefined => elementsAt(transaction, path, naming)[0]
  const settlement = one('Settlement')
  const taxes = elementsAt(settlement, 'ApplicableTradeTax', naming)
  return [
    ...valuesAt(root, headerPaths, undefined, naming),
    ...documentType(textAt(root, 'ExchangedDocument/TypeCode', naming)),
    ...notes(elementsAt(root, 'ExchangedDocument/IncludedNote/Content', naming)),
    ...party('seller', one('Agreement/SellerTradeParty')),
    ...party('buyer', one('Agreement/BuyerTradeParty')),
    ...party('delivery', one('Delivery/ShipToTradeParty')),
    ...valuesAt(one('Agreement'), agreementPaths, undefined, naming),
    ...valuesAt(one('Delivery'), deliveryPaths, undefined, naming),
    ...valuesAt(settlement, settlementPaths, undefined, naming),
    ...taxTotal(settlement),
    ...(taxes.length === 1 ? valuesAt(taxes[0], taxPaths.slice(0, 1), undefined, naming) : []),
    ...taxes.flatMap((tax, index) => valuesAt(tax, taxPaths, { list: 'tax_breakdown', index }, naming)),
    ...allowancesAndCharges(settlement),
    ...lineValues(transaction),
  ]
}

function notes(elements: readonly XmlElement[]): ExactValue[] {
  return elements.flatMap(({ text }) => (text.trim() === '' ? [] : [{ term: 'note', value: text.trim() }]))
}

function party(side: string, element: XmlElement | undefined): ExactValue[] {
  const address = elementsAt(element, 'PostalTradeAddress', naming)[0]
  const lines = ['LineOne', 'LineTwo', 'LineThree'].flatMap((path) => textAt(address, path) ?? [])
  return [
    ...valuesAt(element, partyPaths(side), undefined, naming),
    ...addressValues(side, lines, textAt(address, 'PostcodeCode'), textAt(address, 'CityName')),
  ]
}

/** The total of tax in the money of the invoice; beside it may stand another in the money of the accounts. */
function taxTotal(settlement: XmlElement | undefined): ExactValue[] {
  const totals = elementsAt(settlement, 'Sums/TaxTotalAmount', naming)
  const currency = textAt(settlement, 'InvoiceCurrencyCode', naming)
  const total = totals.find((one) => one.attributes.currencyID === currency) ?? totals[0]
  const value = total === undefined ? null : numberOf(total.text.trim())
  return value === null ? [] : [{ term: 'tax_amount', value }]
}

function allowancesAndCharges(settlement: XmlElement | undefined): ExactValue[] {
  const all = elementsAt(settlement, 'SpecifiedTradeAllowanceCharge', naming)
  const isCharge = (one: XmlElement): boolean => textAt(one, 'ChargeIndicator/Indicator') === 'true'
  const rows = (list: string, elements: readonly XmlElement[]): ExactValue[] =>
    elements.flatMap((element, index) => valuesAt(element, allowancePaths, { list, index }, naming))
  return [
    ...rows(
      'allowances',
      all.filter((one) => !isCharge(one)),
    ),
    ...rows('charges', all.filter(isCharge)),
  ]
}

function lineValues(transaction: XmlElement | undefined): ExactValue[] {
  const lines = elementsAt(transaction, 'IncludedSupplyChainTradeLineItem', naming)
  // A line that only holds a remark has neither product nor amount.
  const rows = lines.filter(
    (line) => textAt(line, 'SpecifiedTradeProduct/Name') ?? textAt(line, 'Settlement/Sums/LineTotalAmount', naming),
  )
  return rows.flatMap((line, index) => {
    const row = { list: 'line_items', index }
    const quantity = elementsAt(line, 'Delivery/BilledQuantity', naming)[0]
    const unit = quantity?.attributes.unitCode
    return [
      ...valuesAt(line, linePaths, row, naming),
      ...(unit === undefined ? [] : [{ term: 'unit', value: unitName(unit), row }]),
    ]
  })
}
