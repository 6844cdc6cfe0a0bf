import { describe, expect, it } from 'vitest'
import { changeField, draftOf, removeField } from '../../renderer/screens/schemas/field-draft.ts'
import {
  choicesFor,
  fieldChoices,
  newRule,
  ruleDrafts,
  ruleOf,
  rulesLeft,
  rulesMovedTo,
  slots,
} from '../../renderer/screens/schemas/rule-draft.ts'
import { rule } from '../../shared/domain/review.ts'
import type { Rule } from '../../shared/domain/review.ts'
import { templatesFor } from '../../electron/core/drafting/templates.ts'
import { locales } from '../../shared/messages/sentences.ts'

const fields = draftOf([
  { name: 'Number', format: 'text', description: '' },
  { name: 'Net', format: 'number', description: '' },
  { name: 'VAT', format: 'number', description: '' },
  { name: 'Total', format: 'number', description: '' },
  {
    name: 'Items',
    format: 'list',
    description: '',
    items: [
      { name: 'Price', format: 'number', description: '' },
      { name: 'Amount', format: 'number', description: '' },
      { name: 'Text', format: 'text', description: '' },
    ],
  },
])
const rules: Rule[] = [
  { kind: 'required', field: ['Items', 'Text'] },
  { kind: 'pattern', field: ['Number'], pattern: 'RE-*' },
  { kind: 'not_in_future', field: ['Number'] },
  { kind: 'sum', terms: [['Net'], ['VAT']], total: ['Total'] },
  { kind: 'rows_sum', column: ['Items', 'Amount'], total: ['Net'] },
  {
    kind: 'product',
    factors: [
      ['Items', 'Price'],
      ['Items', 'Price'],
    ],
    result: ['Items', 'Amount'],
  },
  { kind: 'unique', fields: [['Number'], ['Net']] },
]

describe('a rule that is edited', () => {
  it('is the same rule when nothing was changed', () => {
    expect(ruleDrafts(rules, fields).map((draft) => ruleOf(draft, fields))).toEqual(rules)
  })

  it('follows a field that is renamed', () => {
    const drafts = ruleDrafts(rules, fields)
    const items = fields[4]!
    const renamed = changeField(
      changeField(fields, items.key, (field) => ({ ...field, name: 'Rows' })),
      items.items[1]!.key,
      (field) => ({ ...field, name: 'Sum' }),
    )
    expect(ruleOf(drafts[4]!, renamed)).toEqual({ kind: 'rows_sum', column: ['Rows', 'Sum'], total: ['Net'] })
  })

  it('goes with a field that is removed, and is incomplete until all of its fields are chosen', () => {
    const without = removeField(fields, fields[1]!.key)
    expect(rulesLeft(ruleDrafts(rules, fields), without).map(({ kind }) => kind)).toEqual([
      'required',
      'pattern',
      'not_in_future',
      'product',
    ])
    for (const kind of Object.keys(slots) as (keyof typeof slots)[]) expect(ruleOf(newRule(kind), fields)).toBeNull()
  })

  it('stays for fields of the same names when all of them are replaced', () => {
    const next = draftOf([
      { name: 'Number', format: 'text', description: '' },
      { name: 'Other', format: 'number', description: '' },
    ])
    expect(rulesMovedTo(next, ruleDrafts(rules, fields), fields).map((draft) => ruleOf(draft, next))).toEqual([
      rules[1],
      rules[2],
    ])
  })

  it('offers the fields that make sense in each place', () => {
    const offered = (kind: keyof typeof slots, slot: number): string[] =>
      choicesFor(kind, slot, fieldChoices(fields)).map(({ path }) => path.join('.'))
    expect(offered('sum', 0)).toEqual(['Net', 'VAT', 'Total'])
    expect(offered('rows_sum', 0)).toEqual(['Items.Price', 'Items.Amount'])
    expect(offered('rows_sum', 1)).toEqual(['Net', 'VAT', 'Total'])
    expect(offered('unique', 0)).toEqual(['Number', 'Net', 'VAT', 'Total'])
    expect(offered('required', 0)).toHaveLength(7)
  })
})

describe('the templates', () => {
  it('come with rules that their own fields hold', () => {
    for (const locale of locales) {
      for (const template of templatesFor(locale)) {
        const drafts = draftOf(template.elements)
        expect(template.rules.length, template.key).toBeGreaterThan(0)
        expect(ruleDrafts(template.rules, drafts).map((draft) => ruleOf(draft, drafts))).toEqual(template.rules)
        for (const each of template.rules) expect(rule.safeParse(each).success).toBe(true)
      }
    }
  })
})
