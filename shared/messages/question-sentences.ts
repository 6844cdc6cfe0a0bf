import type { ErrorCode, ErrorDetails } from '../domain/errors.ts'
import { fillIn } from './fill-in.ts'
import { sentenceFor } from './sentences.ts'
import type { Locale } from './sentences.ts'

/**
 * What a person reads who asked a question or tests a connection. The sentences of `sentences.ts` for these codes speak
 * of documents that wait or may be billed; here nothing waits, and it is the person who asks again.
 */
export const questionSentences: Partial<Record<ErrorCode, Record<Locale, string>>> = {
  proxy_refused: {
    en: 'The proxy {proxy} let nothing through to {host} ({detail}). Nothing was sent. Ask your administrator.',
    de: 'Der Proxy {proxy} hat nichts zu {host} durchgelassen ({detail}). Es wurde nichts gesendet. Fragen Sie Ihre Administration.',
    fr: 'Le proxy {proxy} n’a rien laissé passer vers {host} ({detail}). Rien n’a été envoyé. Contactez votre administrateur.',
  },
  connection_refused: {
    en: 'Nothing answers at {host}. Check the address and the network, and whether the service is running.',
    de: 'Unter {host} antwortet niemand. Prüfen Sie die Adresse und das Netz, und ob der Dienst läuft.',
    fr: 'Aucune réponse de {host}. Vérifiez l’adresse et le réseau, et que le service fonctionne.',
  },
  host_not_found: {
    en: 'The address {host} was not found. Check its spelling and the network.',
    de: 'Die Adresse {host} wurde nicht gefunden. Prüfen Sie die Schreibweise und das Netz.',
    fr: 'L’adresse {host} est introuvable. Vérifiez son orthographe et le réseau.',
  },
  rate_limited: {
    en: 'The service gets more requests from this account than it takes in a minute. Try again in a little while.',
    de: 'Der Dienst bekommt von diesem Konto mehr Anfragen, als er in einer Minute annimmt. Versuchen Sie es in Kürze wieder.',
    fr: 'Le service reçoit de ce compte plus de demandes qu’il n’en accepte par minute. Réessayez dans un instant.',
  },
  service_unavailable: {
    en: 'The service is not available at the moment. Try again in a little while.',
    de: 'Der Dienst ist im Augenblick nicht verfügbar. Versuchen Sie es in Kürze wieder.',
    fr: 'Le service est indisponible pour le moment. Réessayez dans un instant.',
  },
  service_interrupted: {
    en: 'The service on this computer was interrupted. Ask again; nothing is billed.',
    de: 'Der Dienst auf diesem Computer wurde unterbrochen. Fragen Sie noch einmal; es wird nichts berechnet.',
    fr: 'Le service de cet ordinateur a été interrompu. Posez la question à nouveau ; rien n’est facturé.',
  },
  service_off: {
    en: 'This computer’s service is off. Switch it on in the settings, then try again.',
    de: 'Der Dienst dieses Computers ist ausgeschaltet. Schalten Sie ihn in den Einstellungen ein und versuchen Sie es dann wieder.',
    fr: 'Le service de cet ordinateur est désactivé. Activez-le dans les réglages, puis réessayez.',
  },
  credentials_refused: {
    en: '{host} does not accept the client id and secret. Correct them in the connection.',
    de: '{host} nimmt Client-ID und Secret nicht an. Berichtigen Sie sie in der Verbindung.',
    fr: '{host} refuse l’identifiant et le secret du client. Corrigez-les dans la connexion.',
  },
  secret_missing: {
    en: 'Sheaf does not have the secret of the connection: this computer did not keep it. Enter the secret again in the connection.',
    de: 'Sheaf hat das Secret der Verbindung nicht: Dieser Computer hat es nicht aufbewahrt. Geben Sie es in der Verbindung erneut ein.',
    fr: 'Sheaf n’a pas le secret de la connexion : cet ordinateur ne l’a pas conservé. Saisissez-le à nouveau dans la connexion.',
  },
  secret_unavailable: {
    en: 'The stored secret of the connection cannot be read: it is damaged, or the keychain of this computer has changed. Enter the secret again in the connection.',
    de: 'Das gespeicherte Secret der Verbindung ist nicht lesbar: Es ist beschädigt, oder der Schlüsselbund dieses Computers hat sich geändert. Geben Sie es in der Verbindung erneut ein.',
    fr: 'Le secret enregistré de la connexion est illisible : il est endommagé, ou le trousseau de cet ordinateur a changé. Saisissez-le à nouveau dans la connexion.',
  },
  keychain_unavailable: {
    en: 'The secret of the connection is in the keychain of this computer, which is locked, missing, or open to the desktop app only. Unlock it and try again, or enter the secret again in the connection.',
    de: 'Das Secret der Verbindung liegt im Schlüsselbund dieses Computers, der gesperrt ist, fehlt oder nur der Desktop-App offensteht. Entsperren Sie ihn und versuchen Sie es noch einmal, oder geben Sie das Secret in der Verbindung erneut ein.',
    fr: 'Le secret de la connexion est dans le trousseau de cet ordinateur, verrouillé, absent ou ouvert à la seule application de bureau. Déverrouillez-le et réessayez, ou saisissez à nouveau le secret dans la connexion.',
  },
  not_a_platform: {
    en: '{host} answers, but not like a platform (status {status}). Check the address of the connection.',
    de: '{host} antwortet, aber nicht wie eine Plattform (Status {status}). Prüfen Sie die Adresse der Verbindung.',
    fr: '{host} répond, mais pas comme une plateforme (statut {status}). Vérifiez l’adresse de la connexion.',
  },
  access_denied: {
    en: '{host} does not allow this account to do this. Ask its administrator whether API access and a subscription are active.',
    de: '{host} erlaubt diesem Konto das nicht. Fragen Sie dessen Administration, ob API-Zugang und Abonnement aktiv sind.',
    fr: '{host} ne l’autorise pas à ce compte. Demandez à son administrateur si l’accès API et l’abonnement sont actifs.',
  },
  quota_reached: {
    en: 'The quota of the account is used up. Ask again when it is raised or the next period begins.',
    de: 'Das Kontingent des Kontos ist aufgebraucht. Fragen Sie wieder, wenn es erhöht ist oder der nächste Zeitraum beginnt.',
    fr: 'Le quota du compte est épuisé. Réessayez quand il sera relevé ou à la prochaine période.',
  },
  agent_not_found: {
    en: 'The service does not know the agent “{agent}”. Check its identifier.',
    de: 'Der Dienst kennt den Agenten „{agent}“ nicht. Prüfen Sie seine Kennung.',
    fr: 'Le service ne connaît pas l’agent « {agent} ». Vérifiez son identifiant.',
  },
  agent_wrong_kind: {
    en: 'The agent “{agent}” is of another kind and answers no questions. Use the identifier of a Documentalist.',
    de: 'Der Agent „{agent}“ ist von anderer Art und beantwortet keine Fragen. Verwenden Sie die Kennung eines Documentalist.',
    fr: 'L’agent « {agent} » est d’un autre type et ne répond pas aux questions. Utilisez l’identifiant d’un Documentalist.',
  },
  connection_lost: {
    en: 'The connection broke before the answer came. The question may be billed; ask again if you want to.',
    de: 'Die Verbindung brach ab, bevor die Antwort kam. Die Frage kann berechnet werden; fragen Sie noch einmal, wenn Sie möchten.',
    fr: 'La connexion s’est rompue avant la réponse. La question est peut-être facturée ; reposez-la si vous le souhaitez.',
  },
  answer_timeout: {
    en: 'No answer came in time. Try again later, and check the address if it stays like this.',
    de: 'Es kam rechtzeitig keine Antwort. Versuchen Sie es später wieder, und prüfen Sie die Adresse, wenn es so bleibt.',
    fr: 'Aucune réponse dans le délai. Réessayez plus tard et vérifiez l’adresse si cela persiste.',
  },
  service_failed: {
    en: 'The service broke down (status {status}). The question may be billed; ask again later.',
    de: 'Der Dienst ist ausgefallen (Status {status}). Die Frage kann berechnet werden; fragen Sie später noch einmal.',
    fr: 'Le service est tombé en panne (statut {status}). La question est peut-être facturée ; réessayez plus tard.',
  },
  interrupted: {
    en: 'Sheaf was stopped before the answer came. The question may be billed; ask again if you want to.',
    de: 'Sheaf wurde beendet, bevor die Antwort kam. Die Frage kann berechnet werden; fragen Sie noch einmal, wenn Sie möchten.',
    fr: 'Sheaf s’est arrêté avant la réponse. La question est peut-être facturée ; reposez-la si vous le souhaitez.',
  },
  service_rejected: {
    en: 'The service refused this: {detail}',
    de: 'Der Dienst hat das abgelehnt: {detail}',
    fr: 'Le service a refusé : {detail}',
  },
  answer_unreadable: {
    en: 'The answer of the service cannot be read ({detail}). Ask again, or tell whoever runs it.',
    de: 'Die Antwort des Dienstes ist nicht lesbar ({detail}). Fragen Sie noch einmal, oder sagen Sie es, wer ihn betreibt.',
    fr: 'La réponse du service est illisible ({detail}). Réessayez ou prévenez qui le gère.',
  },
  daily_cap_reached: {
    en: 'Today’s cap is reached. Ask again tomorrow, or raise the cap under Usage.',
    de: 'Die Tagesgrenze ist erreicht. Fragen Sie morgen wieder, oder erhöhen Sie die Grenze unter Verbrauch.',
    fr: 'Le plafond du jour est atteint. Réessayez demain, ou relevez le plafond dans Consommation.',
  },
}

/** The sentence for an error of a question or a connection test, its placeholders filled from `details`. */
export function questionSentenceFor(code: ErrorCode, details: ErrorDetails, locale: Locale): string {
  const own = questionSentences[code]
  return own === undefined ? sentenceFor(code, details, locale) : fillIn(own[locale], details)
}
