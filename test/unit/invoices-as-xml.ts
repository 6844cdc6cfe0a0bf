const declaration = '<?xml version="1.0" encoding="UTF-8"?>'

/**
 * A Factur-X invoice over two lines with two rates of tax. `minimum` leaves lines, taxes and payment out as the profile
 * MINIMUM does, `bare` the declaration of XML.
 */
export function ciiInvoice({ minimum = false, bare = false } = {}): string {
  const date = (value: string): string => `<udt:DateTimeString format="102">${value}</udt:DateTimeString>`
  const lines = minimum
    ? ''
    : `${ciiLine('1', 'Trennblätter A4', 'TB100A4', '9.90', '20.00', 'H87', '19.00', '198.00')}
       ${ciiLine('2', 'Joghurt', '', '5.50', '50', 'KGM', '7', '275')}`
  const tax = (rate: string, basis: string, amount: string): string =>
    `<ram:ApplicableTradeTax><ram:CalculatedAmount>${amount}</ram:CalculatedAmount><ram:TypeCode>VAT</ram:TypeCode>
     <ram:BasisAmount>${basis}</ram:BasisAmount><ram:CategoryCode>S</ram:CategoryCode>
     <ram:RateApplicablePercent>${rate}</ram:RateApplicablePercent></ram:ApplicableTradeTax>`
  const payment = minimum
    ? ''
    : `<ram:PaymentReference>R-2026/17</ram:PaymentReference>
       <ram:SpecifiedTradeSettlementPaymentMeans><ram:TypeCode>58</ram:TypeCode>
       <ram:PayeePartyCreditorFinancialAccount><ram:IBANID>DE02120300000000202051</ram:IBANID></ram:PayeePartyCreditorFinancialAccount>
       <ram:PayeeSpecifiedCreditorFinancialInstitution><ram:BICID>BYLADEM1001</ram:BICID></ram:PayeeSpecifiedCreditorFinancialInstitution>
       </ram:SpecifiedTradeSettlementPaymentMeans>${tax('7', '275.00', '19.25')}${tax('19', '198.00', '37.62')}
       <ram:SpecifiedTradePaymentTerms><ram:DueDateDateTime>${date('20260417')}</ram:DueDateDateTime></ram:SpecifiedTradePaymentTerms>`
  const delivery = minimum
    ? ''
    : `<ram:ActualDeliverySupplyChainEvent><ram:OccurrenceDateTime>${date('20260314')}</ram:OccurrenceDateTime></ram:ActualDeliverySupplyChainEvent>`
  return `${bare ? '' : declaration}
<rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100" xmlns:ram="urn:ram" xmlns:udt="urn:udt">
<rsm:ExchangedDocument><ram:ID>R-2026/17</ram:ID><ram:TypeCode>380</ram:TypeCode>
<ram:IssueDateTime>${date('20260318')}</ram:IssueDateTime></rsm:ExchangedDocument>
<rsm:SupplyChainTradeTransaction>${lines}
<ram:ApplicableHeaderTradeAgreement>
<ram:SellerTradeParty><ram:Name>Wörle &amp; Söhne GmbH</ram:Name>
<ram:PostalTradeAddress><ram:PostcodeCode>80333</ram:PostcodeCode><ram:LineOne>Lieferantenstraße 20</ram:LineOne><ram:CityName>München</ram:CityName><ram:CountryID>DE</ram:CountryID></ram:PostalTradeAddress>
<ram:SpecifiedTaxRegistration><ram:ID schemeID="FC">201/113/40209</ram:ID></ram:SpecifiedTaxRegistration>
<ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">DE136695976</ram:ID></ram:SpecifiedTaxRegistration></ram:SellerTradeParty>
<ram:BuyerTradeParty><ram:Name>Kunden AG Mitte</ram:Name></ram:BuyerTradeParty>
<ram:BuyerOrderReferencedDocument><ram:IssuerAssignedID>B-77</ram:IssuerAssignedID></ram:BuyerOrderReferencedDocument>
</ram:ApplicableHeaderTradeAgreement>
<ram:ApplicableHeaderTradeDelivery>${delivery}</ram:ApplicableHeaderTradeDelivery>
<ram:ApplicableHeaderTradeSettlement><ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode>${payment}
<ram:SpecifiedTradeSettlementHeaderMonetarySummation><ram:LineTotalAmount>473.00</ram:LineTotalAmount>
<ram:TaxBasisTotalAmount>473.00</ram:TaxBasisTotalAmount><ram:TaxTotalAmount currencyID="EUR">56.87</ram:TaxTotalAmount>
<ram:GrandTotalAmount>529.87</ram:GrandTotalAmount><ram:TotalPrepaidAmount>29.87</ram:TotalPrepaidAmount><ram:DuePayableAmount>500.00</ram:DuePayableAmount>
</ram:SpecifiedTradeSettlementHeaderMonetarySummation></ram:ApplicableHeaderTradeSettlement>
</rsm:SupplyChainTradeTransaction></rsm:CrossIndustryInvoice>`
}

function ciiLine(
  number: string,
  name: string,
  article: string,
  price: string,
  quantity: string,
  unit: string,
  rate: string,
  amount: string,
): string {
  const gross = article === '' ? '' : grossPrice(price)
  return `<ram:IncludedSupplyChainTradeLineItem><ram:AssociatedDocumentLineDocument><ram:LineID>${number}</ram:LineID></ram:AssociatedDocumentLineDocument>
<ram:SpecifiedTradeProduct>${article === '' ? '' : `<ram:SellerAssignedID>${article}</ram:SellerAssignedID>`}<ram:Name>${name}</ram:Name></ram:SpecifiedTradeProduct>
<ram:SpecifiedLineTradeAgreement>${gross}<ram:NetPriceProductTradePrice><ram:ChargeAmount>${price}</ram:ChargeAmount></ram:NetPriceProductTradePrice></ram:SpecifiedLineTradeAgreement>
<ram:SpecifiedLineTradeDelivery><ram:BilledQuantity unitCode="${unit}">${quantity}</ram:BilledQuantity></ram:SpecifiedLineTradeDelivery>
<ram:SpecifiedLineTradeSettlement><ram:ApplicableTradeTax><ram:RateApplicablePercent>${rate}</ram:RateApplicablePercent></ram:ApplicableTradeTax>
<ram:SpecifiedTradeSettlementLineMonetarySummation><ram:LineTotalAmount>${amount}</ram:LineTotalAmount></ram:SpecifiedTradeSettlementLineMonetarySummation></ram:SpecifiedLineTradeSettlement>
</ram:IncludedSupplyChainTradeLineItem>`
}

function grossPrice(price: string): string {
  return `<ram:GrossPriceProductTradePrice><ram:ChargeAmount>${price}</ram:ChargeAmount></ram:GrossPriceProductTradePrice>`
}

/** The same in the names of ZUGFeRD 1.0: one line at one rate. */
export function zugferdOne(): string {
  return `${declaration}<rsm:CrossIndustryDocument xmlns:rsm="urn:ferd:CrossIndustryDocument:invoice:1p0" xmlns:ram="urn:ram" xmlns:udt="urn:udt">
<rsm:HeaderExchangedDocument><ram:ID>RE-9</ram:ID><ram:Name>RECHNUNG</ram:Name><ram:TypeCode>380</ram:TypeCode>
<ram:IssueDateTime><udt:DateTimeString format="102">20150303</udt:DateTimeString></ram:IssueDateTime></rsm:HeaderExchangedDocument>
<rsm:SpecifiedSupplyChainTradeTransaction>
<ram:ApplicableSupplyChainTradeAgreement><ram:SellerTradeParty><ram:Name>Bei Spiel GmbH</ram:Name></ram:SellerTradeParty></ram:ApplicableSupplyChainTradeAgreement>
<ram:ApplicableSupplyChainTradeSettlement><ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode>
<ram:ApplicableTradeTax><ram:CalculatedAmount>19.00</ram:CalculatedAmount><ram:BasisAmount>100.00</ram:BasisAmount><ram:ApplicablePercent>19.00</ram:ApplicablePercent></ram:ApplicableTradeTax>
<ram:SpecifiedTradeSettlementMonetarySummation><ram:TaxTotalAmount currencyID="EUR">19.00</ram:TaxTotalAmount><ram:GrandTotalAmount>119.00</ram:GrandTotalAmount></ram:SpecifiedTradeSettlementMonetarySummation></ram:ApplicableSupplyChainTradeSettlement>
<ram:IncludedSupplyChainTradeLineItem><ram:AssociatedDocumentLineDocument><ram:IncludedNote><ram:Content>Thank you</ram:Content></ram:IncludedNote></ram:AssociatedDocumentLineDocument></ram:IncludedSupplyChainTradeLineItem>
<ram:IncludedSupplyChainTradeLineItem><ram:SpecifiedSupplyChainTradeDelivery><ram:BilledQuantity unitCode="HUR">2.0</ram:BilledQuantity></ram:SpecifiedSupplyChainTradeDelivery>
<ram:SpecifiedSupplyChainTradeSettlement><ram:SpecifiedTradeSettlementMonetarySummation><ram:LineTotalAmount>100.00</ram:LineTotalAmount></ram:SpecifiedTradeSettlementMonetarySummation></ram:SpecifiedSupplyChainTradeSettlement>
<ram:SpecifiedTradeProduct><ram:Name>Beratung</ram:Name></ram:SpecifiedTradeProduct></ram:IncludedSupplyChainTradeLineItem>
</rsm:SpecifiedSupplyChainTradeTransaction></rsm:CrossIndustryDocument>`
}

/** A UBL 2.1 invoice or credit note with one line. */
export function ublInvoice(root: 'Invoice' | 'CreditNote'): string {
  const party = (role: string, name: string, vat: string, city: string): string =>
    `<cac:${role}><cac:Party><cac:PostalAddress><cbc:CityName>${city}</cbc:CityName></cac:PostalAddress>
     <cac:PartyTaxScheme><cbc:CompanyID>${vat}</cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme>
     <cac:PartyLegalEntity><cbc:RegistrationName>${name}</cbc:RegistrationName></cac:PartyLegalEntity></cac:Party></cac:${role}>`
  const quantity = root === 'Invoice' ? 'InvoicedQuantity' : 'CreditedQuantity'
  const code = root === 'Invoice' ? '380' : '381'
  return `${declaration}<${root} xmlns="urn:oasis:names:specification:ubl:schema:xsd:${root}-2" xmlns:cac="urn:cac" xmlns:cbc="urn:cbc">
<cbc:ID>U-5</cbc:ID><cbc:IssueDate>2026-01-31</cbc:IssueDate><cbc:${root}TypeCode>${code}</cbc:${root}TypeCode><cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>
${party('AccountingSupplierParty', 'Seller &amp; Co', 'NL123456789B01', 'Zwolle')}${party('AccountingCustomerParty', 'Buyer BV', 'NL987654321B01', 'Utrecht')}
<cac:TaxTotal><cbc:TaxAmount currencyID="EUR">42.00</cbc:TaxAmount><cac:TaxSubtotal><cbc:TaxableAmount>200.00</cbc:TaxableAmount><cbc:TaxAmount>42.00</cbc:TaxAmount><cac:TaxCategory><cbc:ID>S</cbc:ID><cbc:Percent>21</cbc:Percent></cac:TaxCategory></cac:TaxSubtotal></cac:TaxTotal>
<cac:LegalMonetaryTotal><cbc:LineExtensionAmount>200.00</cbc:LineExtensionAmount><cbc:TaxExclusiveAmount>200.00</cbc:TaxExclusiveAmount><cbc:TaxInclusiveAmount>242.00</cbc:TaxInclusiveAmount><cbc:PayableAmount>242.00</cbc:PayableAmount></cac:LegalMonetaryTotal>
<cac:${root}Line><cbc:ID>1</cbc:ID><cbc:${quantity} unitCode="C62">4</cbc:${quantity}><cbc:LineExtensionAmount>200.00</cbc:LineExtensionAmount>
<cac:Item><cbc:Name>Chair</cbc:Name><cac:SellersItemIdentification><cbc:ID>C-1</cbc:ID></cac:SellersItemIdentification><cac:ClassifiedTaxCategory><cbc:Percent>21</cbc:Percent></cac:ClassifiedTaxCategory></cac:Item>
<cac:Price><cbc:PriceAmount>50.00</cbc:PriceAmount></cac:Price></cac:${root}Line></${root}>`
}
