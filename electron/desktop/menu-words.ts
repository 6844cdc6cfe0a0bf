import type { Locale } from '../../shared/messages/sentences.ts'

type Words = Record<
  | 'about'
  | 'settings'
  | 'services'
  | 'hide'
  | 'hideOthers'
  | 'showAll'
  | 'quit'
  | 'file'
  | 'close'
  | 'edit'
  | 'undo'
  | 'redo'
  | 'cut'
  | 'copy'
  | 'paste'
  | 'selectAll'
  | 'view'
  | 'actualSize'
  | 'larger'
  | 'smaller'
  | 'fullScreen'
  | 'window'
  | 'minimize'
  | 'zoom'
  | 'front'
  | 'help',
  string
>

const en: Words = {
  about: 'About Sheaf',
  settings: 'Settings…',
  services: 'Services',
  hide: 'Hide Sheaf',
  hideOthers: 'Hide Others',
  showAll: 'Show All',
  quit: 'Quit Sheaf',
  file: 'File',
  close: 'Close Window',
  edit: 'Edit',
  undo: 'Undo',
  redo: 'Redo',
  cut: 'Cut',
  copy: 'Copy',
  paste: 'Paste',
  selectAll: 'Select All',
  view: 'View',
  actualSize: 'Actual Size',
  larger: 'Zoom In',
  smaller: 'Zoom Out',
  fullScreen: 'Full Screen',
  window: 'Window',
  minimize: 'Minimize',
  zoom: 'Zoom',
  front: 'Bring All to Front',
  help: 'Help',
}

const de: Words = {
  about: 'Über Sheaf',
  settings: 'Einstellungen …',
  services: 'Dienste',
  hide: 'Sheaf ausblenden',
  hideOthers: 'Andere ausblenden',
  showAll: 'Alle einblenden',
  quit: 'Sheaf beenden',
  file: 'Ablage',
  close: 'Fenster schließen',
  edit: 'Bearbeiten',
  undo: 'Widerrufen',
  redo: 'Wiederholen',
  cut: 'Ausschneiden',
  copy: 'Kopieren',
  paste: 'Einsetzen',
  selectAll: 'Alles auswählen',
  view: 'Darstellung',
  actualSize: 'Originalgröße',
  larger: 'Vergrößern',
  smaller: 'Verkleinern',
  fullScreen: 'Vollbild',
  window: 'Fenster',
  minimize: 'Im Dock ablegen',
  zoom: 'Zoomen',
  front: 'Alle nach vorne bringen',
  help: 'Hilfe',
}

const fr: Words = {
  about: 'À propos de Sheaf',
  settings: 'Réglages…',
  services: 'Services',
  hide: 'Masquer Sheaf',
  hideOthers: 'Masquer les autres',
  showAll: 'Tout afficher',
  quit: 'Quitter Sheaf',
  file: 'Fichier',
  close: 'Fermer la fenêtre',
  edit: 'Édition',
  undo: 'Annuler',
  redo: 'Rétablir',
  cut: 'Couper',
  copy: 'Copier',
  paste: 'Coller',
  selectAll: 'Tout sélectionner',
  view: 'Présentation',
  actualSize: 'Taille réelle',
  larger: 'Agrandir',
  smaller: 'Réduire',
  fullScreen: 'Plein écran',
  window: 'Fenêtre',
  minimize: 'Placer dans le Dock',
  zoom: 'Réduire/agrandir',
  front: 'Tout ramener au premier plan',
  help: 'Aide',
}

/** Each system has its own words for the same things: what macOS calls «Ablage» is «Datei» on Windows. */
export const menuWords: Record<'macos' | 'other', Record<Locale, Words>> = {
  macos: { en, de, fr },
  other: {
    en: { ...en, quit: 'Exit' },
    de: { ...de, file: 'Datei', undo: 'Rückgängig', paste: 'Einfügen', view: 'Ansicht', quit: 'Beenden' },
    fr: { ...fr, settings: 'Paramètres…', view: 'Affichage', quit: 'Quitter' },
  },
}
