import { surfaceWords } from './words.ts'

const ofTheRegister = [
  String.raw`(?:legal|registered) (?:company |business )?(?:name|entity)|legal company|full (?:legal|company) name`,
  String.raw`raison sociale|soci[eé]t[eé] exploitante|(?:ragione|denominazione) sociale`,
  String.raw`(?:raz[oó]n|denominaci[oó]n) social|firmierung|voll\p{L}* firmennamen?|statutaire? naam`,
].join('|')
const itsForm = String.raw`legal form|forme juridique|forma (?:giuridica|jur[ií]dica)|rechtsform|rechtsvorm`

const legalName = new RegExp(String.raw`(?<!\p{L})(?:${ofTheRegister})(?!\p{L})`, 'iu')
const opensAsLegal = new RegExp(String.raw`^(?:(?:the|full|la|le|il|die|de) )?(?:${ofTheRegister})(?!\p{L})`, 'iu')
const withForm = new RegExp(
  String.raw`^(?:\p{L}+ )?(?:with|incl\p{L}*|inkl\p{L}*|mit|avec|con|met) (?:\p{L}+ )?(?:${itsForm})$`,
  'iu',
)

/**
 * What the name of a field says beside asking for a company by its name in the register («razon_social_emisor», «legal
 * entity of the airline»); undefined where it does not ask for that.
 */
export function beyondLegalName(name: string): string | undefined {
  const named = surfaceWords(name).join(' ')
  return legalName.test(named) ? named.replace(legalName, ' ') : undefined
}

/** «full legal name», «razón social completa», «naam met rechtsvorm»: a description that asks for a company's name. */
export function describesLegalName(description: string): boolean {
  const said = description.trim()
  return opensAsLegal.test(said) || withForm.test(said)
}
