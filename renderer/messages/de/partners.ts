import type { enPartners } from '../en/partners.ts'

/** German for partners: the senders that the office knows. */
export const dePartners: Record<keyof typeof enPartners, string> = {
  'partners.accounts': 'Konten (IBAN)',
  'partners.accountsHint':
    'Eine in jeder Zeile. Auf ein anderes Konto in einem Dokument dieses Partners wird hingewiesen.',
  'partners.add': 'Partner hinzufügen',
  'partners.addOwn': 'Eigene Firma hinzufügen',
  'partners.addTitle': 'Partner hinzufügen',
  'partners.bookAccount': 'Konto in der Buchhaltung',
  'partners.edit': 'Ändern',
  'partners.editTitle': 'Partner ändern',
  'partners.import': 'Importieren …',
  'partners.imported':
    '{added, plural, one {1 Partner hinzugefügt} other {{shownAdded} Partner hinzugefügt}}, {changed, plural, one {1 geändert} other {{shownChanged} geändert}}.',
  'partners.importedSkipped':
    '{added, plural, one {1 Partner hinzugefügt} other {{shownAdded} Partner hinzugefügt}}, {changed, plural, one {1 geändert} other {{shownChanged} geändert}}. {skipped, plural, one {1 Zeile ohne Namen oder IBAN, die es nicht gibt, wurde ausgelassen} other {{shownSkipped} Zeilen ohne Namen oder IBANs, die es nicht gibt, wurden ausgelassen}}.',
  'partners.more':
    '{count, plural, one {1 weiterer. Die Suche findet ihn.} other {{shown} weitere. Die Suche findet sie.}}',
  'partners.name': 'Name',
  'partners.nameHint': 'Dokumente dieses Partners bekommen den Namen so, wie Sie ihn hier schreiben.',
  'partners.none': 'Noch kein Partner',
  'partners.noneText':
    'Wer Ihnen Dokumente schickt, kommt von selbst hierher, wenn Sie sie freigeben. Sie können auch eine Liste aus Ihrer Buchhaltung mitbringen: CSV oder XLSX mit Namen, USt-IdNrn. und IBANs.',
  'partners.notFound': 'Kein Partner passt.',
  'partners.number': 'Nummer in der Buchhaltung',
  'partners.own': 'Das ist unsere eigene Firma',
  'partners.ownChip': 'Eigene Firma',
  'partners.ownHint':
    'Sie wird nie als Absender eines Dokuments genommen, und ihre USt-IdNr. und Konten hat kein anderer Partner.',
  'partners.ownMissing':
    'Ihre eigene Firma ist noch nicht unter den Partnern. Ist sie es, wird sie nie als Absender genommen, und als Kunde muss sie nicht mehr geprüft werden.',
  'partners.remove': '{name} entfernen',
  'partners.removeConfirm': 'Entfernen',
  'partners.removeText': 'Werte von freigegebenen Dokumenten bleiben.',
  'partners.removeTitle': '„{name}“ entfernen?',
  'partners.search': 'Nach Name oder Nummer suchen',
  'partners.takenFrom': 'Nicht mehr bei {names}: USt-IdNr. und Konten Ihrer eigenen Firma.',
  'partners.text': 'Dokumente werden nach USt-IdNr. und IBAN zugeordnet, dann nach dem Namen.',
  'partners.title': 'Partner',
  'partners.vatId': 'USt-IdNr.',
}
