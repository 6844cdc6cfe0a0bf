import type { enUsage } from '../en/usage.ts'

/** French for usage, its daily cap, and what left this computer. */
export const frUsage: Record<keyof typeof enUsage, string> = {
  'cap.bad': 'Saisissez un nombre entier de 1 à {most}, ou laissez vide.',
  'cap.documentCap': 'Documents par jour au plus',
  'cap.documents': 'Documents envoyés aux plateformes aujourd’hui',
  'cap.held':
    '{count, plural, one {1 document attend} other {{shown} documents attendent}} demain à cause du plafond. Relevez-le pour continuer maintenant ; sinon l’envoi reprend à partir du {until}.',
  'cap.held.no_tokens':
    '{count, plural, one {1 document attend} other {{shown} documents attendent}} : « {name} » ne dit pas combien de jetons prend un document ; un plafond de jetons ne peut pas être tenu. Plafonnez plutôt les documents.',
  'cap.held.too_large':
    '{count, plural, one {1 document attend} other {{shown} documents attendent}} : un document de « {name} » a pris jusqu’à {tokens} jetons, et le plafond est de {limit}. Relevez-le pour continuer.',
  'cap.held.under_way':
    '{count, plural, one {1 document attend} other {{shown} documents attendent}} que le service dise ce que prennent les documents en cours : on saura alors combien d’autres tiennent sous le plafond.',
  'cap.none': 'aucun',
  'cap.set': 'Fixer',
  'cap.text':
    'Ce qui part chez les plateformes qui facturent : les documents qui dépasseraient le plafond attendent le lendemain. Cet ordinateur est gratuit et ne compte pas.',
  'cap.title': 'Envoyé aux plateformes aujourd’hui, et le plafond quotidien',
  'cap.tokenCap': 'Jetons par jour au plus',
  'cap.tokens': 'Jetons des plateformes aujourd’hui',
  'cap.used': '{used} sur {limit}',
  'cap.usedNoCap': '{used}, sans plafond',
  'sent.atMost': 'au plus {size}',
  'sent.byHost': 'Par hôte',
  'sent.each': 'Chaque envoi',
  'sent.hint': 'Quand, quel document, quelle quantité et vers quel hôte.',
  'sent.more': 'Afficher les précédents',
  'sent.none': 'Rien n’a quitté cet ordinateur ces jours-ci',
  'sent.noneText':
    'Ce qui part vers un compte ou un serveur de modèles ailleurs figure ici, avec l’heure, la taille et l’hôte.',
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
  'usage.asTable': 'En tableau',
  'usage.byDay': 'Par jour',
  'usage.byFolder': 'Par dossier',
  'usage.bySchema': 'Par schéma',
  'usage.chartLabel': '{title} : {total}. Maximum le {day} : {most}.',
  'usage.day': 'Jour',
  'usage.days': '{count} jours',
  'usage.documentsByDay': 'Documents par jour',
  'usage.documentsTotal': '{shown} en tout',
  'usage.noFolder': 'Sans dossier',
  'usage.noSchema': 'Sans schéma',
  'usage.none': 'Rien consommé pendant ces jours',
  'usage.noneText':
    'Dès que des documents sont lus ou des questions posées, leur consommation apparaît ici par jour, dossier et schéma.',
  'usage.nothingHere': 'Rien pendant ces jours.',
  'usage.questions': 'Questions',
  'usage.review': 'Vérification',
  'usage.reviewEach':
    '{time} et {keys} touches pour chacun des {count, plural, one {1 document} other {{shown} documents}} vérifiés un par un',
  'usage.span': 'Période',
  'usage.title': 'Consommation',
  'usage.tokens': 'Jetons',
  'usage.tokensByDay': 'Jetons par jour',
  'usage.tokensCount': '{count, plural, one {1 jeton} other {{shown} jetons}}',
  'usage.tokensTotal': '{shown} en tout',
}
