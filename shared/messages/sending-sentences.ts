import type { ErrorCode } from '../domain/errors.ts'

/** Why a document is not sent again by itself, or not at all: part of `sentences.ts`. */
export const sendingSentences = {
  sent_again: {
    en: 'The answer was lost. The file goes again by itself, as the settings say, and may be billed twice.',
    de: 'Die Antwort ging verloren. Die Datei wird von selbst noch einmal gesendet, wie es die Einstellungen sagen, und kann zweimal berechnet werden.',
    fr: 'La réponse s’est perdue. Le fichier repart de lui-même, comme le disent les réglages, et peut être facturé deux fois.',
  },
  place_missing: {
    en: 'The value that you changed is not there any more: the result of the document became another one. Open it again; nothing was changed.',
    de: 'Der Wert, den Sie geändert haben, ist nicht mehr da: Das Dokument hat ein anderes Ergebnis bekommen. Öffnen Sie es noch einmal; es wurde nichts geändert.',
    fr: 'La valeur modifiée n’existe plus : le document a reçu un autre résultat. Ouvrez-le à nouveau ; rien n’a été modifié.',
  },
  outcome_unread: {
    en: 'It was sent, and Sheaf stumbled over what came of that ({detail}). It may already be billed.',
    de: 'Es wurde gesendet, und Sheaf ist über das gestolpert, was daraus wurde ({detail}). Es kann schon berechnet sein.',
    fr: 'Il a été envoyé, et Sheaf a trébuché sur ce qui en est advenu ({detail}). Il est peut-être déjà facturé.',
  },
  connection_removed: {
    en: 'Its connection was removed, so there is no way to send it any more. Watch its folder with another connection.',
    de: 'Die Verbindung dafür wurde entfernt, darum lässt es sich nicht mehr senden. Überwachen Sie den Ordner mit einer anderen Verbindung.',
    fr: 'Sa connexion a été supprimée : il n’y a plus de voie pour l’envoyer. Surveillez son dossier avec une autre connexion.',
  },
  resend_unapproved: {
    en: 'It was sent before, and what came of that is not known. It may already be billed, so Sheaf sends it again only when you say so.',
    de: 'Es wurde schon einmal gesendet, und was daraus wurde, ist nicht bekannt. Es kann schon berechnet sein, darum sendet Sheaf es nur noch einmal, wenn Sie es sagen.',
    fr: 'Il a déjà été envoyé, et la suite n’est pas connue. Il est peut-être déjà facturé : Sheaf ne le renvoie que si vous le dites.',
  },
  set_by_administrator: {
    en: 'Your administrator does not allow this (policy {policy}). Nothing is lost; ask there if you need it.',
    de: 'Ihre Administration lässt das nicht zu (Richtlinie {policy}). Nichts geht verloren; fragen Sie dort, wenn Sie es brauchen.',
    fr: 'Votre administrateur ne l’autorise pas (stratégie {policy}). Rien n’est perdu ; adressez-vous à lui si vous en avez besoin.',
  },
  batch_running: {
    en: 'A batch is running. The update is installed when it is done and Sheaf is quit.',
    de: 'Gerade läuft ein Stapel. Das Update wird installiert, wenn er fertig ist und Sheaf beendet wird.',
    fr: 'Un lot est en cours. La mise à jour sera installée quand il sera terminé et que Sheaf sera fermé.',
  },
  service_off: {
    en: 'This computer’s service is off. Documents wait until you switch it on in the settings.',
    de: 'Der Dienst dieses Computers ist ausgeschaltet. Dokumente warten, bis Sie ihn in den Einstellungen einschalten.',
    fr: 'Le service de cet ordinateur est désactivé. Les documents attendent que vous l’activiez dans les réglages.',
  },
} as const satisfies Partial<Record<ErrorCode, { en: string; de: string; fr: string }>>
