/** English for partners: the senders that the office knows. */
export const enPartners = {
  'partners.accounts': 'Accounts (IBAN)',
  'partners.accountsHint': 'One in each line. Another account on a document of this partner is flagged.',
  'partners.add': 'Add partner',
  'partners.addOwn': 'Add your own company',
  'partners.addTitle': 'Add partner',
  'partners.bookAccount': 'Account in the books',
  'partners.edit': 'Edit',
  'partners.editTitle': 'Edit partner',
  'partners.import': 'Import…',
  'partners.imported':
    '{added, plural, one {1 partner added} other {{shownAdded} partners added}}, {changed, plural, one {1 changed} other {{shownChanged} changed}}.',
  'partners.importedSkipped':
    '{added, plural, one {1 partner added} other {{shownAdded} partners added}}, {changed, plural, one {1 changed} other {{shownChanged} changed}}. {skipped, plural, one {1 row without a name or IBAN that does not exist was left out} other {{shownSkipped} rows without a name or IBANs that do not exist were left out}}.',
  'partners.more': '{count, plural, one {1 more. A search finds it.} other {{shown} more. A search finds them.}}',
  'partners.name': 'Name',
  'partners.nameHint': 'Documents of this partner get the name as you write it here.',
  'partners.none': 'No partner yet',
  'partners.noneText':
    'Whoever sends you documents comes here by itself when you approve them. You can also bring a list along from your books: CSV or XLSX with names, VAT numbers and IBANs.',
  'partners.notFound': 'No partner matches.',
  'partners.number': 'Number in the books',
  'partners.own': 'This is our own company',
  'partners.ownChip': 'Own company',
  'partners.ownHint':
    'It is never taken as the sender of a document, and its VAT number and accounts are no other partner’s.',
  'partners.ownMissing':
    'Your own company is not among the partners yet. Once it is, it is never taken as a sender, and no longer has to be checked as the buyer.',
  'partners.remove': 'Remove {name}',
  'partners.removeConfirm': 'Remove',
  'partners.removeText': 'Values of documents that are approved stay.',
  'partners.removeTitle': 'Remove “{name}”?',
  'partners.search': 'Search by name or number',
  'partners.takenFrom': 'No longer of {names}: VAT number and accounts of your own company.',
  'partners.text': 'Documents are matched by VAT number and IBAN, then by name.',
  'partners.title': 'Partners',
  'partners.vatId': 'VAT number',
} as const
