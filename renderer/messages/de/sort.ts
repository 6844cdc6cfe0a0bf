import type { enSort } from '../en/sort.ts'

/** German for sorting: which documents a file holds, their schemas, and folders of several kinds. */
export const deSort: Record<keyof typeof enSort, string> = {
  'change.action': 'Schema ändern …',
  'change.confirm': 'Schema ändern',
  'change.hint':
    'Was jetzt da ist, kommt mit Werten, Korrekturen und Freigabe in den Papierkorb. Wurde schon einmal mit diesem Schema gelesen, gilt die frühere Antwort, und nichts wird gesendet.',
  'change.menuHint': 'Statt des jetzigen: Werte kommen in den Papierkorb',
  'change.refused':
    '{count, plural, one {„{name}“ lässt sich mit diesem Schema nicht lesen. {why}} other {{shown} Dokumente lassen sich mit diesem Schema nicht lesen, darunter „{name}“. {why}}}',
  'change.title': '{count, plural, one {Schema von 1 Dokument ändern} other {Schema von {shown} Dokumenten ändern}}',
  'change.underWay':
    '{count, plural, one {1 Dokument ist gerade beim Dienst und behält sein Schema. Ändern Sie es, sobald die Antwort da ist.} other {{shown} Dokumente sind gerade beim Dienst und behalten ihr Schema. Ändern Sie es, sobald die Antworten da sind.}}',
  'changed.kept':
    '{count, plural, one {1 Dokument bleibt, wie es ist.} other {{shown} Dokumente bleiben, wie sie sind.}}',
  'changed.known':
    '{count, plural, one {1 Dokument wurde schon einmal so gelesen und hat seine Werte.} other {{shown} Dokumente wurden schon einmal so gelesen und haben ihre Werte.}}',
  'changed.queued': '{count, plural, one {1 Dokument wird gelesen.} other {{shown} Dokumente werden gelesen.}}',
  'cuts.ask': 'Mich fragen',
  'cuts.askDetail': 'Sheaf schlägt vor, wo jedes Dokument beginnt, und wartet, bis Sie es angesehen haben.',
  'cuts.asked': 'Fragt, wo eine Datei mehrere enthält',
  'cuts.cut': 'Teilt Dateien mit mehreren',
  'cuts.never': 'Ganz lassen',
  'cuts.neverDetail': 'Jede Datei ist ein Dokument.',
  'cuts.sure': 'Teilen, wo Sheaf sicher ist',
  'cuts.sureDetail': 'Für eingescannte Stapel. Wo Sheaf nicht sicher ist, fragt es Sie zuerst.',
  'keys.cut': 'Mit dieser Seite beginnt ein Dokument, oder nicht mehr',
  'keys.moveCut': 'Dieser Teil beginnt eine Seite früher, später',
  'keys.pages': 'Von Seite zu Seite',
  'keys.schema': 'Das Schema dieses Teils wählen',
  'keys.sorted': 'Bestätigen und weiter zur nächsten Datei',
  'kinds.also': 'auch {schemas}',
  'kinds.closedHint': 'Mehrere Schemas, oder Dateien mit mehreren',
  'kinds.cuts': 'Dateien, die mehrere Dokumente enthalten',
  'kinds.others': 'Weitere Schemas',
  'kinds.othersHint':
    'Sheaf erkennt auf diesem Computer, welches Schema zu jedem Dokument passt, und fragt Sie, wo es nicht sicher ist. Vorher wird nichts gesendet.',
  'kinds.title': 'Mehrere Arten von Dokumenten',
  'part.name': '{name}, {pages}',
  'part.page': 'Seite {page}',
  'part.pages': 'Seiten {first}–{last}',
  'sort.action': 'Sortieren …',
  'sort.again': 'Noch einmal öffnen',
  'sort.asksCut': '{count, plural, one {Mehrere Dokumente?} other {{shown} Dokumente vorgeschlagen}}',
  'sort.asksKind': 'Welches Schema?',
  'sort.chooseSchema': 'Wählen Sie das Schema, das passt.',
  'sort.confirm': 'Bestätigen',
  'sort.cutHere': 'Hier teilen',
  'sort.digits': 'Tasten, die ein Schema wählen',
  'sort.joinHere': 'Mit dem Teil davor verbinden',
  'sort.line':
    '{count, plural, one {1 Dokument wartet darauf, sortiert zu werden: Sagen Sie, welches Schema passt oder welche Dokumente seine Datei enthält.} other {{shown} Dokumente warten darauf, sortiert zu werden: Sagen Sie, welches Schema passt oder welche Dokumente ihre Dateien enthalten.}}',
  'sort.menuHint': 'Welche Dokumente die Datei enthält, und mit welchem Schema jedes gelesen wird',
  'sort.more': 'und {shown} weitere',
  'sort.noDocument': 'Kein Dokument',
  'sort.none': 'Nichts zu sortieren',
  'sort.noneRead':
    '{count, plural, one {Es ist kein Dokument: nichts wird gelesen.} other {Es sind keine Dokumente: nichts wird gelesen.}}',
  'sort.noneText': 'Wo Sheaf sicher ist, sortiert es selbst. Dateien, zu denen es Sie fragt, erscheinen hier.',
  'sort.notAgain': 'Was schon einmal so gelesen wurde, wird nicht noch einmal gelesen.',
  'sort.pageBegins': 'Mit Seite {page} beginnt ein Dokument',
  'sort.pageCount': '{count, plural, one {1 Seite} other {{shown} Seiten}}',
  'sort.pages': 'Seiten von „{name}“',
  'sort.part': 'Teil',
  'sort.reading': 'Die Datei wird gelesen',
  'sort.readingHint': 'Ein Scan braucht beim ersten Mal etwas Zeit.',
  'sort.reads':
    '{count, plural, =0 {Nichts ändert sich.} one {1 Dokument wird gelesen.} other {{shown} Dokumente werden gelesen.}}',
  'sort.removes':
    '{count, plural, one {1 früher gelesenes Dokument kommt mit seinen Werten in den Papierkorb.} other {{shown} früher gelesene Dokumente kommen mit ihren Werten in den Papierkorb.}}',
  'sort.sends':
    '{count, plural, =0 {Nichts ändert sich.} one {1 Dokument geht an den Dienst.} other {{shown} Dokumente gehen an den Dienst.}}',
  'sort.title': 'Sortieren',
  'sort.toDocuments': 'Zu den Dokumenten',
  'sort.unreadable': 'Diese Datei lässt sich gerade nicht sortieren',
  'sort.unsure': 'Nicht sicher',
  'sort.waiting': 'Dateien, die auf das Sortieren warten',
  'sort.withoutSchema':
    '{count, plural, one {1 Teil hat noch kein Schema.} other {{shown} Teile haben noch kein Schema.}}',
}
