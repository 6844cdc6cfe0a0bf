import { useState } from 'react'
import type { ReactNode } from 'react'
import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import type { RuleKind } from '../../../shared/review.ts'
import { Button, IconButton, Select, TextField } from '../../components/controls.tsx'
import { EmptyState } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'
import type { MessageId } from '../../messages/language.tsx'
import { labelOf } from '../../messages/values.ts'
import type { FieldDraft } from './draft.ts'
import { choicesFor, fieldChoices, newRule, ruleOf, slots } from './rule-draft.ts'
import type { FieldChoice, RuleDraft } from './rule-draft.ts'

const kinds: Record<RuleKind, { name: MessageId; text: MessageId }> = {
  required: { name: 'rule.required', text: 'rule.requiredText' },
  pattern: { name: 'rule.pattern', text: 'rule.patternText' },
  notInFuture: { name: 'rule.notInFuture', text: 'rule.notInFutureText' },
  sum: { name: 'rule.sum', text: 'rule.sumText' },
  rowsSum: { name: 'rule.rowsSum', text: 'rule.rowsSumText' },
  product: { name: 'rule.product', text: 'rule.productText' },
  unique: { name: 'rule.unique', text: 'rule.uniqueText' },
}

/** `place`: where a person types, the same from letter to letter. */
type Props = { rules: RuleDraft[]; fields: FieldDraft[]; onChange: (rules: RuleDraft[], place?: string) => void; tried: boolean }

/** What documents of a schema are checked by: each rule is read as a sentence, with its fields to choose. */
export function RuleList({ rules, fields, onChange, tried }: Props): ReactNode {
  const { t } = useLanguage()
  const choices = fieldChoices(fields)
  const [focused, setFocused] = useState<string | null>(null)
  const change = (key: string, part: Partial<RuleDraft>): void => onChange(rules.map((rule) => (rule.key === key ? { ...rule, ...part } : rule)), 'pattern' in part ? key : undefined)
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
            <IconButton icon="trash" label={t('rules.remove')} onPress={() => onChange(rules.filter(({ key }) => key !== rule.key))} />
            {tried && ruleOf(rule, fields) === null && <p className="field-problem">{t(rule.kind === 'pattern' ? 'rules.incompletePattern' : 'rules.incomplete')}</p>}
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
          {(Object.keys(kinds) as RuleKind[]).map((kind) => (
            <MenuItem key={kind} id={kind} textValue={t(kinds[kind].name)} className="list-box__item">
              <span className="list-box__words">
                <span>{t(kinds[kind].name)}</span>
                <small>{t(kinds[kind].text)}</small>
              </span>
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}

type SentenceProps = { rule: RuleDraft; choices: FieldChoice[]; onChange: (part: Partial<RuleDraft>) => void }

function RuleSentence({ rule, choices, onChange }: SentenceProps): ReactNode {
  const { t } = useLanguage()
  const { kind, fields, pattern } = rule
  const field = (slot: number): ReactNode => (
    <span key={`field-${slot}`} className="rule__field">
      <Select
        label={t('rules.field', { number: slot + 1 })}
        labelHidden
        placeholder={t('rules.choose')}
        value={fields[slot] ?? null}
        onChange={(key) => onChange({ fields: fields.map((before, index) => (index === slot ? key : before)) })}
        choices={choicesFor(kind, slot, choices).map(({ key, path }) => ({ key, label: path.map(labelOf).join(' › ') }))}
      />
    </span>
  )
  const word = (id: MessageId): ReactNode => (
    <span key={id} className="rule__word">
      {t(id)}
    </span>
  )
  const last = fields.length - 1
  const more = fields.length < slots[kind].most && (
    <IconButton key="more" icon="plus" label={t('rules.moreFields')} onPress={() => onChange({ fields: kind === 'sum' ? [...fields.slice(0, last), null, fields[last] ?? null] : [...fields, null] })} />
  )
  const fewer = fields.length > slots[kind].first && (
    <IconButton key="fewer" icon="minus" label={t('rules.fewerFields')} onPress={() => onChange({ fields: kind === 'sum' ? [...fields.slice(0, last - 1), fields[last] ?? null] : fields.slice(0, last) })} />
  )
  const joined = (slotsOf: number[], sign: string): ReactNode[] =>
    slotsOf.flatMap((slot, index) => (index === 0 ? [field(slot)] : [<span key={`sign-${slot}`} className="rule__word">{sign}</span>, field(slot)]))
  const between = fields.slice(0, last).map((_, index) => index)
  switch (kind) {
    case 'required':
      return <div className="rule__sentence">{[field(0), word('rule.isRequired')]}</div>
    case 'notInFuture':
      return <div className="rule__sentence">{[field(0), word('rule.isNotInFuture')]}</div>
    case 'pattern':
      return (
        <div className="rule__sentence">
          {field(0)}
          {word('rule.looksLike')}
          <span className="rule__pattern">
            <TextField label={t('rules.pattern')} labelHidden mono value={pattern} onChange={(next) => onChange({ pattern: next })} placeholder="RE-####-*" hint={t('rules.patternHint')} />
          </span>
        </div>
      )
    case 'sum':
      return <div className="rule__sentence">{[...joined(between, '+'), more, fewer, word('rule.equals'), field(last)]}</div>
    case 'rowsSum':
      return <div className="rule__sentence">{[word('rule.rowsOf'), field(0), word('rule.addUpTo'), field(1)]}</div>
    case 'product':
      return <div className="rule__sentence">{[...joined([0, 1], '×'), word('rule.equals'), field(2)]}</div>
    case 'unique':
      return <div className="rule__sentence">{[...joined([...between, last], '+'), more, fewer, word('rule.isUnique')]}</div>
  }
}
