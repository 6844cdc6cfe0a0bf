import { expect, it } from 'vitest'
import { placeLine } from '../../../electron/service/extraction/party-words.ts'

it.each([
  '76131 Karlsruhe',
  'D-76131 Karlsruhe',
  '53200, Kuala Lumpur.',
  '43300 Shah Alam, Selangor',
  'Salem, OR 97301-1234',
  'SALEM OR 97301',
  'Geelong VIC 3220',
  'Leeds LS1 4AP',
  'Halifax, NS B3H 1A1',
  'Singapore 238801',
  'Pune - 411001',
  'Am Wall 3a, 76131 Karlsruhe',
])('«%s» is a town as addresses have it', (line) => {
  expect(placeLine.test(line)).toBe(true)
})

it.each(['Invoice No 123456', 'Total 123456', 'Invoice INV 2023', 'Page AB 1234', 'Via Roma 3', 'Tel 123456'])(
  '«%s» is none',
  (line) => {
    expect(placeLine.test(line)).toBe(false)
  },
)
