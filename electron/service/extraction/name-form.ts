import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { without } from './leaves-out.ts'
import { surfaceWords } from './words.ts'

/** Which of its names a company is asked for by: that of the register, or the one it is known by. */
export const nameForms = ['legal', 'trading'] as const
export type NameForm = (typeof nameForms)[number]

const ofTheRegister = [
  String.raw`(?:legal|registered) (?:company )?(?:name|entity)|legal company|full (?:legal|company) name`,
  String.raw`raison sociale|soci[eé]t[eé] exploitante|(?:ragione|denominazione) sociale`,
  String.raw`(?:raz[oó]n|denominaci[oó]n) social|firmierung|voll(?:er|ständiger) firmenname|statutaire? naam`,
].join('|')
const itsForm = String.raw`legal form|forme juridique|forma (?:giuridica|jur[ií]dica)|rechtsform|rechtsvorm`
const legal = new RegExp(String.raw`(?<!\p{L})(?:${ofTheRegister})(?!\p{L})`, 'iu')
const withForm = new RegExp(String.raw`(?<!\p{L})(?:with|mit|avec|con|met) [^.,;]*?(?:${itsForm})`, 'iu')
const withoutIt = new RegExp(String.raw`(?<!\p{L})(?:${without})(?!\p{L})[^.,;]*`, 'giu')
const form = new RegExp(itsForm, 'iu')
const trading = new RegExp(
  String.raw`(?<!\p{L})(?:(?:trading|trade|brand|business) name|brand|logo|enseigne|nom commercial|insegna|` +
    String.raw`nombre comercial|handelsnaam|markenname)(?!\p{L})`,
  'iu',
)

/**
 * Which name of a company a field asks for; undefined where it does not say. What the description negates («not the
 * brand») is left out by the caller.
 */
export function nameFormOf({ format, name }: SchemaElement, description: string): NameForm | undefined {
  if (format !== 'text') return undefined
  if ((description.match(withoutIt) ?? []).some((left) => form.test(left))) return 'trading'
  const asked = `${surfaceWords(name).join(' ')}. ${description.replace(withoutIt, ' ')}`
  if (legal.test(asked) || withForm.test(asked)) return 'legal'
  return trading.test(asked) ? 'trading' : undefined
}
