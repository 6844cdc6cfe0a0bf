const unsigned = [
  String.raw`without (?:a |the |its )?(?:minus|sign)|ohne (?:minus\p{L}*|vorzeichen)`,
  'sans (?:le )?signe|sin (?:el )?signo|senza (?:il )?segno|zonder (?:min)?teken',
].join('|')
const positive = new RegExp(String.raw`\bpositi(?:[fv]|ef)|\b(?:${unsigned})(?!\p{L})`, 'iu')
/** «positive for credits», «solde positif ou débiteur»: then the sign says something. */
const signed = new RegExp(
  [
    String.raw`\bpositi(?:[fv]|ef)\p{L}*\s`,
    '(?:for|if|when|wenn|bei|für|si|pour|se|per|para|als|bij|voor|ou|or|oder|of|balance|saldo|solde)(?!\\p{L})',
  ].join(''),
  'iu',
)
/** «Soll negativ, Haben positiv» asks for signs, «positive, never negative» for none. */
const negative = /\bn[eé]gati(?:[fv]|ef)/iu
const neverNegative = new RegExp(
  [
    String.raw`(?<!\p{L})(?:never|not|even|although|though|prints|nicht|nie|auch|obwohl|jamais|pas|même|nunca|aunque`,
    String.raw`|mai|anche|nooit|niet|ook)(?!\p{L})[^,;.]{0,40}n[eé]gati`,
  ].join(''),
  'iu',
)
/** «negative if CR», «negativ bei H»: the mark that is printed beside the amounts that are meant. */
const negativeMark = new RegExp(
  [
    String.raw`\bn[eé]gati(?:[fv]|ef)\p{L}*\s(?:if|when|where|for|with|wenn|bei|mit|si|se|als|bij|con|avec)\s`,
    String.raw`(?:marked\swith\s)?[("'«„“]*(CR|DR|[CDHS+*])(?![\p{L}\p{N}])`,
  ].join(''),
  'iu',
)

/** Whether the description of a field asks for a number without its sign. */
export function asksForUnsigned(description: string): boolean {
  if (!positive.test(description) || signed.test(description)) return false
  return !negative.test(description) || neverNegative.test(description)
}

/**
 * A number with the sign that the description of its field asks for: none, or minus where a mark says so.
 *
 * @param text what is printed, with the mark («52.00 CR»)
 */
export function withSign(value: number, description: string, text: string): number {
  const mark = negativeMark.exec(description)?.[1]
  if (mark !== undefined) return isMarked(text, mark) ? -Math.abs(value) : value
  return asksForUnsigned(description) ? Math.abs(value) : value
}

/** «52.00CR», «(Cr.)», «H 52,00» */
function isMarked(text: string, mark: string): boolean {
  const parts: string[] = text.toUpperCase().match(/\p{L}+|[+*]/gu) ?? []
  return parts.includes(mark.toUpperCase())
}
