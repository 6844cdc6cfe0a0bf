/** An IBAN in groups of four, as it is printed. Pure. */
export function shownAccount(iban: string): string {
  return iban.replace(/(.{4})(?=.)/g, '$1 ')
}
