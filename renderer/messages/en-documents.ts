/** English, for what is done with documents in their list: another schema, the bin, and the columns. */
export const enDocuments = {
  'with.button': 'Other schema…',
  'with.confirm': 'Extract',
  'with.hint': 'The results that are there stay. The list has each document once more, with this schema.',
  'with.known': '{count, plural, one {1 document was extracted with this schema before and is not sent again} other {{shown} documents were extracted with this schema before and are not sent again}}',
  'with.onlyOne': 'There is only one schema yet. Make another one under «Schemas».',
  'with.open': 'Show',
  'with.queued': '{count, plural, one {1 document is extracted with «{schema}»} other {{shown} documents are extracted with «{schema}»}}',
  'with.refused': '{count, plural, one {«{name}» cannot be extracted. {why}} other {{shown} documents cannot be extracted, among them «{name}». {why}}}',
  'with.title': '{count, plural, one {Extract 1 document with another schema} other {Extract {shown} documents with another schema}}',
} as const
