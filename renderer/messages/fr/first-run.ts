import type { enFirstRun } from '../en/first-run.ts'

/** French for the first start. */
export const frFirstRun: Record<keyof typeof enFirstRun, string> = {
  'first.folder': 'Un de mes dossiers',
  'first.folderText': 'Sheaf le surveille et lit chaque document présent ou à venir. Les fichiers restent où ils sont.',
  'first.leaves': 'Les documents sont envoyés à la plateforme indiquée, et nulle part ailleurs.',
  'first.local': 'Sur cet ordinateur',
  'first.localText': 'Les documents ne le quittent jamais. Aucun compte nécessaire.',
  'first.own': 'Mon propre schéma',
  'first.ownText': 'Nommez les champs qu’il vous faut. Il pourra être modifié.',
  'first.platform': 'Avec un compte de plateforme',
  'first.platformText': 'Les documents sont envoyés à l’adresse que vous indiquez.',
  'first.samples': 'Essayer avec des exemples',
  'first.samplesText': 'Factures, tickets, bons de livraison et autres, copiés dans un dossier à part.',
  'first.schema': 'Que faut-il y lire ?',
  'first.source': 'Quels documents ?',
  'first.start': 'Commencer',
  'first.starting': 'Démarrage…',
  'first.stays': 'Rien ne quitte cet ordinateur.',
  'first.text':
    'Sheaf transforme des documents en tableaux. Trois choix, puis c’est parti. Tous pourront être modifiés.',
  'first.title': 'Bienvenue dans Sheaf',
  'first.where': 'Où les documents sont-ils lus ?',
}
