import type { enDocuments } from './en-documents.ts'

/** French, for what is done with documents in their list: another schema, the bin, and the columns. */
export const frDocuments: Record<keyof typeof enDocuments, string> = {
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
