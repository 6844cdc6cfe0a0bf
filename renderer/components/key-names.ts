import type { AppState } from '../../shared/contract/contract.ts'
import type { Locale } from '../../shared/messages/sentences.ts'
import { useCall } from '../client/queries.ts'
import { useLanguage } from '../messages/language.tsx'

type KeyNames = { command: string; alt: string; shift: string; enter: string; space: string }

const otherKeys: Record<Locale, KeyNames> = {
  en: { command: 'Ctrl', alt: 'Alt', shift: 'Shift', enter: 'Enter', space: 'Space' },
  de: { command: 'Strg', alt: 'Alt', shift: 'Umschalt', enter: 'Eingabe', space: 'Leertaste' },
  fr: { command: 'Ctrl', alt: 'Alt', shift: 'Maj', enter: 'Entrée', space: 'Espace' },
}

/** How a system writes its keys, in a language. Pure. */
function keyNames(platform: AppState['platform'], locale: Locale): KeyNames {
  return platform === 'macos'
    ? { command: '⌘', alt: '⌥', shift: '⇧', enter: '↵', space: otherKeys[locale].space }
    : otherKeys[locale]
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
