import type { enDocuments } from './en-documents.ts'

/** French, for what is done with documents in their list: another schema, the bin, and the columns. */
export const frDocuments: Record<keyof typeof enDocuments, string> = {
  'bin.hint': 'Fichiers et résultats sont conservés',
  'bin.isIn': 'Dans la corbeille',
  'bin.key': 'Suppr',
  'bin.move': 'Mettre à la corbeille',
  'bin.moved': '{count, plural, one {1 document mis à la corbeille} other {{shown} documents mis à la corbeille}}',
  'bin.restore': 'Restaurer',
  'bin.restoreSome': 'Restaurer {shown}',
  'bin.restored': '{count, plural, one {1 document restauré} other {{shown} documents restaurés}}',
  'bin.underWay': '{count, plural, one {1 document est auprès du service et reste dans la liste jusqu’à sa réponse} other {{shown} documents sont auprès du service et restent dans la liste jusqu’à leurs réponses}}',
  'tab.bin': 'Corbeille',
  'with.action': 'Extraire avec un autre schéma…',
  'with.button': 'Autre schéma…',
  'with.confirm': 'Extraire',
  'with.hint': 'Les résultats existants restent. La liste aura chaque document une fois de plus, avec ce schéma.',
  'with.known': '{count, plural, one {1 document a déjà été extrait avec ce schéma et n’est pas renvoyé} other {{shown} documents ont déjà été extraits avec ce schéma et ne sont pas renvoyés}}',
  'with.onlyOne': 'Il n’y a encore qu’un schéma. Créez-en un autre sous «Schémas».',
  'with.open': 'Afficher',
  'with.queued': '{count, plural, one {1 document est extrait avec «{schema}»} other {{shown} documents sont extraits avec «{schema}»}}',
  'with.refused': '{count, plural, one {«{name}» ne peut pas être extrait. {why}} other {{shown} documents ne peuvent pas être extraits, dont «{name}». {why}}}',
  'with.title': '{count, plural, one {Extraire 1 document avec un autre schéma} other {Extraire {shown} documents avec un autre schéma}}',
}
