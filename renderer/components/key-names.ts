import type { AppState } from '../../shared/contract/contract.ts'
import type { Locale } from '../../shared/messages/sentences.ts'
import { useCall } from '../client/queries.ts'
import { useLanguage } from '../messages/language.tsx'

type KeyNames = { command: string; alt: string; shift: string; enter: string }

const otherKeys: Record<Locale, KeyNames> = {
  en: { command: 'Ctrl', alt: 'Alt', shift: 'Shift', enter: 'Enter' },
  de: { command: 'Strg', alt: 'Alt', shift: 'Umschalt', enter: 'Eingabe' },
  fr: { command: 'Ctrl', alt: 'Alt', shift: 'Maj', enter: 'Entrée' },
}

/** How a system writes its keys, in a language. Pure. */
function keyNames(platform: AppState['platform'], locale: Locale): KeyNames {
  return platform === 'macos' ? { command: '⌘', alt: '⌥', shift: '⇧', enter: '↵' } : otherKeys[locale]
}

/** The system that Sheaf runs on; `linux` until that is known. */
export function useSystem(): AppState['platform'] {
  return useCall('app.state', {}).data?.platform ?? 'linux'
}

/** How this system writes its keys. */
export function useKeyNames(): KeyNames {
  const { locale } = useLanguage()
  return keyNames(useSystem(), locale)
}
