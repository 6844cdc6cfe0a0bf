import type { Locale } from '../../../shared/messages/sentences.ts'
import { wordsOf } from './words.ts'

/**
 * Words that carry a sentence and not its subject, with the ones that questions begin with: dropped from a search, and
 * what tells the language of a question. Only the languages that Sheaf speaks.
 */
const byLocale: Readonly<Record<Locale, string>> = {
  en:
    'a an the this that these those there here it its i me my mine we us our you your yours he him his she her hers they them their one ones ' +
    'of to in on at by for from with without within into about between over under than then as and or but if not no nor so also too very just only ' +
    'is are was were be been being am do does did done doing has have had having can could may might must shall should will would ' +
    'what which who whom whose when where why how much many often long old tell show give find list name say says said mean means know need want ask ' +
    'high low please any some all each every both either neither other such same own more most less least ever never s t re ve ll m d don doesn isn aren wasn ' +
    'explain describe summarize summarise according get got make made let see',
  de:
    'der die das den dem des ein eine einer eines einem einen kein keine keiner keinen keinem keines dieser diese dieses diesen diesem jener jene jenes ' +
    'es er sie ihm ihn ihr ihnen ich mir mich mein meine meiner meinem meinen du dir dich dein deine wir uns unser unsere unserer unseren ihre ihrer ihren ihrem sein seine seiner seinen seinem ' +
    'von vom zu zum zur in im ins an am ans auf aus bei beim mit ohne nach vor fur uber unter durch gegen um bis seit wahrend wegen zwischen ' +
    'und oder aber denn doch nicht nur auch noch schon sehr so als wie dass ob wenn weil da dann hier dort etwa mal denn bitte ' +
    'ist sind war waren bin bist sei seid wird werden wurde wurden worden hat haben hatte hatten habe kann konnen konnte konnten darf durfen muss mussen soll sollen sollte will wollen wollte mochte lassen lasst ' +
    'was welche welcher welches welchem welchen wer wen wem wessen wann wo woher wohin warum wieso weshalb wofur womit worum wovon woraus wieviel viel viele vielen gibt gab geben gib ' +
    'nenne nennen zeige zeigen sag sage sagen hoch hohe gross lang lange oft weit viel steht stehen heisst heissen lautet lauten betragt betragen belauft erklare erklaren beschreibe beschreiben finde finden kennst weiss jede jeder jedes jeden alle allen aller alles man sich mehr',
  fr:
    'le la les l un une des du de d au aux ce cet cette ces celui celle ceux celles c ca cela ceci il elle ils elles on je j me m moi tu te t toi nous vous se s son sa ses mon ma mes ton ta tes notre nos votre vos leur leurs lui y en ' +
    'a dans par pour sur sous avec sans entre vers chez depuis pendant avant apres contre jusque jusqu et ou mais donc or ni car si ne n pas plus moins tres aussi que qu qui quoi dont quel quelle quels quelles lequel laquelle lesquels lesquelles ' +
    'est sont etait etaient etre suis es sommes etes sera seront ete ai as avons avez ont avait avaient avoir peut peuvent pouvez pouvons puis doit doivent devons faut fait faire ' +
    'quand comment combien pourquoi ou qu est-ce dis dites dit donne donnez donner montre montrez trouve trouvez liste nomme indique indiquez explique expliquez decris s il te plait veuillez merci tout tous toute toutes chaque meme autre autres y',
}

/** Words of an office and of courtesy that only one of the languages has; for questions of a few words. */
const vocabularyByLocale: Readonly<Record<Locale, string>> = {
  en:
    'hello hi hey good morning afternoon evening thanks thank cheers invoice invoices bill receipt statement order delivery credit amount balance opening closing ' +
    'cost costs owe account tax due payment customer supplier address october december june july may march discount price cost fee name deadline',
  de:
    'hallo guten tag morgen abend moin servus gruss grusse danke dankeschon vielen dank saldo auszug summe betrag rechnung rechnungen gutschrift quittung beleg angebot bestellung ' +
    'auftrag lieferung lieferschein konto kontostand steuer mwst ust fallig falligkeit frist zahlung kunde lieferant anschrift januar februar marz mai juni juli oktober dezember ' +
    'rabatt preis kosten gebuhr miete vertrag gewicht kostet gekostet schulden menge netto brutto gesamt',
  fr:
    'bonjour bonsoir salut coucou merci solde releve facture factures recu devis commande livraison bon avoir montant somme compte impot tva echeance paiement client fournisseur ' +
    'adresse janvier fevrier mars avril juin juillet aout septembre octobre novembre decembre remise prix frais coute coutent loyer contrat poids',
}

/** German builds its office words from others. */
const germanCompound =
  /.(?:betrag|summe|nummer|datum|rechnung|auszug|konto|stand|schein|preis|gebuhr|frist|steuer|zahlung|bestellung|schrift|vertrag|kosten|saldo)$/

const vocabulary = Object.fromEntries(
  Object.entries(vocabularyByLocale).map(([locale, words]) => [locale, new Set(wordsOf(words))]),
) as Record<Locale, Set<string>>
const setsByLocale = Object.fromEntries(
  Object.entries(byLocale).map(([locale, words]) => [locale, new Set(wordsOf(words))]),
) as Record<Locale, Set<string>>
const all = new Set(Object.values(setsByLocale).flatMap((words) => [...words]))

/** True for a folded word that says nothing about what is asked. */
export function isFunctionWord(word: string): boolean {
  return all.has(word)
}

/** The language of the first text that shows one by its function words and office words; English when none does. */
export function localeOf(texts: readonly string[]): Locale {
  for (const text of texts) {
    const words = wordsOf(text)
    const scores = (Object.keys(setsByLocale) as Locale[]).map((locale) => ({
      locale,
      score: words.filter((word) => isWordOf(locale, word)).length,
    }))
    scores.sort((left, right) => right.score - left.score)
    if (scores[0]!.score > scores[1]!.score) return scores[0]!.locale
  }
  return 'en'
}

function isWordOf(locale: Locale, word: string): boolean {
  return (
    setsByLocale[locale].has(word) || vocabulary[locale].has(word) || (locale === 'de' && germanCompound.test(word))
  )
}
