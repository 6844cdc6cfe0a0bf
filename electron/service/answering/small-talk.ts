import type { Locale } from '../../../shared/sentences.ts'
import { meaningsOf } from '../extraction/words.ts'
import { isFunctionWord } from './function-words.ts'
import { wordsOf } from './words.ts'

/** What is said to an agent without asking about what is in its documents. */
export type SmallTalk = 'greeting' | 'thanks' | 'howManyDocuments' | 'counting'

const setOf = (words: string): ReadonlySet<string> => new Set(wordsOf(words))

const greetings = setOf('hello hi hey greetings hallo hallochen moin servus gruss grusse gruezi salut bonjour bonsoir coucou')
const timesOfDay = setOf('good morning afternoon evening day guten gute tag morgen abend mittag gott')
const thanks = setOf('thanks thank thx cheers danke dankeschon dank merci danken')
/** What stands beside them. */
const polite = setOf('very much a lot you so kindly vielen besten herzlichen lieben schon sehr beaucoup bien mille fois ok okay super great prima perfect toll there all zusammen sheaf')
const documentWords = setOf('document documents file files paper papers dokument dokumente dokumenten datei dateien unterlage unterlagen papier papiere fichier fichiers pieces')
const countWords = /^(?:how many|(?:what is |tell me )?(?:the )?(?:number|count) of|count|wie viele?|wieviele?|(?:nenne mir )?(?:die )?anzahl|zahle|combien)\b/
const listWords = /^(?:please |bitte )?(?:list|show|enumerate|name|what|which|liste|zeige?|nenne|welche|was fur|quels?|quelles?|montrez?|enumere|lister?)\b/
/** Having, being there and being read say nothing about what is in a document. */
const havingWords = setOf(
  'have has had got there stored saved available read search searched answer know contain contains total altogether list show all ' +
    'hast habt haben gibt gespeichert vorhanden gelesen kennst insgesamt auf liste alle ' +
    'avez as avons disponibles lus connaissez enregistres total tous toutes existe existent',
)
const kinds: ReadonlySet<string> = new Set('document invoice creditnote receipt deliverynote order quote statement contract'.split(' '))

/**
 * What a text without a question about the documents is; null for every other one. Greetings and thanks count only when nothing
 * else is said, counting only when nothing but kinds of documents is counted or listed. Pure.
 */
export function smallTalkOf(query: string): SmallTalk | null {
  const words = wordsOf(query)
  if (words.length === 0) return null
  const talk = (own: ReadonlySet<string>): boolean => words.some((word) => own.has(word)) && words.every((word) => own.has(word) || polite.has(word) || isFunctionWord(word) || timesOfDay.has(word))
  if (talk(greetings) || (words.length <= 3 && words.some((word) => /^(?:good|gute|guten)$/.test(word)) && words.every((word) => timesOfDay.has(word) || polite.has(word)))) return 'greeting'
  if (talk(thanks)) return 'thanks'
  const folded = words.join(' ')
  const counts = countWords.test(folded)
  if (!counts && !listWords.test(folded)) return null
  const rest = words.filter((word) => !isFunctionWord(word) && !havingWords.has(word) && !/^(?:number|count|anzahl|zahle)$/.test(word))
  if (rest.length === 0 || !rest.every((word) => documentWords.has(word) || isKind(word))) return null
  return counts && rest.every((word) => documentWords.has(word)) ? 'howManyDocuments' : isPlural(words) ? 'counting' : null
}

/** «invoices», «Lieferscheine»: all of a kind and not one that is meant. */
function isKind(word: string): boolean {
  return [word, word.replace(/(?:en|e|n|s|x)$/, '')].some((form) => {
    const meanings = meaningsOf(form)
    return meanings.length > 0 && meanings.every((meaning) => kinds.has(meaning))
  })
}

function isPlural(words: readonly string[]): boolean {
  return words.some((word) => (isKind(word) || documentWords.has(word)) && /(?:s|en|e|ge|x)$/.test(word))
}

/** What is answered; `ready` is the number of documents that can be asked about. */
export function answerToSmallTalk(talk: SmallTalk, locale: Locale, ready: number): string {
  return talk === 'howManyDocuments' ? howMany[locale](ready) : sentences[talk][locale]
}

const howMany: Record<Locale, (count: number) => string> = {
  en: (count) => (count === 1 ? 'This agent has 1 document that can be searched.' : `This agent has ${count} documents that can be searched.`),
  de: (count) => (count === 1 ? 'Dieser Agent hat 1 Dokument, das durchsucht werden kann.' : `Dieser Agent hat ${count} Dokumente, die durchsucht werden können.`),
  fr: (count) => (count === 1 ? 'Cet agent a 1 document consultable.' : `Cet agent a ${count} documents consultables.`),
}

const sentences: Record<Exclude<SmallTalk, 'howManyDocuments'>, Record<Locale, string>> = {
  greeting: {
    en: 'Hello. Ask me about what is in the documents, for example the total of an invoice or when it is due.',
    de: 'Guten Tag. Fragen Sie nach dem, was in den Dokumenten steht, zum Beispiel nach dem Gesamtbetrag einer Rechnung oder ihrer Fälligkeit.',
    fr: 'Bonjour. Posez une question sur le contenu des documents, par exemple le montant total d’une facture ou son échéance.',
  },
  thanks: {
    en: 'You are welcome. Ask whatever else you want to know from the documents.',
    de: 'Gern. Fragen Sie, was Sie sonst noch aus den Dokumenten wissen möchten.',
    fr: 'Avec plaisir. Posez toute autre question sur les documents.',
  },
  counting: {
    en: 'Counting and listing documents needs a language model, and this service has none. Ask for a value in a document, for example by its number or a name.',
    de: 'Um Dokumente zu zählen oder aufzulisten, braucht dieser Dienst ein Sprachmodell, und er hat keines. Fragen Sie nach einem Wert in einem Dokument, zum Beispiel mit dessen Nummer oder einem Namen.',
    fr: 'Pour compter ou énumérer des documents, il faut un modèle de langage, et ce service n’en a pas. Demandez une valeur d’un document, par exemple avec son numéro ou un nom.',
  },
}
