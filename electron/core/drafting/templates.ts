import type { FieldPath, Rule } from '../../../shared/domain/review.ts'
import { elementOf } from '../../../shared/domain/schema.ts'
import type { FieldType, SchemaElement } from '../../../shared/domain/schema.ts'
import type { Locale } from '../../../shared/messages/sentences.ts'
import { templateTexts } from './template-texts.ts'

type Template = { key: string; name: string; description: string; elements: SchemaElement[]; rules: Rule[] }

/** A field of a template: its key into the texts, its type, and the sub-fields of a list. */
type Field = { key: string; type: FieldType; items?: Field[] }

const fieldsOf =
  (type: FieldType) =>
  (...keys: string[]): Field[] =>
    keys.map((key) => ({ key, type }))
const [text, number, date, code] = [fieldsOf('text'), fieldsOf('number'), fieldsOf('date'), fieldsOf('code')]
const documentType = fieldsOf('document_type')('document_type')
const [currency, iban, email] = [fieldsOf('currency')('currency'), fieldsOf('iban')('iban'), fieldsOf('email')('email')]
const list = (key: string, ...items: Field[][]): Field[] => [{ key, type: 'list', items: items.flat() }]

const templates: Record<string, Field[]> = {
  invoice: [
    ...code('invoice_number'),
    ...date('invoice_date', 'due_date'),
    ...text('seller_name', 'buyer_name'),
    ...number('net_amount', 'tax_amount', 'total_amount'),
    ...currency,
    ...iban,
    ...documentType,
    ...list('line_items', text('item_description'), number('quantity', 'unit_price', 'amount')),
  ],
  receipt: [
    ...text('shop_name'),
    ...date('receipt_date'),
    ...code('receipt_number'),
    ...number('total_amount', 'tax_amount'),
    ...currency,
    ...text('payment_method'),
    ...list('line_items', text('item_description'), number('quantity', 'amount')),
  ],
  purchase_order: [
    ...code('order_number'),
    ...date('order_date'),
    ...text('buyer_name', 'supplier_name'),
    ...date('delivery_date'),
    ...number('total_amount'),
    ...currency,
    ...list('line_items', code('article_number'), text('item_description'), number('quantity', 'unit_price', 'amount')),
  ],
  delivery_note: [
    ...code('delivery_note_number'),
    ...date('delivery_date'),
    ...code('order_number'),
    ...text('supplier_name', 'recipient_name'),
    ...list('line_items', code('article_number'), text('item_description'), number('quantity'), text('unit')),
  ],
  bank_statement: [
    ...text('account_holder'),
    ...iban,
    ...code('statement_number'),
    ...date('statement_date'),
    ...number('opening_balance', 'closing_balance'),
    ...currency,
    ...list('transactions', date('booking_date'), text('purpose'), number('booking_amount')),
  ],
  form: [
    ...text('last_name', 'first_name'),
    ...date('birth_date'),
    ...text('address'),
    ...email,
    ...text('phone'),
    ...fieldsOf('boolean')('consent'),
    ...date('form_date'),
  ],
}

/** What documents of a template are checked by, with the keys of its fields. */
const rules: Record<string, Rule[]> = {
  invoice: [
    ...required('invoice_number', 'invoice_date', 'seller_name', 'total_amount'),
    { kind: 'not_in_future', field: ['invoice_date'] },
    { kind: 'sum', terms: [['net_amount'], ['tax_amount']], total: ['total_amount'] },
    {
      kind: 'product',
      factors: [
        ['line_items', 'quantity'],
        ['line_items', 'unit_price'],
      ],
      result: ['line_items', 'amount'],
    },
    { kind: 'unique', fields: [['invoice_number'], ['seller_name']] },
  ],
  receipt: [
    ...required('shop_name', 'receipt_date', 'total_amount'),
    { kind: 'not_in_future', field: ['receipt_date'] },
  ],
  purchase_order: [
    ...required('order_number', 'order_date', 'total_amount'),
    {
      kind: 'product',
      factors: [
        ['line_items', 'quantity'],
        ['line_items', 'unit_price'],
      ],
      result: ['line_items', 'amount'],
    },
    { kind: 'unique', fields: [['order_number'], ['buyer_name']] },
  ],
  delivery_note: [
    ...required('delivery_note_number', 'delivery_date'),
    { kind: 'unique', fields: [['delivery_note_number'], ['supplier_name']] },
  ],
  bank_statement: required('iban', 'statement_date', 'closing_balance'),
  form: [...required('last_name', 'first_name'), { kind: 'not_in_future', field: ['birth_date'] }],
}

function required(...fields: string[]): Rule[] {
  return fields.map((field) => ({ kind: 'required', field: [field] }))
}

function inLanguage(rule: Rule, locale: Locale): Rule {
  const named = (path: FieldPath): FieldPath => path.map((key) => templateTexts[locale].fields[key]![0])
  switch (rule.kind) {
    case 'required':
    case 'not_in_future':
    case 'pattern':
      return { ...rule, field: named(rule.field) }
    case 'sum':
      return { ...rule, terms: rule.terms.map(named), total: named(rule.total) }
    case 'rows_sum':
      return { ...rule, column: named(rule.column), total: named(rule.total) }
    case 'product':
      return { ...rule, factors: [named(rule.factors[0]), named(rule.factors[1])], result: named(rule.result) }
    case 'unique':
      return { ...rule, fields: rule.fields.map(named) }
  }
}

/** The templates with names and descriptions in one language, in the order in which they are offered. */
export function templatesFor(locale: Locale): Template[] {
  return Object.entries(templates).map(([key, fields]) => {
    const [name, description] = templateTexts[locale].templates[key]!
    return {
      key,
      name,
      description,
      elements: fields.map((field) => elementFor(field, locale)),
      rules: (rules[key] ?? []).map((rule) => inLanguage(rule, locale)),
    }
  })
}

/**
 * A template's name and its elements by the keys of their fields; `items` are those of its list. Null for an unknown
 * template.
 */
export function templateByKey(
  key: string,
  locale: Locale,
): { name: string; fields: Map<string, SchemaElement>; items: Map<string, SchemaElement> } | null {
  const fields = templates[key]
  if (fields === undefined) return null
  const keyed = (of: Field[]): Map<string, SchemaElement> =>
    new Map(of.map((field) => [field.key, elementFor(field, locale)]))
  return {
    name: templateTexts[locale].templates[key]![0],
    fields: keyed(fields),
    items: keyed(fields.flatMap((field) => field.items ?? [])),
  }
}

function elementFor(field: Field, locale: Locale): SchemaElement {
  const [name, description] = templateTexts[locale].fields[field.key]!
  return elementOf(field.type, { name, description, items: field.items?.map((item) => elementFor(item, locale)) })
}
