/** The sign or word that is printed for the commonest units of UN/ECE Recommendation 20; other codes stay codes. */
const units: Readonly<Record<string, string>> = {
  ANN: 'year',
  BX: 'box',
  C62: 'piece',
  CMT: 'cm',
  DAY: 'day',
  EA: 'piece',
  GRM: 'g',
  H87: 'piece',
  HUR: 'h',
  KGM: 'kg',
  KMT: 'km',
  KTM: 'km',
  KWH: 'kWh',
  LS: 'lump sum',
  LTR: 'l',
  MIN: 'min',
  MMT: 'mm',
  MON: 'month',
  MTK: 'm²',
  MTQ: 'm³',
  MTR: 'm',
  NAR: 'piece',
  P1: '%',
  PCE: 'piece',
  PK: 'package',
  PR: 'pair',
  SET: 'set',
  TNE: 't',
  WEE: 'week',
  XBX: 'box',
  XPK: 'package',
  XPP: 'piece',
}

export function unitName(code: string): string {
  return units[code] ?? code
}
