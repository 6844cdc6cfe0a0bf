import { setupI18n } from '@lingui/core'
import type { I18n } from '@lingui/core'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import type { CompiledMessage } from '@lingui/message-utils/compileMessage'
import { I18nProvider as LinguiProvider, useLingui } from '@lingui/react'
import { useEffect, useMemo } from 'react'
import type { ReactNode } from 'react'
import { I18nProvider as AriaProvider } from 'react-aria-components'
import type { ErrorReason } from '../../shared/domain/error-reason.ts'
import { toAppError } from '../../shared/domain/errors.ts'
import type { ErrorCode, ErrorDetails } from '../../shared/domain/errors.ts'
import { questionSentenceFor } from '../../shared/messages/question-sentences.ts'
import { locales, sentenceFor } from '../../shared/messages/sentences.ts'
import { trialSentenceFor } from '../../shared/messages/trial-sentences.ts'
import type { Locale } from '../../shared/messages/sentences.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import type { MessageId, Messages } from './en.ts'
import { formatsFor } from './formats.ts'
import type { Formats } from './formats.ts'
import { fr } from './fr.ts'

export type { MessageId } from './en.ts'
export type Translate = (id: MessageId, values?: Record<string, string | number>) => string

const catalogs: Record<Locale, Messages> = { en, de, fr }

/** The window's language: as set, else the first of the system's languages that Sheaf speaks, else English. Pure. */
export function localeFor(setting: Locale | 'system', systemLanguages: readonly string[]): Locale {
  if (setting !== 'system') return setting
  for (const tag of systemLanguages) {
    const known = locales.find((locale) => tag.toLowerCase().split('-')[0] === locale)
    if (known) return known
  }
  return 'en'
}

/**
 * The full tag for numbers and dates: the language as the region of the system's first one writes it, else a region of
 * this language that the system names. Browsers list «en-US» behind German, where nobody puts the month first. Pure.
 */
export function regionalTag(locale: Locale, systemLanguages: readonly string[]): string {
  const named = systemLanguages.find((tag) => tag.toLowerCase().startsWith(`${locale}-`)) ?? locale
  const [first] = systemLanguages
  if (first === undefined || first === named || first.toLowerCase() === locale) return named
  const { region } = new Intl.Locale(first).maximize()
  if (region === undefined) return named
  const local = `${locale}-${region}`
  return new Intl.DateTimeFormat(local).resolvedOptions().locale === local ? local : named
}

/** An instance that speaks one language; the catalogs hold ICU text and are compiled when first used. */
export function i18nFor(locale: Locale): I18n {
  const i18n = setupI18n()
  const compiled = new Map<string, CompiledMessage>()
  i18n.setMessagesCompiler((text) => {
    const known = compiled.get(text) ?? compileMessage(text)
    compiled.set(text, known)
    return known
  })
  i18n.loadAndActivate({ locale, messages: { ...catalogs[locale] } })
  return i18n
}

/** Gives everything inside the language of the settings. */
export function LanguageProvider({
  setting,
  children,
}: {
  setting: Locale | 'system'
  children: ReactNode
}): ReactNode {
  const locale = localeFor(setting, navigator.languages)
  const i18n = useMemo(() => i18nFor(locale), [locale])
  useEffect(() => {
    document.documentElement.lang = locale
  }, [locale])
  return (
    <LinguiProvider i18n={i18n}>
      <AriaProvider locale={regionalTag(locale, navigator.languages)}>{children}</AriaProvider>
    </LinguiProvider>
  )
}

export type Language = {
  locale: Locale
  t: Translate
  formats: Formats
  /** The sentence for a reason or an error of the contract. */
  sentence: (reason: { code: ErrorCode; details: ErrorDetails }) => string
  /** The sentence for whatever a call threw. */
  errorSentence: (error: unknown) => string
  /** The sentence for why a question, a model or a connection's test did not work: nothing waits, no file is sent. */
  questionSentence: (reason: ErrorReason | Error) => string
  /** The sentence for why a draft of a schema gives nothing for a document. */
  trialSentence: (reason: ErrorReason) => string
}

/** The window's language: messages, sentences for errors, and formats for numbers, dates and sizes. */
export function useLanguage(): Language {
  const { i18n } = useLingui()
  return useMemo(() => {
    const locale = i18n.locale as Locale
    const sentence: Language['sentence'] = ({ code, details }) => sentenceFor(code, details, locale)
    return {
      locale,
      t: (id, values) => i18n._(id, values),
      formats: formatsFor(regionalTag(locale, navigator.languages)),
      sentence,
      errorSentence: (error) => sentence(toAppError(error)),
      questionSentence(reason) {
        const { code, details } = reason instanceof Error ? toAppError(reason) : reason
        return questionSentenceFor(code, details, locale)
      },
      trialSentence: ({ code, details }) => trialSentenceFor(code, details, locale),
    }
  }, [i18n])
}
