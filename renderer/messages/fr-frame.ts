import type { enFrame } from './en-frame.ts'

/** French, for what stands around every screen: the palette of commands, and the filters of documents. */
export const frFrame: Record<keyof typeof enFrame, string> = {
  'action.reveal': '{system, select, windows {Afficher dans l’Explorateur} macos {Afficher dans le Finder} other {Afficher dans le dossier}}',
  'add.folderOnce': 'Ce qui se trouve maintenant dans le dossier est pris. Pour lire aussi les nouveaux fichiers, ajoutez-le sous « Dossiers ».',
  'add.noDocuments': 'Il ne contient aucun PDF, PNG, JPG, DOCX ou XLSX.',
  'add.passedOver': '{count, plural, one {1 autre fichier est laissé} other {{shown} autres fichiers sont laissés}} de côté.',
  'notify.body': '{count, plural, one {1 document est lu.} other {{shown} documents sont lus.}}{attention, plural, =0 {} one { 1 est à regarder.} other { {attentionShown} sont à regarder.}}',
  'notify.title': 'Sheaf a terminé',
  'settings.notify': 'M’avertir quand un lot est terminé',
  'settings.notifyDenied': 'Votre navigateur ne le permet pas. Autorisez les notifications pour cette page, puis choisissez à nouveau.',
  'settings.notifyHint': 'Par une notification du système, quand cette fenêtre n’est pas visible.',
  'palette.elsewhere': 'Partout',
  'palette.goTo': 'Aller à',
  'palette.here': 'Sur cet écran',
  'palette.none': 'Rien de ce nom',
  'palette.open': 'Commandes',
  'palette.search': 'Commande, document, dossier ou schéma',
  'palette.theme': 'Apparence : {theme}',
  'palette.title': 'Trouver une commande, un document, un dossier ou un schéma',
  'received.any': 'Tous les jours',
  'received.month': '30 derniers jours',
  'received.today': 'Aujourd’hui',
  'received.week': '7 derniers jours',
  'received.yesterday': 'Hier',
}
