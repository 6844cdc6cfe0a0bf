import type { enSort } from '../en/sort.ts'

/** French for sorting: which documents a file holds, their schemas, and folders of several kinds. */
export const frSort: Record<keyof typeof enSort, string> = {
  'change.action': 'Changer de schéma…',
  'change.confirm': 'Changer de schéma',
  'change.hint':
    'Ce qui existe maintenant va à la corbeille, avec ses valeurs, ses corrections et son approbation. Si ce schéma a déjà servi, la réponse d’alors est reprise et rien n’est envoyé.',
  'change.menuHint': 'À la place de l’actuel : les valeurs vont à la corbeille',
  'change.refused':
    '{count, plural, one {« {name} » ne peut pas être lu avec ce schéma. {why}} other {{shown} documents ne peuvent pas être lus avec ce schéma, dont « {name} ». {why}}}',
  'change.title':
    '{count, plural, one {Changer le schéma de 1 document} other {Changer le schéma de {shown} documents}}',
  'change.underWay':
    '{count, plural, one {1 document est chez le service en ce moment et garde son schéma. Changez-le quand la réponse sera là.} other {{shown} documents sont chez le service en ce moment et gardent leur schéma. Changez-le quand les réponses seront là.}}',
  'changed.kept': '{count, plural, one {1 document reste tel quel.} other {{shown} documents restent tels quels.}}',
  'changed.known':
    '{count, plural, one {1 document a déjà été lu ainsi et a ses valeurs.} other {{shown} documents ont déjà été lus ainsi et ont leurs valeurs.}}',
  'changed.queued':
    '{count, plural, one {1 document est en cours de lecture.} other {{shown} documents sont en cours de lecture.}}',
  'cuts.ask': 'Me demander',
  'cuts.askDetail': 'Sheaf propose où commence chaque document et attend que vous ayez vérifié.',
  'cuts.asked': 'Demande si un fichier en contient plusieurs',
  'cuts.cut': 'Découpe les fichiers qui en contiennent plusieurs',
  'cuts.never': 'Les laisser entiers',
  'cuts.neverDetail': 'Chaque fichier est un document.',
  'cuts.sure': 'Les découper si Sheaf est sûr',
  'cuts.sureDetail': 'Pour les piles numérisées. En cas de doute, Sheaf vous demande d’abord.',
  'keys.cut': 'Un document commence à cette page, ou n’y commence plus',
  'keys.moveCut': 'Cette partie commence une page plus tôt, plus tard',
  'keys.pages': 'De page en page',
  'keys.schema': 'Choisir le schéma de cette partie',
  'keys.sorted': 'Confirmer et passer au fichier suivant',
  'kinds.also': 'aussi {schemas}',
  'kinds.closedHint': 'Plusieurs schémas, ou des fichiers qui en contiennent plusieurs',
  'kinds.cuts': 'Fichiers qui contiennent plusieurs documents',
  'kinds.others': 'Autres schémas',
  'kinds.othersHint':
    'Sheaf reconnaît sur cet ordinateur quel schéma convient à chaque document et vous demande en cas de doute. Rien n’est envoyé avant.',
  'kinds.title': 'Plusieurs sortes de documents',
  'part.name': '{name}, {pages}',
  'part.page': 'page {page}',
  'part.pages': 'pages {first}–{last}',
  'sort.action': 'Trier…',
  'sort.again': 'Rouvrir',
  'sort.asksCut': '{count, plural, one {Plusieurs documents ?} other {{shown} documents proposés}}',
  'sort.asksKind': 'Quel schéma ?',
  'sort.chooseSchema': 'Choisissez le schéma qui convient.',
  'sort.confirm': 'Confirmer',
  'sort.cutHere': 'Découper ici',
  'sort.digits': 'Touches qui choisissent un schéma',
  'sort.joinHere': 'Joindre à la partie précédente',
  'sort.line':
    '{count, plural, one {1 document attend d’être trié : indiquez quel schéma convient ou quels documents son fichier contient.} other {{shown} documents attendent d’être triés : indiquez quel schéma convient ou quels documents leurs fichiers contiennent.}}',
  'sort.menuHint': 'Quels documents le fichier contient, et avec quel schéma chacun est lu',
  'sort.more': 'et {shown} autres',
  'sort.noDocument': 'Pas un document',
  'sort.none': 'Rien à trier',
  'sort.noneRead':
    '{count, plural, one {Ce n’est pas un document : rien n’est lu.} other {Ce ne sont pas des documents : rien n’est lu.}}',
  'sort.noneText':
    'Quand Sheaf est sûr, il trie de lui-même. Les fichiers pour lesquels il vous demande apparaissent ici.',
  'sort.notAgain': 'Ce qui a déjà été lu ainsi n’est pas relu.',
  'sort.pageBegins': 'La page {page} commence un document',
  'sort.pageCount': '{count, plural, one {1 page} other {{shown} pages}}',
  'sort.pages': 'Pages de « {name} »',
  'sort.part': 'Partie',
  'sort.reading': 'Le fichier est en cours de lecture',
  'sort.readingHint': 'Une numérisation prend un peu de temps la première fois.',
  'sort.reads': '{count, plural, =0 {Rien ne change.} one {1 document est lu.} other {{shown} documents sont lus.}}',
  'sort.removes':
    '{count, plural, one {1 document lu auparavant va à la corbeille, avec ses valeurs.} other {{shown} documents lus auparavant vont à la corbeille, avec leurs valeurs.}}',
  'sort.sends':
    '{count, plural, =0 {Rien ne change.} one {1 document va au service.} other {{shown} documents vont au service.}}',
  'sort.title': 'Trier',
  'sort.toDocuments': 'Aux documents',
  'sort.unreadable': 'Ce fichier ne peut pas être trié pour l’instant',
  'sort.unsure': 'Pas certain',
  'sort.waiting': 'Fichiers qui attendent d’être triés',
  'sort.withoutSchema':
    '{count, plural, one {1 partie n’a pas encore de schéma.} other {{shown} parties n’ont pas encore de schéma.}}',
}
