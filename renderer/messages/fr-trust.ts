import type { enTrust } from './en-trust.ts'

/** French, for what a person can look up: what left this computer, and the file for whoever helps. */
export const frTrust: Record<keyof typeof enTrust, string> = {
  'diagnostics.content': 'Contenu du fichier',
  'diagnostics.hint': 'Quelque chose ne marche pas ? Un fichier de diagnostic dit à qui vous aide où en sont les choses.',
  'diagnostics.open': 'Fichier de diagnostic…',
  'diagnostics.save': 'Enregistrer',
  'diagnostics.text': 'Voici tout ce que contient le fichier : des nombres, des codes et les hôtes de vos comptes. Aucun nom de document, de dossier ou de champ, aucune valeur, aucun secret. Sheaf ne l’envoie à personne.',
  'diagnostics.title': 'Fichier de diagnostic',
  'sent.atMost': 'au plus {size}',
  'sent.byHost': 'Par hôte',
  'sent.each': 'Chaque envoi',
  'sent.hint': 'Quand, quel document, quelle quantité et vers quel hôte.',
  'sent.more': 'Afficher les précédents',
  'sent.none': 'Rien n’a quitté cet ordinateur ces jours-ci',
  'sent.noneText': 'Ce qui part vers un compte ou un serveur de modèles ailleurs figure ici, avec l’heure, la taille et l’hôte.',
  'sent.note': 'La connexion et la demande de résultats ne figurent pas ici : rien d’un document ne part avec elles.',
  'sent.question': 'Question, discussion ou ébauche de schéma',
  'sent.questions': 'Questions',
  'sent.show': 'Afficher…',
  'sent.size': 'Taille',
  'sent.title': 'Ce qui a quitté cet ordinateur',
  'sent.to': 'Envoyé à',
  'sent.tooMany': 'Seuls les {shown} plus récents sont affichés : choisissez moins de jours.',
  'sent.what': 'Document',
  'sent.when': 'Heure',
}
