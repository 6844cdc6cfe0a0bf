import { pdf } from '../service/documents.ts'

/** A document with two plain facts. */
export const invoiceLines = ['Invoice number: RE-2024-17', 'Total amount: 119.50']

export const invoicePdf = pdf(invoiceLines).toString('base64')

/** Elements of `params`, in the words of «Extraction schema element». */
export const invoiceFields = [
  { name: 'Invoice number', format: 'text', description: 'The number of the invoice' },
  { name: 'Total amount', format: 'number', description: 'The amount to pay' },
]

/** A request for the global extractor, synchronous. */
export const invoiceRequest = { filename: 'invoice.pdf', file: invoicePdf, params: invoiceFields }

/** The schema of the Extractor agent. */
export const agentFields = invoiceFields

/** What the Documentalist has read. */
export const knownLines = [
  'Lease agreement for the bakery at Lindenstrasse 12',
  'The monthly rent for the bakery is 1450 euros.',
  'The notice period is six months to the end of a quarter.',
  'The landlord is Margarete Vogel.',
]

export const knownQuestion = 'What is the monthly rent for the bakery?'

export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
