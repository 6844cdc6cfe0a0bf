import { describe, expect, it } from 'vitest'
import { meanings, meaningsOfEach } from '../../../electron/service/extraction/words.ts'

describe('words of labels', () => {
  it('mean the same in six languages', () => {
    const said = (...labels: string[]): string[] => [...new Set(labels.map((label) => meanings(label).join(' ')))]
    expect(said('portions', 'Portionen', 'porciones', 'porzioni')).toHaveLength(1)
    expect(said('calendar week', 'Kalenderwoche')).toContain('week')
    expect(said('inspector', 'Prüfer', 'inspecteur', 'inspector')).toHaveLength(1)
  })

  it('of a compound are the longest that are known: «strasse» ends like «asse»', () => {
    expect(meanings('Lieferstrasse')).toEqual(['delivery', 'street'])
  })

  it('are parts of a compound or of a name in one piece, but no syllables of other words', () => {
    const glued = ['netamount', 'vatrate', 'totaltax', 'amountdue', 'periodend', 'vendorzip', 'importeiva', 'Gaszähler']
    expect(glued.filter((name) => meanings(name).length !== 2)).toEqual([])
    expect(
      ['Passiva', 'Finanz', 'kostenlos', 'medicaid', 'keyboard'].filter((word) => meanings(word).length > 1),
    ).toEqual([])
  })

  it('of German adjectives have no endings', () => {
    expect(meanings('telefonischer')).toEqual(meanings('telefonisch'))
    expect(meanings('telefonisch')).toEqual(['phone'])
  })

  it('keep apart what papers tell apart', () => {
    expect(meanings('taxable amount')).not.toEqual(meanings('tax amount'))
    expect(meanings('discounted amount')).not.toEqual(meanings('discount amount'))
    expect(meanings('signatory')).not.toEqual(meanings('signature'))
  })

  it('stand for each language of a form by themselves where its parts say the same', () => {
    expect(meaningsOfEach('8 Verpakking – Packing')).toContainEqual(meanings('Packing'))
    expect(meaningsOfEach('Price / unit')).toEqual([meanings('Price / unit')])
  })
})
