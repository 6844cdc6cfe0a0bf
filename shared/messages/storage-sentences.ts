import type { ErrorCode } from '../domain/errors.ts'

/** What a person reads about the data folder and its database: part of `sentences.ts`. */
export const storageSentences = {
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
  storage_moved: {
    en: 'The data folder was moved, deleted or replaced while Sheaf was running. Nothing more is sent. Put it back where it was, or quit Sheaf and start it again: it writes down what it knows.',
    de: 'Der Datenordner wurde verschoben, gelöscht oder ersetzt, während Sheaf lief. Es wird nichts mehr gesendet. Legen Sie ihn wieder an seinen Ort, oder beenden Sie Sheaf und starten Sie es neu: Was es weiß, schreibt es dort wieder auf.',
    fr: 'Le dossier de données a été déplacé, supprimé ou remplacé pendant que Sheaf fonctionnait. Plus rien n’est envoyé. Remettez-le à sa place, ou quittez Sheaf et relancez-le : il y réécrit ce qu’il sait.',
  },
  data_folder_shared: {
    en: 'Others can change what is in Sheaf’s data folder, {path}. Take the right to write there from them, for example by «chmod go-w», and start Sheaf again.',
    de: 'Andere können ändern, was im Datenordner von Sheaf liegt, {path}. Nehmen Sie ihnen das Recht, darin zu schreiben, etwa mit «chmod go-w», und starten Sie Sheaf neu.',
    fr: 'D’autres personnes peuvent modifier le contenu du dossier de données de Sheaf, {path}. Retirez-leur le droit d’y écrire, par exemple avec «chmod go-w», et relancez Sheaf.',
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
  newer_database: {
    en: 'The data folder {path} was used by a newer version of Sheaf. Install that version; nothing was changed. A copy of before its update lies in the folder “backups” there, and docs/reliability.md says how to go back to it.',
    de: 'Der Datenordner {path} wurde von einer neueren Version von Sheaf benutzt. Installieren Sie diese Version; es wurde nichts verändert. Eine Kopie von vor ihrem Update liegt dort im Ordner „backups“; docs/reliability.md sagt, wie es zu ihr zurückgeht.',
    fr: 'Le dossier de données {path} a été utilisé par une version plus récente de Sheaf. Installez cette version ; rien n’a été modifié. Une copie d’avant sa mise à jour s’y trouve dans le dossier « backups » ; docs/reliability.md explique comment y revenir.',
  },
} as const satisfies Partial<Record<ErrorCode, { en: string; de: string; fr: string }>>
