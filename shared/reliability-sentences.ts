import type { ErrorCode } from './errors.ts'

/** What a person reads about results that come later, the mailbox and the data folder: part of `sentences.ts`. */
export const reliabilitySentences = {
  no_callback: {
    en: 'The folder asks for answers by callback, and none would find its way here. The file waits until callbacks work (Settings), or until the folder sends at once.',
    de: 'Der Ordner verlangt Antworten per Rückruf, und keiner fände hierher. Die Datei wartet, bis Rückrufe funktionieren (Einstellungen) oder der Ordner sofort sendet.',
    fr: 'Le dossier demande des réponses par rappel, et aucun n’arriverait ici. Le fichier attend que les rappels fonctionnent (Réglages) ou que le dossier envoie directement.',
  },
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
  restored_from_snapshot: {
    en: 'The database was restored from a snapshot. What was sent since may be billed already; look through the documents, then go on.',
    de: 'Die Datenbank wurde aus einer Sicherung wiederhergestellt. Was seither gesendet wurde, kann schon berechnet sein; sehen Sie die Dokumente durch und machen Sie dann weiter.',
    fr: 'La base a été restaurée depuis une sauvegarde. Les envois ultérieurs sont peut-être déjà facturés ; vérifiez les documents, puis continuez.',
  },
  storage_read_only: {
    en: 'Nothing can be written to the data folder. Nothing more is sent until that is possible again.',
    de: 'In den Datenordner kann nicht geschrieben werden. Es wird nichts mehr gesendet, bis das wieder geht.',
    fr: 'Impossible d’écrire dans le dossier de données. Plus rien n’est envoyé avant que ce soit de nouveau possible.',
  },
  storage_busy: {
    en: 'Another program holds the database in the data folder: a backup, a virus scanner or a database browser. Nothing more is sent until it lets go.',
    de: 'Ein anderes Programm hält die Datenbank im Datenordner fest: eine Datensicherung, ein Virenscanner oder ein Datenbankprogramm. Es wird nichts mehr gesendet, bis es sie freigibt.',
    fr: 'Un autre programme bloque la base du dossier de données : une sauvegarde, un antivirus ou un logiciel de base de données. Plus rien n’est envoyé tant qu’il ne la libère pas.',
  },
  storage_damaged: {
    en: 'The database was damaged while it was in use. Nothing more is sent. Quit Sheaf and start it again: then it is repaired.',
    de: 'Die Datenbank wurde während der Arbeit beschädigt. Es wird nichts mehr gesendet. Beenden Sie Sheaf und starten Sie es neu: Dann wird sie repariert.',
    fr: 'La base a été endommagée pendant le travail. Plus rien n’est envoyé. Quittez Sheaf et relancez-le : elle sera alors réparée.',
  },
  result_damaged: {
    en: 'The stored values were damaged on this computer, and so was the answer that they came from. They are paid for already; sending the document again is billed again.',
    de: 'Die gespeicherten Werte wurden auf diesem Computer beschädigt, ebenso die Antwort, aus der sie stammen. Sie sind schon bezahlt; noch einmal senden wird noch einmal berechnet.',
    fr: 'Les valeurs enregistrées ont été endommagées sur cet ordinateur, tout comme la réponse d’où elles viennent. Elles sont déjà payées ; un nouvel envoi sera facturé à nouveau.',
  },
  schema_damaged: {
    en: 'The fields of this schema were damaged on this computer. Open the schema, enter its fields again and save it; then retry.',
    de: 'Die Felder dieses Schemas wurden auf diesem Computer beschädigt. Öffnen Sie das Schema, geben Sie die Felder neu ein und speichern Sie; dann versuchen Sie es erneut.',
    fr: 'Les champs de ce schéma ont été endommagés sur cet ordinateur. Ouvrez le schéma, saisissez à nouveau ses champs et enregistrez ; puis réessayez.',
  },
  service_off: {
    en: 'This computer’s service is off. Documents wait until you switch it on in the settings.',
    de: 'Der Dienst dieses Computers ist ausgeschaltet. Dokumente warten, bis Sie ihn in den Einstellungen einschalten.',
    fr: 'Le service de cet ordinateur est désactivé. Les documents attendent que vous l’activiez dans les réglages.',
  },
  newer_database: {
    en: 'The data folder {path} was used by a newer version of Sheaf. Install that version; nothing was changed.',
    de: 'Der Datenordner {path} wurde von einer neueren Version von Sheaf benutzt. Installieren Sie diese Version; es wurde nichts verändert.',
    fr: 'Le dossier de données {path} a été utilisé par une version plus récente de Sheaf. Installez cette version ; rien n’a été modifié.',
  },
  move_failed: {
    en: '“{file}” could not be moved to “{folder}” ({detail}). Its values are stored; Sheaf tries again.',
    de: '„{file}“ ließ sich nicht nach „{folder}“ verschieben ({detail}). Die Werte sind gespeichert; Sheaf versucht es wieder.',
    fr: '« {file} » n’a pas pu être déplacé vers « {folder} » ({detail}). Ses valeurs sont enregistrées ; Sheaf réessaie.',
  },
  failed_not_moved: {
    en: '“{file}” failed, and could not be moved to “{folder}” ({detail}). The document in Sheaf says why it failed; Sheaf tries again to move it.',
    de: '„{file}“ ist fehlgeschlagen und ließ sich nicht nach „{folder}“ verschieben ({detail}). Warum es fehlschlug, steht beim Dokument in Sheaf; das Verschieben versucht Sheaf wieder.',
    fr: '« {file} » a échoué et n’a pas pu être déplacé vers « {folder} » ({detail}). Le document dans Sheaf dit pourquoi ; Sheaf réessaie de le déplacer.',
  },
  failed_note_stale: {
    en: 'The text about “{file}” in “Failed” could not be brought up to date ({detail}). The document in Sheaf says what is true now; Sheaf tries again.',
    de: 'Der Text über „{file}“ in „Failed“ ließ sich nicht auf den neuesten Stand bringen ({detail}). Was jetzt gilt, steht beim Dokument in Sheaf; Sheaf versucht es wieder.',
    fr: 'Le texte sur « {file} » dans « Failed » n’a pas pu être mis à jour ({detail}). Le document dans Sheaf dit ce qui est vrai maintenant ; Sheaf réessaie.',
  },
} as const satisfies Partial<Record<ErrorCode, { en: string; de: string; fr: string }>>

/** What to do, at the end of the text beside a file that was moved to `Failed`. */
export const failedNote = {
  en: 'To try again, open the document in Sheaf and choose “Retry”, or put the file back into the folder. Sheaf removes this text when the file is done.',
  de: 'Um es noch einmal zu versuchen, öffnen Sie das Dokument in Sheaf und wählen „Erneut versuchen“, oder legen Sie die Datei zurück in den Ordner. Sheaf entfernt diesen Text, sobald die Datei fertig ist.',
  fr: 'Pour réessayer, ouvrez le document dans Sheaf et choisissez « Réessayer », ou remettez le fichier dans le dossier. Sheaf supprime ce texte dès que le fichier est traité.',
} as const
