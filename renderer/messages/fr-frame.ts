import type { enFrame } from './en-frame.ts'

/** French, for what stands around every screen: the palette of commands, and the filters of documents. */
export const frFrame: Record<keyof typeof enFrame, string> = {
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
