import type { ErrorCode } from '../domain/errors.ts'

/** What a person reads about callbacks and the mailbox: part of `sentences.ts`. */
export const callbackSentences = {
  no_callback: {
    en: 'The folder asks for answers by callback, and none would find its way here. The file waits until callbacks work (Settings), or until the folder sends at once.',
    de: 'Der Ordner verlangt Antworten per Rückruf, und keiner fände hierher. Die Datei wartet, bis Rückrufe funktionieren (Einstellungen) oder der Ordner sofort sendet.',
    fr: 'Le dossier demande des réponses par rappel, et aucun n’arriverait ici. Le fichier attend que les rappels fonctionnent (Réglages) ou que le dossier envoie directement.',
  },
  callback_overdue: {
    en: 'The service accepted the file more than a day ago and has not sent its result. It is still accepted when it comes.',
    de: 'Der Dienst hat die Datei vor mehr als einem Tag angenommen und noch kein Ergebnis geschickt. Es wird weiterhin angenommen, wenn es kommt.',
    fr: 'Le service a accepté le fichier il y a plus d’un jour et n’a pas envoyé de résultat. Il sera accepté s’il arrive.',
  },
  callback_other_number: {
    en: 'A result came for this file under another number than the service had named. It is kept and not taken: “Read again” takes it, when you want that.',
    de: 'Für diese Datei kam ein Ergebnis unter einer anderen Nummer, als der Dienst genannt hatte. Es ist aufbewahrt und nicht übernommen: „Neu lesen“ übernimmt es, wenn Sie das wollen.',
    fr: 'Un résultat est arrivé pour ce fichier sous un autre numéro que celui indiqué par le service. Il est conservé sans être repris : « Relire » le reprend, si vous le souhaitez.',
  },
  callback_missing: {
    en: 'The service accepted the file and sent no result in 30 days. It may already be billed, so Sheaf does not send it again by itself.',
    de: 'Der Dienst hat die Datei angenommen und in 30 Tagen kein Ergebnis geschickt. Sie kann schon berechnet sein, darum sendet Sheaf sie nicht von selbst noch einmal.',
    fr: 'Le service a accepté le fichier et n’a envoyé aucun résultat en 30 jours. Il est peut-être déjà facturé : Sheaf ne le renvoie pas de lui-même.',
  },
  callback_not_set_up: {
    en: 'Large files are sent and waited for, because no address leads from the service back to this computer. Set one up under Settings, Callbacks.',
    de: 'Große Dateien werden gesendet und abgewartet, weil vom Dienst keine Adresse zu diesem Computer zurückführt. Richten Sie eine ein unter Einstellungen, Rückrufe.',
    fr: 'Les gros fichiers sont envoyés puis attendus, car aucune adresse ne mène du service à cet ordinateur. Configurez-en une dans Réglages, Rappels.',
  },
  callback_not_returned: {
    en: 'A test message sent to {host} did not come back to Sheaf ({detail}). Until it does, large files are sent and waited for.',
    de: 'Eine Testnachricht an {host} kam nicht bei Sheaf an ({detail}). Solange das so ist, werden große Dateien gesendet und abgewartet.',
    fr: 'Un message d’essai envoyé à {host} n’est pas revenu à Sheaf ({detail}). En attendant, les gros fichiers sont envoyés puis attendus.',
  },
  callback_port_taken: {
    en: 'Port {port} is used by another program. End that program, or choose another port and lead the public address to it.',
    de: 'Port {port} wird von einem anderen Programm benutzt. Beenden Sie es, oder wählen Sie einen anderen Port und leiten Sie die öffentliche Adresse dorthin.',
    fr: 'Le port {port} est utilisé par un autre programme. Quittez-le, ou choisissez un autre port et dirigez-y l’adresse publique.',
  },
  callback_address_local: {
    en: '“{address}” leads to this computer only, so no service elsewhere reaches it. Enter the public address of your proxy or tunnel.',
    de: '„{address}“ führt nur zu diesem Computer, ein Dienst anderswo erreicht das nicht. Geben Sie die öffentliche Adresse Ihres Proxys oder Tunnels ein.',
    fr: '« {address} » ne mène qu’à cet ordinateur : aucun service extérieur ne l’atteint. Saisissez l’adresse publique de votre proxy ou tunnel.',
  },
  mailbox_not_paired: {
    en: 'No mailbox is paired with this computer. Ask for a pairing code and enter it first.',
    de: 'Mit diesem Computer ist kein Postfach gekoppelt. Lassen Sie sich einen Kopplungscode geben und geben Sie ihn zuerst ein.',
    fr: 'Aucune boîte n’est associée à cet ordinateur. Demandez un code d’association et saisissez-le d’abord.',
  },
  mailbox_code_invalid: {
    en: 'This pairing code is not valid: it works once and for a day. Ask for a new one (sheaf mailbox code).',
    de: 'Dieser Kopplungscode gilt nicht: Er funktioniert einmal und einen Tag lang. Lassen Sie sich einen neuen geben (sheaf mailbox code).',
    fr: 'Ce code d’association n’est pas valable : il sert une fois, pendant un jour. Demandez-en un nouveau (sheaf mailbox code).',
  },
  mailbox_unreachable: {
    en: 'The mailbox at {host} does not answer ({detail}). Results wait there and are fetched when it does.',
    de: 'Das Postfach unter {host} antwortet nicht ({detail}). Ergebnisse warten dort und werden geholt, sobald es antwortet.',
    fr: 'La boîte {host} ne répond pas ({detail}). Les résultats y attendent et seront récupérés dès que possible.',
  },
  mailbox_refused: {
    en: 'The mailbox at {host} does not know this computer any more. End the pairing, and pair with a new code.',
    de: 'Das Postfach unter {host} kennt diesen Computer nicht mehr. Beenden Sie die Kopplung und koppeln Sie mit einem neuen Code.',
    fr: 'La boîte {host} ne connaît plus cet ordinateur. Mettez fin à l’association, puis associez-le avec un nouveau code.',
  },
  mailbox_key_unavailable: {
    en: 'The key of the mailbox cannot be read ({detail}). Unlock the keychain: results wait there until then. Only if the key is lost for good, end the pairing; what waits there is lost with it.',
    de: 'Der Schlüssel des Postfachs ist nicht lesbar ({detail}). Entsperren Sie den Schlüsselbund: Bis dahin warten Ergebnisse dort. Nur wenn der Schlüssel endgültig verloren ist, beenden Sie die Kopplung; was dort wartet, ist dann mit ihm verloren.',
    fr: 'La clé de la boîte est illisible ({detail}). Déverrouillez le trousseau : d’ici là, les résultats y attendent. Ne mettez fin à l’association que si la clé est perdue pour de bon ; ce qui attend dans la boîte est alors perdu avec elle.',
  },
} as const satisfies Partial<Record<ErrorCode, { en: string; de: string; fr: string }>>
