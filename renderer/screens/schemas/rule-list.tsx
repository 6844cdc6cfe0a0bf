import { useState } from 'react'
import type { ReactNode } from 'react'
import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import type { RuleKind } from '../../../shared/domain/review.ts'
import { Button, IconButton, Select, TextField } from '../../components/controls.tsx'
import { EmptyState } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'
import type { MessageId } from '../../messages/language.tsx'
import { labelOf } from '../../messages/values.ts'
import type { FieldDraft } from './field-draft.ts'
import { choicesFor, fieldChoices, newRule, ruleOf, slots } from './rule-draft.ts'
import type { FieldChoice, RuleDraft } from './rule-draft.ts'

const kindLabels: Record<RuleKind, { name: MessageId; text: MessageId }> = {
  required: { name: 'rule.required', text: 'rule.requiredText' },
  pattern: { name: 'rule.pattern', text: 'rule.patternText' },
  not_in_future: { name: 'rule.notInFuture', text: 'rule.notInFutureText' },
  sum: { name: 'rule.sum', text: 'rule.sumText' },
  rows_sum: { name: 'rule.rowsSum', text: 'rule.rowsSumText' },
  product: { name: 'rule.product', text: 'rule.productText' },
  unique: { name: 'rule.unique', text: 'rule.uniqueText' },
}

/** `place`: where a person types, the same from letter to letter. */
type Props = {
  rules: RuleDraft[]
  fields: FieldDraft[]
  onChange: (rules: RuleDraft[], place?: string) => void
  tried: boolean
}

/** What documents of a schema are checked by: each rule is read as a sentence, with its fields to choose. */
export function RuleList({ rules, fields, onChange, tried }: Props): ReactNode {
  const { t } = useLanguage()
  const choices = fieldChoices(fields)
  const [focused, setFocused] = useState<string | null>(null)
  const change = (key: string, part: Partial<RuleDraft>): void =>
    onChange(
      rules.map((rule) => (rule.key === key ? { ...rule, ...part } : rule)),
      'pattern' in part ? key : undefined,
    )
  const add = (kind: RuleKind): void => {
    const rule = newRule(kind)
    setFocused(rule.key)
    onChange([...rules, rule])
  }
  if (rules.length === 0) {
    return (
      <EmptyState icon="eye" title={t('rules.none')} text={t('rules.noneText')}>
        <AddRule onAdd={add} />
      </EmptyState>
    )
  }
  return (
    <div className="rule-list">
      <ol className="rules" aria-label={t('rules.title')}>
        {rules.map((rule) => (
          <li key={rule.key} className="rule" data-new={rule.key === focused || undefined}>
            <RuleSentence rule={rule} choices={choices} onChange={(part) => change(rule.key, part)} />
            <IconButton
              icon="trash"
              label={t('rules.remove')}
              onPress={() => onChange(rules.filter(({ key }) => key !== rule.key))}
            />
            {tried && ruleOf(rule, fields) === null && (
              <p className="field-problem">
                {t(slots[rule.kind].hasPattern ? 'rules.incompletePattern' : 'rules.incomplete')}
              </p>
            )}
          </li>
        ))}
      </ol>
      {/* The button that added the first rule went with the empty list. */}
      <AddRule onAdd={add} autoFocus={focused !== null} />
    </div>
  )
}

function AddRule({ onAdd, autoFocus = false }: { onAdd: (kind: RuleKind) => void; autoFocus?: boolean }): ReactNode {
  const { t } = useLanguage()
  return (
    <MenuTrigger>
      <Button icon="plus" autoFocus={autoFocus}>
        {t('rules.add')}
      </Button>
      <Popover className="popover" offset={4}>
        <Menu className="list-box" onAction={(key) => onAdd(key as RuleKind)}>
          {(Object.keys(kindLabels) as RuleKind[]).map((kind) => (
            <MenuItem key={kind} id={kind} textValue={t(kindLabels[kind].name)} className="list-box__item">
              <span className="list-box__words">
                <span>{t(kindLabels[kind].name)}</span>
                <small>{t(kindLabels[kind].text)}</small>
              </span>
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}

type Part =
  | { part: 'field'; slot: number }
  | { part: 'word'; message: MessageId }
  /** Between the fields `slot - 1` and `slot`. */
  | { part: 'sign'; sign: string; slot: number }
  | { part: 'more' | 'fewer' | 'pattern' }

const field = (slot: number): Part => ({ part: 'field', slot })
const word = (message: MessageId): Part => ({ part: 'word', message })
const addAndRemove: Part[] = [{ part: 'more' }, { part: 'fewer' }]

/** The fields from the first to `last` with a sign between them. */
function joined(last: number, sign: string): Part[] {
  return Array.from({ length: last + 1 }, (_, slot): Part[] =>
    slot === 0 ? [field(0)] : [{ part: 'sign', sign, slot }, field(slot)],
  ).flat()
}

/** How a rule of each kind is read, by the place of its last field. */
const sentences: Record<RuleKind, (last: number) => Part[]> = {
  required: () => [field(0), word('rule.isRequired')],
  not_in_future: () => [field(0), word('rule.isNotInFuture')],
  pattern: () => [field(0), word('rule.looksLike'), { part: 'pattern' }],
  sum: (last) => [...joined(last - 1, '+'), ...addAndRemove, word('rule.equals'), field(last)],
  rows_sum: () => [word('rule.rowsOf'), field(0), word('rule.addUpTo'), field(1)],
  product: () => [...joined(1, '×'), word('rule.equals'), field(2)],
  unique: (last) => [...joined(last, '+'), ...addAndRemove, word('rule.isUnique')],
}

/** Keeps its key however many fields come before it. */
function keyOf(part: Part): string {
  if (part.part === 'word') return part.message
  return 'slot' in part ? `${part.part}-${part.slot}` : part.part
}

type SentenceProps = { rule: RuleDraft; choices: FieldChoice[]; onChange: (part: Partial<RuleDraft>) => void }

function RuleSentence({ rule, ...rest }: SentenceProps): ReactNode {
  return (
    <div className="rule__sentence">
      {sentences[rule.kind](rule.fields.length - 1).map((part) => (
        <SentencePart key={keyOf(part)} part={part} rule={rule} {...rest} />
      ))}
    </div>
  )
}

function SentencePart({ part, ...props }: SentenceProps & { part: Part }): ReactNode {
  const { t } = useLanguage()
  switch (part.part) {
    case 'field':
      return <FieldSelect slot={part.slot} {...props} />
    case 'word':
      return <span className="rule__word">{t(part.message)}</span>
    case 'sign':
      return <span className="rule__word">{part.sign}</span>
    case 'more':
    case 'fewer':
      return <FieldCountButton change={part.part} {...props} />
    case 'pattern':
      return <PatternField {...props} />
  }
}

function FieldSelect({ slot, rule: { kind, fields }, choices, onChange }: SentenceProps & { slot: number }): ReactNode {
  const { t } = useLanguage()
  return (
    <span className="rule__field">
      <Select
        label={t('rules.field', { number: slot + 1 })}
        labelHidden
        placeholder={t('rules.choose')}
        value={fields[slot] ?? null}
        onChange={(key) => onChange({ fields: fields.map((before, index) => (index === slot ? key : before)) })}
        choices={choicesFor(kind, slot, choices).map(({ key, path }) => ({
          key,
          label: path.map(labelOf).join(' › '),
        }))}
      />
    </span>
  )
}

/** One field more or fewer, as far as the kind of rule takes them. The last field of a sum stays: it is the total. */
function FieldCountButton({
  change,
  rule: { kind, fields },
  onChange,
}: SentenceProps & { change: 'more' | 'fewer' }): ReactNode {
  const { t } = useLanguage()
  const { min, max } = slots[kind]
  const total = kind === 'sum' ? fields.slice(-1) : []
  const others = fields.slice(0, fields.length - total.length)
  if (change === 'more')
    return (
      fields.length < max && (
        <IconButton
          icon="plus"
          label={t('rules.moreFields')}
          onPress={() => onChange({ fields: [...others, null, ...total] })}
        />
      )
    )
  return (
    fields.length > min && (
      <IconButton
        icon="minus"
        label={t('rules.fewerFields')}
        onPress={() => onChange({ fields: [...others.slice(0, -1), ...total] })}
      />
    )
  )
}

function PatternField({ rule: { pattern }, onChange }: SentenceProps): ReactNode {
  const { t } = useLanguage()
  return (
    <span className="rule__pattern">
      <TextField
        label={t('rules.pattern')}
        labelHidden
        mono
        value={pattern}
        onChange={(next) => onChange({ pattern: next })}
        placeholder="RE-####-*"
        hint={t('rules.patternHint')}
      />
    </span>
  )
}
