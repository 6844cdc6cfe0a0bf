import type { ErrorCode } from '../domain/errors.ts'

/** What a person reads about folders, files that are moved in them, and their workbooks: part of `sentences.ts`. */
export const folderSentences = {
  folder_paused: {
    en: 'Its folder is paused. The document is sent once you resume the folder (Folders).',
    de: 'Ihr Ordner ist angehalten. Das Dokument wird gesendet, sobald Sie den Ordner fortsetzen (Ordner).',
    fr: 'Son dossier est en pause. Le document est envoyé dès que vous reprenez le dossier (Dossiers).',
  },
  folder_system: {
    en: 'The folder {path} belongs to the operating system and holds no documents. Choose another one.',
    de: 'Der Ordner {path} gehört zum Betriebssystem und enthält keine Dokumente. Wählen Sie einen anderen.',
    fr: 'Le dossier {path} appartient au système d’exploitation et ne contient pas de documents. Choisissez-en un autre.',
  },
  left_out: {
    en: 'The file patterns of its folder leave this name out, so it was not sent. Change the patterns (Folders), and Sheaf reads it, or retry.',
    de: 'Die Dateimuster des Ordners lassen diesen Namen aus, darum wurde die Datei nicht gesendet. Ändern Sie die Muster (Ordner), dann liest Sheaf sie, oder versuchen Sie es erneut.',
    fr: 'Les modèles de noms du dossier excluent ce nom : le fichier n’a pas été envoyé. Modifiez-les (Dossiers) et Sheaf le lira, ou réessayez.',
  },
  binned: {
    en: 'It was moved to the bin before it was sent. Restore it, or retry, and it waits for its turn again.',
    de: 'Es kam in den Papierkorb, bevor es gesendet wurde. Stellen Sie es wieder her oder versuchen Sie es erneut, dann wartet es wieder, bis es an der Reihe ist.',
    fr: 'Il a été mis à la corbeille avant d’être envoyé. Restaurez-le ou réessayez : il attendra de nouveau son tour.',
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
  workbook_open: {
    en: '“{file}” is open in Excel or another program. What was approved waits and is written once it is closed.',
    de: '„{file}“ ist in Excel oder einem anderen Programm geöffnet. Was freigegeben wurde, wartet und wird geschrieben, sobald die Datei geschlossen ist.',
    fr: '« {file} » est ouvert dans Excel ou un autre programme. Ce qui a été approuvé attend et sera écrit dès sa fermeture.',
  },
  workbook_disk_full: {
    en: 'The disk is full, so “{file}” cannot be written. What was approved waits and is written once there is room.',
    de: 'Der Datenträger ist voll, „{file}“ lässt sich nicht schreiben. Was freigegeben wurde, wartet und wird geschrieben, sobald Platz ist.',
    fr: 'Le disque est plein : « {file} » ne peut pas être écrit. Ce qui a été approuvé attend et sera écrit dès qu’il y aura de la place.',
  },
  workbook_unreachable: {
    en: '“{file}” cannot be written in {folder} ({detail}). What was approved waits; Sheaf tries again.',
    de: '„{file}“ lässt sich in {folder} nicht schreiben ({detail}). Was freigegeben wurde, wartet; Sheaf versucht es wieder.',
    fr: '« {file} » ne peut pas être écrit dans {folder} ({detail}). Ce qui a été approuvé attend ; Sheaf réessaie.',
  },
} as const satisfies Partial<Record<ErrorCode, { en: string; de: string; fr: string }>>

/** What to do, at the end of the text beside a file that was moved to `Failed`. */
export const failedNote = {
  en: 'To try again, open the document in Sheaf and choose “Retry”, or put the file back into the folder. Sheaf removes this text when the file is done.',
  de: 'Um es noch einmal zu versuchen, öffnen Sie das Dokument in Sheaf und wählen „Erneut versuchen“, oder legen Sie die Datei zurück in den Ordner. Sheaf entfernt diesen Text, sobald die Datei fertig ist.',
  fr: 'Pour réessayer, ouvrez le document dans Sheaf et choisissez « Réessayer », ou remettez le fichier dans le dossier. Sheaf supprime ce texte dès que le fichier est traité.',
} as const
