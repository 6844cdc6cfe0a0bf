import { checkVAT, countries } from 'jsvat'

/** What groups the digits of numbers, in print and in what is copied from a PDF. */
const groups = /[\s.\u2010-\u2013-]/g

/** A number without what groups its digits. Pure. */
export function bareNumber(text: string): string {
  return text.replace(groups, '').toUpperCase()
}

/** Whether digits are masked in print, by crosses, stars or dots: no checksum holds then. Pure. */
export function isMasked(text: string): boolean {
  return /[X*\u2022]{3}/.test(bareNumber(text))
}

/**
 * Whether a VAT number with its country code is right by the rules of its country; null for countries whose rules
 * nobody knows here. Pure.
 */
export function isVatId(bare: string): boolean | null {
  // Greece writes both codes.
  const number = bare.replace(/^GR/, 'EL')
  // Belgium gives numbers with a leading 1 since 2023: the last two digits are 97 less the others by 97.
  const belgian = /^BE([01]\d{7})(\d{2})$/.exec(number)
  if (belgian !== null) return 97 - (Number(belgian[1]) % 97) === Number(belgian[2])
  const { isSupportedCountry, isValid } = checkVAT(number, countries)
  return isSupportedCountry ? isValid : null
}
