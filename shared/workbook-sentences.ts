import type { ErrorCode } from './errors.ts'

/** What a person reads about the workbook of a folder: part of `sentences.ts`. */
export const workbookSentences = {
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
