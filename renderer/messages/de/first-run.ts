import type { enFirstRun } from '../en/first-run.ts'

/** German for the first start. */
export const deFirstRun: Record<keyof typeof enFirstRun, string> = {
  'first.folder': 'Ein eigener Ordner',
  'first.folderText':
    'Sheaf überwacht ihn und liest jedes Dokument, das dort liegt oder ankommt. Die Dateien bleiben, wo sie sind.',
  'first.leaves': 'Dokumente gehen an die Plattform, die Sie genannt haben, und nirgendwohin sonst.',
  'first.local': 'Auf diesem Computer',
  'first.localText': 'Dokumente verlassen ihn nie. Kein Konto nötig.',
  'first.own': 'Ein eigenes Schema',
  'first.ownText': 'Die Felder nennen, die Sie brauchen. Es lässt sich später ändern.',
  'first.platform': 'Mit einem Plattform-Konto',
  'first.platformText': 'Dokumente werden an die Adresse gesendet, die Sie nennen.',
  'first.samples': 'Mit Beispielen ausprobieren',
  'first.samplesText': 'Rechnungen, Quittungen, Lieferscheine und mehr, in einen eigenen Ordner kopiert.',
  'first.schema': 'Was soll herausgelesen werden?',
  'first.source': 'Welche Dokumente?',
  'first.start': 'Starten',
  'first.starting': 'Wird gestartet …',
  'first.stays': 'Nichts verlässt diesen Computer.',
  'first.text':
    'Sheaf macht aus Dokumenten Tabellen. Drei Entscheidungen, die sich später ändern lassen, dann geht es los.',
  'first.title': 'Willkommen bei Sheaf',
  'first.where': 'Wo werden Dokumente gelesen?',
}
