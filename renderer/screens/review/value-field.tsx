import { useId, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { FocusEvent, KeyboardEvent, ReactNode, RefObject } from 'react'
import { tokensOf } from '../../../shared/domain/pointer.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import type { FieldSource } from '../../../shared/domain/result.ts'
import { useLanguage } from '../../messages/language.tsx'
import { notOfKindTexts } from '../../messages/kinds.ts'
import { fieldDecimals, printedDecimals, valueText } from '../../messages/values.ts'
import { isPlain } from '../../grid/grid-edits.ts'
import { commandOf } from '../../grid/grid-keys.ts'
import { editText, parseTyped } from '../../grid/typed-values.ts'
import type { Active, Sources } from './pointer.ts'
import type { Review } from './use-review.ts'

/** What all values of a document share. */
export type Common = {
  sources: Sources
  active: Active
  onActive: (active: Active) => void
  review: Review
  /** False: the focus has not gone anywhere yet. */
  onNextFlag: (from: HTMLElement | null) => boolean
}

type Props = Common & {
  value: unknown
  format: SchemaElement['format']
  kind?: SchemaElement['kind']
  label: string
  pointer: string
  minDecimals?: number
  inTable?: boolean
  describedBy?: string
  /** Puts another value in its place by a key of its own; false for other keys. */
  onTakeKey?: (event: KeyboardEvent<HTMLElement>) => boolean
}

/** As many decimals as the number was printed with. */
export function decimalsOf(value: unknown, source: FieldSource | undefined): number {
  return typeof value === 'number' && source ? printedDecimals(source.text) : 0
}

/** The same for a value by itself: an amount that is not whole has two, wherever it was printed. */
function decimalsAlone(value: unknown, pointer: string, sources: Sources): number {
  return Math.max(
    decimalsOf(value, sources?.get(pointer)),
    fieldDecimals(String(tokensOf(pointer).at(-1) ?? ''), [value]),
  )
}

/** A value that takes the focus, shows its place in the document, and can be typed over. */
export function ValueField(props: Props): ReactNode {
  const { value, format, review } = props
  if (!review.editable || !isPlain(value) || format === 'list') return <ShownValue {...props} />
  return format === 'boolean' ? <ChosenValue {...props} /> : <TypedValue {...props} />
}

/** The attributes by which marks, keys and colours find a value. */
function useMarks({
  pointer,
  sources,
  active,
  review,
  onActive,
}: Props): Record<string, unknown> & { onFocus: () => void } {
  return {
    'data-pointer': pointer,
    'data-on': active?.pointer === pointer || undefined,
    'data-found': sources?.get(pointer) ? true : undefined,
    'data-flagged': review.flagsAt(pointer).length > 0 || undefined,
    'data-changed': review.correctionAt(pointer) !== null || undefined,
    onFocus: () => {
      if (active?.pointer !== pointer) onActive({ pointer, from: 'value' })
    },
  }
}

function ShownValue(props: Props): ReactNode {
  const { value, label, pointer, sources, review, onActive, onNextFlag, minDecimals, inTable = false } = props
  const { t, formats } = useLanguage()
  const marks = useMarks(props)
  const text = valueText(
    value,
    formats,
    { yes: t('value.yes'), no: t('value.no') },
    minDecimals ?? decimalsAlone(value, pointer, sources),
  )
  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    onActive({ pointer, from: 'value' })
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
    if (!review.editable || review.flagsAt(pointer).length === 0) return
    review.confirm(pointer)
    onNextFlag(event.currentTarget)
  }
  return (
    <span
      {...marks}
      className="value"
      role="button"
      tabIndex={0}
      aria-label={`${label}: ${text ?? t('value.empty')}`}
      onKeyDown={onKeyDown}
    >
      {text === null ? <span className="value__empty">{inTable ? '–' : t('value.empty')}</span> : <bdi>{text}</bdi>}
    </span>
  )
}

function ChosenValue(props: Props): ReactNode {
  const { value, label, pointer, review, describedBy, onNextFlag, onTakeKey } = props
  const { t } = useLanguage()
  const marks = useMarks(props)
  const flags = review.flagsAt(pointer)
  function onKeyDown(event: KeyboardEvent<HTMLSelectElement>): void {
    if (onTakeKey?.(event)) return void onNextFlag(event.currentTarget)
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    if (flags.length > 0) review.confirm(pointer)
    onNextFlag(event.currentTarget)
  }
  return (
    <select
      {...marks}
      className="value value--input"
      aria-label={label}
      aria-describedby={describedBy}
      value={value === true ? 'yes' : value === false ? 'no' : ''}
      onChange={(event) =>
        review.put([{ pointer, value: event.target.value === '' ? null : event.target.value === 'yes' }])
      }
      onKeyDown={onKeyDown}
    >
      <option value="">{t('value.empty')}</option>
      <option value="yes">{t('value.yes')}</option>
      <option value="no">{t('value.no')}</option>
    </select>
  )
}

/** Enter says that it is right, Escape takes back what was typed; leaving it keeps what was typed. */
function TypedValue(props: Props): ReactNode {
  const { format, label, inTable = false, describedBy } = props
  const { t } = useLanguage()
  const { onFocus, ...marks } = useMarks(props)
  const box = useRef<HTMLTextAreaElement & HTMLInputElement>(null)
  const problemId = useId()
  const { text, problem, begin, type, close, onKeyDown } = useDraft(props, box)
  const shared = {
    ...marks,
    ref: box,
    className: 'value value--input',
    'aria-label': label,
    'aria-describedby': [describedBy, problem === null ? null : problemId].filter(Boolean).join(' ') || undefined,
    'aria-invalid': problem !== null || undefined,
    value: text,
    placeholder: inTable ? '–' : t('value.empty'),
    spellCheck: false,
    autoComplete: 'off',
    onFocus: () => {
      onFocus()
      begin()
    },
    onBlur: (_event: FocusEvent) => close(),
    onChange: (event: { target: { value: string } }) => type(event.target.value),
    onKeyDown,
  }
  return (
    <>
      {format === 'number' ? (
        <input {...shared} type="text" inputMode="decimal" />
      ) : (
        <textarea {...shared} rows={1} dir="auto" />
      )}
      {problem !== null && (
        <small id={problemId} className="field__problem" role="alert">
          {problem}
        </small>
      )}
    </>
  )
}

type Draft = {
  /** What is typed, or the value as it is shown while nobody types. */
  text: string
  /** Why what is typed is not valid. */
  problem: string | null
  begin: () => void
  type: (text: string) => void
  /** Keeps what is typed, and ends if it is valid. */
  close: () => void
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
}

function isUndo(event: KeyboardEvent<HTMLElement>): boolean {
  const command = commandOf(event)?.type
  return command === 'undo' || command === 'redo'
}

/** A value while it is typed over. */
function useDraft(props: Props, box: RefObject<HTMLTextAreaElement | null>): Draft {
  const { value, format, kind, pointer, sources, review, minDecimals, onNextFlag, onTakeKey } = props
  const { t, formats } = useLanguage()
  const [draft, setDraft] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const decimals = minDecimals ?? decimalsAlone(value, pointer, sources)
  const before = editText(value, formats, decimals)
  const shown = valueText(value, formats, { yes: t('value.yes'), no: t('value.no') }, decimals) ?? ''
  const isEditing = draft !== null
  // Another value was put in its place, as by pointing at the document: what was typed before it is given up.
  useLayoutEffect(() => {
    setProblem(null)
    setDraft((kept) => (kept !== null && document.activeElement === box.current ? before : null))
  }, [before, box])
  // Typing replaces what is there, as in a cell.
  useLayoutEffect(() => {
    if (isEditing && document.activeElement === box.current) box.current?.select()
  }, [isEditing, box])

  /** Whether it was changed; null: what was typed is not valid. */
  function commit(): boolean | null {
    if (draft === null || draft === before) {
      setProblem(null)
      return false
    }
    const typed = parseTyped(draft, { format, kind, name: String(tokensOf(pointer).at(-1)) }, formats)
    if ('problem' in typed) {
      setProblem(
        typed.problem === 'number' || typed.problem === 'twofold'
          ? t(typed.problem === 'number' ? 'check.notNumber' : 'check.twofold', { example: formats.number(1284.5, 2) })
          : t(notOfKindTexts[typed.problem]),
      )
      // What is typed next stands in its place.
      if (document.activeElement === box.current) box.current?.select()
      return null
    }
    setProblem(null)
    if (JSON.stringify(typed.value) === JSON.stringify(value ?? null)) return false
    review.put([{ pointer, value: typed.value }])
    return true
  }
  function onEnter(event: KeyboardEvent<HTMLElement>): void {
    event.preventDefault()
    const changed = commit()
    if (changed === null) return event.stopPropagation()
    if (event.ctrlKey || event.metaKey) return
    if (!changed && review.flagsAt(pointer).length > 0) review.confirm(pointer)
    // If it keeps the focus, typing replaces it once more.
    if (!onNextFlag(event.currentTarget)) box.current?.select()
  }
  return {
    text: draft ?? shown,
    problem,
    begin: () => setDraft((kept) => kept ?? before),
    type: setDraft,
    close: () => {
      if (commit() !== null) setDraft(null)
    },
    onKeyDown(event) {
      if (event.nativeEvent.isComposing) return
      if (onTakeKey?.(event)) {
        // What was typed is given up before leaving the field would commit it.
        flushSync(() => [setDraft(null), setProblem(null)])
        if (!onNextFlag(event.currentTarget)) box.current?.select()
        return
      }
      // The browser takes back what is typed, and the screen what was put.
      const isTyping = draft !== null && draft !== before
      if (isTyping && isUndo(event)) event.stopPropagation()
      if (event.key === 'Enter' && !event.shiftKey && !event.altKey) onEnter(event)
      else if (event.key === 'Escape' && isTyping) {
        event.preventDefault()
        setDraft(before)
        setProblem(null)
      }
    },
  }
}
