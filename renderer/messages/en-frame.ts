/** English, for what stands around every screen: the palette of commands, and the filters of documents. */
export const enFrame = {
  'add.folderOnce': 'What lies in the folder now is taken. To have new files read as well, add it under «Folders».',
  'add.noDocuments': 'There is no PDF, PNG, JPG, DOCX or XLSX in it.',
  'add.passedOver': '{count, plural, one {1 other file is} other {{shown} other files are}} left out.',
  'palette.elsewhere': 'Anywhere',
  'palette.goTo': 'Go to',
  'palette.here': 'On this screen',
  'palette.none': 'Nothing by this name',
  'palette.open': 'Commands',
  'palette.search': 'A command, a document, a folder or a schema',
  'palette.theme': 'Appearance: {theme}',
  'palette.title': 'Find a command, a document, a folder or a schema',
  'received.any': 'Any day',
  'received.month': 'Last 30 days',
  'received.today': 'Today',
  'received.week': 'Last 7 days',
  'received.yesterday': 'Yesterday',
} as const
