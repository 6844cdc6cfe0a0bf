import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { without } from './leaves-out.ts'
import { surfaceWords } from './words.ts'

/** Which of its names a company is asked for by: that of the register, or the one it is known by. */
export const nameForms = ['legal', 'trading'] as const
export type NameForm = (typeof nameForms)[number]

const ofTheRegister = [
  String.raw`(?:legal|registered) (?:company |business )?(?:name|entity)|legal company|full (?:legal|company) name`,
  String.raw`raison sociale|soci[eé]t[eé] exploitante|(?:ragione|denominazione) sociale`,
  String.raw`(?:raz[oó]n|denominaci[oó]n) social|firmierung|voll\p{L}* firmennamen?|statutaire? naam`,
].join('|')
const overTheDoor = [
  String.raw`(?:trading|trade|brand|business|commercial) name|enseigne|nom commercial|insegna|nome commerciale`,
  String.raw`nombre comercial|handelsnaam|handelsname|markenname`,
].join('|')
const inDescriptions = String.raw`${overTheDoor}|brand|logo`
const itsForm = String.raw`legal form|forme juridique|forma (?:giuridica|jur[ií]dica)|rechtsform|rechtsvorm`

const words = (alternatives: string): RegExp => new RegExp(String.raw`(?<!\p{L})(?:${alternatives})(?!\p{L})`, 'iu')
const legal = words(`${ofTheRegister}|${itsForm}`)
const legalName = words(ofTheRegister)
const trading = words(inDescriptions)
const tradingName = words(overTheDoor)
const withoutForm = words(String.raw`(?:${without}) (?:\p{L}+ ){0,2}(?:${itsForm})`)
const opensAsLegal = new RegExp(String.raw`^(?:(?:the|full|la|le|il|die|de) )?(?:${ofTheRegister})(?!\p{L})`, 'iu')
const withForm = new RegExp(
  String.raw`^(?:\p{L}+ )?(?:with|incl\p{L}*|inkl\p{L}*|mit|avec|con|met) (?:\p{L}+ )?(?:${itsForm})$`,
  'iu',
)

/** «nombre comercial, no la razón social»: what is not meant, up to a comma or a «but». */
const upToBut = String.raw`(?:(?!\s(?:but|aber|mais|pero|ma|maar)\s)[^,.;()])*`
const notMeant = new RegExp(
  String.raw`(?:,|(?<!\p{L})(?:and|et|y|e|en|und)) (?:no|non|niet|not|nicht|pas)(?!\p{L})${upToBut}|` +
    String.raw`(?<!\p{L})(?:rather than|instead of|statt|anstatt|plutôt que|au lieu de|en lugar de|invece di|in plaats van|` +
    String.raw`${without})(?!\p{L})${upToBut}`,
  'giu',
)

/**
 * Which name of a company a field asks for; nothing where it does not say. `isParty`: whether it asks for somebody at
 * all; of others only a name that says it itself does («trading_name»).
 */
export function nameFormOf({ format, name, description }: SchemaElement, isParty: boolean): { nameForm?: NameForm } {
  if (format !== 'text') return {}
  const named = surfaceWords(name).join(' ')
  const said = isParty ? description.replace(notMeant, ' ') : ''
  const isLegal = isParty && (legalName.test(named) || legal.test(said))
  if (isLegal && !withoutForm.test(description)) return { nameForm: 'legal' }
  const isKnownBy = isParty
    ? withoutForm.test(description) || trading.test(`${named}. ${said}`)
    : tradingName.test(named)
  return isKnownBy ? { nameForm: 'trading' } : {}
}

/** «razon_social_emisor», «legal entity»: the name of a field that asks for that of a company, and what else it says. */
export function beyondLegalName(name: string): string | undefined {
  const named = surfaceWords(name).join(' ')
  return legalName.test(named) ? named.replace(legalName, ' ') : undefined
}

/** «full legal name», «razón social completa», «naam met rechtsvorm»: a description that asks for a company's name. */
export function describesLegalName(description: string): boolean {
  const said = description.trim()
  return opensAsLegal.test(said) || withForm.test(said)
}
