import type { enTrust } from './en-trust.ts'

/** German, for what a person can look up: what left this computer, and the file for whoever helps. */
export const deTrust: Record<keyof typeof enTrust, string> = {
  'diagnostics.content': 'Inhalt der Datei',
  'diagnostics.hint': 'Etwas geht nicht? Eine Diagnosedatei sagt dem, der Ihnen hilft, wie es steht.',
  'diagnostics.open': 'Diagnosedatei …',
  'diagnostics.save': 'Speichern',
  'diagnostics.text': 'Das ist alles, was die Datei enthält: Zahlen und Kürzel und die Rechnernamen Ihrer Konten. Keine Namen von Dokumenten, Ordnern oder Feldern, keine Werte, keine Geheimnisse. Sheaf schickt sie niemandem.',
  'diagnostics.title': 'Diagnosedatei',
  'sent.atMost': 'höchstens {size}',
  'sent.byHost': 'Nach Rechner',
  'sent.each': 'Jedes Mal',
  'sent.hint': 'Wann, welches Dokument, wie viel davon und an welchen Rechner.',
  'sent.more': 'Frühere zeigen',
  'sent.none': 'In diesen Tagen hat nichts diesen Computer verlassen',
  'sent.noneText': 'Was an ein Konto oder einen Modellserver anderswo geht, steht hier mit Zeit, Größe und Rechner.',
  'sent.note': 'Anmeldung und Abfragen von Ergebnissen stehen hier nicht: mit ihnen geht nichts aus einem Dokument.',
  'sent.question': 'Frage, Chat oder Schema-Entwurf',
  'sent.questions': 'Fragen',
  'sent.show': 'Zeigen …',
  'sent.size': 'Größe',
  'sent.title': 'Was diesen Computer verließ',
  'sent.to': 'Gesendet an',
  'sent.tooMany': 'Nur die neuesten {shown} werden gezeigt: wählen Sie weniger Tage.',
  'sent.what': 'Dokument',
  'sent.when': 'Zeit',
}
