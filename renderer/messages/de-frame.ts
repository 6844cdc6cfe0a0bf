import type { enFrame } from './en-frame.ts'

/** German, for what stands around every screen: the palette of commands, and the filters of documents. */
export const deFrame: Record<keyof typeof enFrame, string> = {
  'action.reveal': '{system, select, windows {Im Explorer anzeigen} macos {Im Finder zeigen} other {Im Ordner zeigen}}',
  'add.folderOnce': 'Genommen wird, was jetzt im Ordner liegt. Damit auch neue Dateien gelesen werden, fügen Sie ihn unter „Ordner“ hinzu.',
  'add.noDocuments': 'Darin ist kein PDF, PNG, JPG, DOCX oder XLSX.',
  'add.passedOver': '{count, plural, one {1 andere Datei bleibt} other {{shown} andere Dateien bleiben}} außen vor.',
  'notify.body': '{count, plural, one {1 Dokument ist gelesen.} other {{shown} Dokumente sind gelesen.}}{attention, plural, =0 {} one { 1 ist anzusehen.} other { {attentionShown} sind anzusehen.}}',
  'notify.title': 'Sheaf ist fertig',
  'settings.notify': 'Sagen, wenn ein Stapel fertig ist',
  'settings.notifyDenied': 'Ihr Browser erlaubt es nicht. Erlauben Sie Mitteilungen für diese Seite und wählen Sie es dann noch einmal.',
  'settings.notifyHint': 'Als Mitteilung des Systems, wenn dieses Fenster nicht zu sehen ist.',
  'palette.elsewhere': 'Überall',
  'palette.goTo': 'Gehe zu',
  'palette.here': 'Auf dieser Seite',
  'palette.none': 'Nichts mit diesem Namen',
  'palette.open': 'Befehle',
  'palette.search': 'Befehl, Dokument, Ordner oder Schema',
  'palette.theme': 'Darstellung: {theme}',
  'palette.title': 'Befehl, Dokument, Ordner oder Schema finden',
  'received.any': 'Alle Tage',
  'received.month': 'Letzte 30 Tage',
  'received.today': 'Heute',
  'received.week': 'Letzte 7 Tage',
  'received.yesterday': 'Gestern',
}
