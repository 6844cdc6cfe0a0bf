import { useRef } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import type { AppState } from '../../../shared/contract/contract.ts'
import type { Alternative } from '../../../shared/domain/result.ts'
import { useKeyNames, useSystem } from '../../components/key-names.ts'
import { useLanguage } from '../../messages/language.tsx'
import { fieldDecimals, printedDecimals, valueText } from '../../messages/values.ts'
import { tokensOf } from '../../../shared/domain/pointer.ts'
import { sourceWords } from './flag-text.ts'
import type { Active } from './pointer.ts'

/** More values to choose from would be read more slowly than the document. */
export const maxAlternatives = 3

type KeyPress = Pick<KeyboardEvent, 'code' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>

/**
 * The alternative that a key takes, counted from 0; null for other keys. Digits are meant by where they lie, since not
 * every keyboard types one there. With Alt nothing is typed, save on a Mac, where it types letters of its own and
 * Control does not. Pure.
 */
export function alternativeKey(press: KeyPress, system: AppState['platform']): number | null {
  const { code, altKey, ctrlKey, metaKey, shiftKey } = press
  const isHeld = system === 'macos' ? ctrlKey && !altKey : altKey && !ctrlKey
  const digit = /^Digit([1-9])$/.exec(code)?.[1]
  return digit === undefined || !isHeld || metaKey || shiftKey || Number(digit) > maxAlternatives
    ? null
    : Number(digit) - 1
}

type Props = {
  pointer: string
  alternatives: readonly Alternative[]
  active: Active
  onActive: (active: Active) => void
  onTake: (alternative: Alternative) => void
}

/** The next best values of a field, each with its key; its place is shown while it is pointed at or has the focus. */
export function Alternatives({ pointer, alternatives, active, onActive, onTake }: Props): ReactNode {
  const { t, formats } = useLanguage()
  const { modifier } = useAlternativeKeys()
  /** What was looked at before one of these, and is again after it. */
  const before = useRef<Active>(null)
  if (alternatives.length === 0) return null
  const name = String(tokensOf(pointer).at(-1) ?? '')
  const textOf = (alternative: Alternative): string => {
    const { value, text } = alternative
    const decimals = Math.max(printedDecimals(text), fieldDecimals(name, [value]))
    return valueText(value, formats, { yes: t('value.yes'), no: t('value.no') }, decimals) ?? ''
  }
  const show = (other: Alternative): void => {
    if (!active?.other) before.current = active
    onActive({ pointer, from: 'value', other })
  }
  const hide = (): void => {
    if (active?.other) onActive(before.current)
  }
  return (
    <div className="alternatives" role="group" aria-label={t('check.alternatives')}>
      {alternatives.map((alternative, index) => {
        const place = placeOf(alternative)
        return (
          <button
            key={index}
            type="button"
            className="alternative"
            // By keys it is taken from its field: to leave that for it would commit what is typed, and take it away.
            tabIndex={-1}
            aria-keyshortcuts={`${modifier.aria}+${index + 1}`}
            onClick={() => onTake(alternative)}
            onMouseEnter={() => show(alternative)}
            onMouseLeave={hide}
            onFocus={() => show(alternative)}
            onBlur={hide}
          >
            <kbd aria-hidden="true">{`${modifier.shown} ${index + 1}`}</kbd>
            <bdi>{textOf(alternative)}</bdi>
            {place !== null && <span className="alternative__place">{t('check.alternativeFrom', place)}</span>}
          </button>
        )
      })}
    </div>
  )
}

/** Where it stands, when that is not the first page's words. */
function placeOf({ from = 'page', page }: Alternative): { from: string; page: number } | null {
  return from === 'page' && page === 1 ? null : { from: sourceWords[from], page }
}

/** The key that is held for an alternative, as this system writes it. */
export function useAlternativeKeys(): { system: AppState['platform']; modifier: { shown: string; aria: string } } {
  const system = useSystem()
  const { alt } = useKeyNames()
  return { system, modifier: system === 'macos' ? { shown: '⌃', aria: 'Control' } : { shown: alt, aria: 'Alt' } }
}
