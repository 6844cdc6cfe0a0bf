import data from './lexicon.json' with { type: 'json' }

/**
 * What office words mean, as data: a language-neutral word on the left, its forms in English, German, French, Spanish,
 * Italian and Dutch on the right. Labels and field names are reduced to these words, so that «Rechnungsdatum», «Date de
 * facture» and `invoice_date` are one and the same pair of words.
 */
export const lexicon: Readonly<Record<string, string>> = data.words

/** Words that say little by themselves; they weigh less when labels are compared. */
export const genericWords: ReadonlySet<string> = new Set(data.generic.split(' '))

/** German words that close a compound whose first part need not be known («Zählernummer», «Mietbetrag»). */
export const compoundTails: readonly string[] = data.compoundTails.split(' ')

/** Words of two or three letters that German and Dutch compounds are made of («Bautagebuch», «Lieferort»). */
export const shortParts: ReadonlySet<string> = new Set(data.shortParts.split(' '))

/** Words that stand for a kind of document whatever comes before them («Handelsrechnung», «Sammellieferschein»). */
export const documentTails: Readonly<Record<string, string>> = data.documentTails

/** Currencies by code or sign, which stand beside what names an amount and are no name themselves. */
export const currencyWords: ReadonlySet<string> = new Set(data.currencies.split(' '))

/** What a currency stands beside, as language-neutral words. */
export const amountWords: ReadonlySet<string> = new Set(data.amounts.split(' '))

/** Words without meaning of their own in a label. */
export const stopWords: ReadonlySet<string> = new Set(data.stopWords.split(' '))

const wordsOf = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** What words of a name ask for: those of people, of companies and offices, of days, and what happens on a day. */
export const askingWords = {
  person: wordsOf(data.answers.person),
  company: wordsOf(data.answers.company),
  day: wordsOf(data.answers.day),
  event: wordsOf(data.answers.event),
}
