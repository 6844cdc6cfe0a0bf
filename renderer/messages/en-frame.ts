/** English, for what stands around every screen: the palette of commands, and the filters of documents. */
export const enFrame = {
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
