import type { enFrame } from './en-frame.ts'

/** German, for what stands around every screen: the palette of commands. */
export const deFrame: Record<keyof typeof enFrame, string> = {
  'palette.elsewhere': 'Überall',
  'palette.goTo': 'Gehe zu',
  'palette.here': 'Auf dieser Seite',
  'palette.none': 'Nichts mit diesem Namen',
  'palette.open': 'Befehle',
  'palette.search': 'Befehl, Dokument, Ordner oder Schema',
  'palette.theme': 'Darstellung: {theme}',
  'palette.title': 'Befehl, Dokument, Ordner oder Schema finden',
}
