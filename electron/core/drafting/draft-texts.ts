import type { Locale } from '../../../shared/messages/sentences.ts'
import type { ValueKind } from './value-kind.ts'

type Texts = Record<ValueKind, (label: string) => string> & {
  column: (heading: string) => string
  list: (headings: string) => string
  tick: (label: string) => string
  listName: string
  schemaName: string
}

/** Names and descriptions of drafted fields: a description tells a service where the value stands. */
export const draftTexts: Record<Locale, Texts> = {
  en: {
    text: (label) => `Value given for “${label}”, as printed`,
    number: (label) => `Number or amount given for “${label}”`,
    date: (label) => `Date given for “${label}”`,
    boolean: (label) => `Whether “${label}” is answered with yes`,
    column: (heading) => `Value in the column “${heading}”`,
    list: (headings) => `The rows of the table with the columns ${headings}, in the order in which they are printed`,
    tick: (label) => `Whether the box “${label}” is ticked`,
    listName: 'Rows',
    schemaName: 'New schema',
  },
  de: {
    text: (label) => `Angabe zu „${label}“, wie gedruckt`,
    number: (label) => `Zahl oder Betrag zu „${label}“`,
    date: (label) => `Datum zu „${label}“`,
    boolean: (label) => `Ob „${label}“ mit Ja beantwortet ist`,
    column: (heading) => `Wert in der Spalte „${heading}“`,
    list: (headings) => `Die Zeilen der Tabelle mit den Spalten ${headings}, in gedruckter Reihenfolge`,
    tick: (label) => `Ob das Feld „${label}“ angekreuzt ist`,
    listName: 'Zeilen',
    schemaName: 'Neues Schema',
  },
  fr: {
    text: (label) => `Valeur indiquée pour « ${label} », telle qu’imprimée`,
    number: (label) => `Nombre ou montant indiqué pour « ${label} »`,
    date: (label) => `Date indiquée pour « ${label} »`,
    boolean: (label) => `Si la réponse à « ${label} » est oui`,
    column: (heading) => `Valeur de la colonne « ${heading} »`,
    list: (headings) => `Les lignes du tableau aux colonnes ${headings}, dans l’ordre imprimé`,
    tick: (label) => `Si la case « ${label} » est cochée`,
    listName: 'Lignes du tableau',
    schemaName: 'Nouveau schéma',
  },
}
