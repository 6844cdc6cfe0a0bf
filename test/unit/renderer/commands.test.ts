import { describe, expect, it } from 'vitest'
import { matchingCommands } from '../../../renderer/components/commands.ts'

const commands = [
  { words: 'Show in folder' },
  { words: 'Folders' },
  { words: 'Réglages' },
  { words: 'Lieferanten', detail: 'C:\\Belege\\2026' },
]
const names = (query: string): string[] => matchingCommands(commands, query).map(({ words }) => words)

describe('what the palette finds', () => {
  it('has every word that was typed, in any order and without regard to case and accents', () => {
    expect(names('FOLDER show')).toEqual(['Show in folder'])
    expect(names('reglages')).toEqual(['Réglages'])
    expect(names('folder nothing')).toEqual([])
  })

  it('begins with what begins like that', () => {
    expect(names('folder')).toEqual(['Folders', 'Show in folder'])
  })

  it('is also found by what stands beside its name', () => {
    expect(names('belege')).toEqual(['Lieferanten'])
  })

  it('is everything while nothing was typed', () => {
    expect(names('  ')).toHaveLength(4)
  })
})
