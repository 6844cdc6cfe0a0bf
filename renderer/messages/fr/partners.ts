import type { enPartners } from '../en/partners.ts'

/** French for partners: the senders that the office knows. */
export const frPartners: Record<keyof typeof enPartners, string> = {
  'partners.accounts': 'Comptes (IBAN)',
  'partners.accountsHint': 'Un par ligne. Un autre compte sur un document de ce partenaire est signalé.',
  'partners.add': 'Ajouter un partenaire',
  'partners.addOwn': 'Ajouter votre société',
  'partners.addTitle': 'Ajouter un partenaire',
  'partners.bookAccount': 'Compte comptable',
  'partners.edit': 'Modifier',
  'partners.editTitle': 'Modifier le partenaire',
  'partners.import': 'Importer…',
  'partners.imported':
    '{added, plural, one {{shownAdded} partenaire ajouté} other {{shownAdded} partenaires ajoutés}}, {changed, plural, one {{shownChanged} modifié} other {{shownChanged} modifiés}}.',
  'partners.importedSkipped':
    '{added, plural, one {{shownAdded} partenaire ajouté} other {{shownAdded} partenaires ajoutés}}, {changed, plural, one {{shownChanged} modifié} other {{shownChanged} modifiés}}. {skipped, plural, one {{shownSkipped} ligne sans nom ou IBAN inexistant a été laissé de côté} other {{shownSkipped} lignes sans nom ou IBAN inexistants ont été laissés de côté}}.',
  'partners.more':
    '{count, plural, one {{shown} autre. La recherche le trouve.} other {{shown} autres. La recherche les trouve.}}',
  'partners.name': 'Nom',
  'partners.nameHint': 'Les documents de ce partenaire reçoivent le nom tel que vous l’écrivez ici.',
  'partners.none': 'Aucun partenaire',
  'partners.noneText':
    'Qui vous envoie des documents arrive ici de lui-même quand vous les approuvez. Vous pouvez aussi apporter une liste de votre comptabilité : CSV ou XLSX avec noms, numéros de TVA et IBAN.',
  'partners.notFound': 'Aucun partenaire ne correspond.',
  'partners.number': 'Numéro en comptabilité',
  'partners.own': 'C’est notre propre société',
  'partners.ownChip': 'Propre société',
  'partners.ownHint':
    'Elle n’est jamais prise pour l’expéditeur d’un document, et aucun autre partenaire n’a son numéro de TVA ni ses comptes.',
  'partners.ownMissing':
    'Votre propre société n’est pas encore parmi les partenaires. Une fois ajoutée, elle n’est jamais prise pour l’expéditeur et n’a plus à être vérifiée comme client.',
  'partners.remove': 'Supprimer {name}',
  'partners.removeConfirm': 'Supprimer',
  'partners.removeText': 'Les valeurs des documents approuvés restent.',
  'partners.removeTitle': 'Supprimer « {name} » ?',
  'partners.search': 'Chercher par nom ou numéro',
  'partners.takenFrom': 'Retirés de {names} : numéro de TVA et comptes de votre propre société.',
  'partners.text': 'Les documents sont associés par numéro de TVA et IBAN, puis par nom.',
  'partners.title': 'Partenaires',
  'partners.vatId': 'Numéro de TVA',
}
