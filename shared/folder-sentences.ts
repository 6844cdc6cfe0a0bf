import type { ErrorCode } from './errors.ts'

/** Why a document of a folder is not sent although nothing is wrong with it: part of `sentences.ts`. */
export const folderSentences = {
  folder_paused: {
    en: 'Its folder is paused. The document is sent once you resume the folder (Folders).',
    de: 'Ihr Ordner ist angehalten. Das Dokument wird gesendet, sobald Sie den Ordner fortsetzen (Ordner).',
    fr: 'Son dossier est en pause. Le document est envoyé dès que vous reprenez le dossier (Dossiers).',
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
} as const satisfies Partial<Record<ErrorCode, { en: string; de: string; fr: string }>>
