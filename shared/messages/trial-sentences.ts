import type { ErrorCode, ErrorDetails } from '../domain/errors.ts'
import { fillIn } from './fill-in.ts'
import { questionSentences } from './question-sentences.ts'
import { sentenceFor } from './sentences.ts'
import type { Locale } from './sentences.ts'

/**
 * What a person reads who tries a draft of a schema on a document. The sentences of `sentences.ts` for these codes say
 * that the document waits; here nothing waits, and it is the person who tries again.
 */
const own: Partial<Record<ErrorCode, Record<Locale, string>>> = {
  service_interrupted: {
    en: 'The service on this computer was interrupted. Try again; nothing is billed.',
    de: 'Der Dienst auf diesem Computer wurde unterbrochen. Versuchen Sie es noch einmal; es wird nichts berechnet.',
    fr: 'Le service de cet ordinateur a été interrompu. Réessayez ; rien n’est facturé.',
  },
  daily_cap_reached: {
    en: 'Today’s cap is reached. Try again tomorrow, or raise the cap under Usage.',
    de: 'Die Tagesgrenze ist erreicht. Versuchen Sie es morgen wieder, oder erhöhen Sie die Grenze unter Verbrauch.',
    fr: 'Le plafond du jour est atteint. Réessayez demain, ou relevez le plafond dans Consommation.',
  },
  file_missing: {
    en: 'The file is no longer in its place.',
    de: 'Die Datei ist nicht mehr an ihrem Ort.',
    fr: 'Le fichier n’est plus à sa place.',
  },
  file_unreadable: {
    en: 'The file cannot be opened ({detail}). Close it in other programs, or ask for permission to read it, and try again.',
    de: 'Die Datei lässt sich nicht öffnen ({detail}). Schließen Sie sie in anderen Programmen oder lassen Sie sich Leserechte geben, und versuchen Sie es noch einmal.',
    fr: 'Le fichier ne peut pas être ouvert ({detail}). Fermez-le dans les autres programmes ou demandez le droit de le lire, puis réessayez.',
  },
  file_changed: {
    en: 'The file changed while it was read. Try again when it is finished.',
    de: 'Die Datei hat sich beim Lesen geändert. Versuchen Sie es noch einmal, wenn sie fertig ist.',
    fr: 'Le fichier a changé pendant la lecture. Réessayez quand il sera terminé.',
  },
  folder_offline: {
    en: 'The folder of this file cannot be reached.',
    de: 'Der Ordner dieser Datei ist nicht erreichbar.',
    fr: 'Le dossier de ce fichier est inaccessible.',
  },
}

/** Codes whose sentence of `question-sentences.ts` fits here as well: it speaks of the service and of no question. */
const shared = [
  'connection_refused',
  'host_not_found',
  'proxy_refused',
  'rate_limited',
  'service_unavailable',
  'service_off',
  'credentials_refused',
  'secret_missing',
  'secret_unavailable',
  'keychain_unavailable',
  'not_a_platform',
  'access_denied',
  'quota_reached',
] as const

const sentences: Partial<Record<ErrorCode, Record<Locale, string>>> = {
  ...Object.fromEntries(shared.map((code) => [code, questionSentences[code]])),
  ...own,
}

/** The sentence for why a draft gives nothing for a document, its placeholders filled from `details`. */
export function trialSentenceFor(code: ErrorCode, details: ErrorDetails, locale: Locale): string {
  const sentence = sentences[code]
  return sentence === undefined ? sentenceFor(code, details, locale) : fillIn(sentence[locale], details)
}
