import type { enDocuments } from './en-documents.ts'

/** German, for what is done with documents in their list: another schema, the bin, and the columns. */
export const deDocuments: Record<keyof typeof enDocuments, string> = {
  'bin.hint': 'Dateien und Ergebnisse bleiben',
  'bin.isIn': 'Im Papierkorb',
  'bin.key': 'Entf',
  'bin.move': 'In den Papierkorb',
  'bin.moved': '{count, plural, one {1 Dokument ist im Papierkorb} other {{shown} Dokumente sind im Papierkorb}}',
  'bin.restore': 'Wiederherstellen',
  'bin.restoreSome': '{shown} wiederherstellen',
  'bin.restored': '{count, plural, one {1 Dokument wiederhergestellt} other {{shown} Dokumente wiederhergestellt}}',
  'bin.underWay': '{count, plural, one {1 Dokument ist beim Dienst und bleibt in der Liste, bis die Antwort da ist} other {{shown} Dokumente sind beim Dienst und bleiben in der Liste, bis die Antworten da sind}}',
  'tab.bin': 'Papierkorb',
  'with.action': 'Mit anderem Schema auslesen …',
  'with.button': 'Anderes Schema …',
  'with.confirm': 'Auslesen',
  'with.hint': 'Vorhandene Ergebnisse bleiben. Die Liste hat jedes Dokument dann noch einmal, mit diesem Schema.',
  'with.known': '{count, plural, one {1 Dokument wurde mit diesem Schema schon ausgelesen und wird nicht noch einmal gesendet} other {{shown} Dokumente wurden mit diesem Schema schon ausgelesen und werden nicht noch einmal gesendet}}',
  'with.onlyOne': 'Es gibt erst ein Schema. Legen Sie unter «Schemas» ein weiteres an.',
  'with.open': 'Zeigen',
  'with.queued': '{count, plural, one {1 Dokument wird mit «{schema}» ausgelesen} other {{shown} Dokumente werden mit «{schema}» ausgelesen}}',
  'with.refused': '{count, plural, one {«{name}» lässt sich nicht auslesen. {why}} other {{shown} Dokumente lassen sich nicht auslesen, darunter «{name}». {why}}}',
  'with.title': '{count, plural, one {1 Dokument mit einem anderen Schema auslesen} other {{shown} Dokumente mit einem anderen Schema auslesen}}',
}
