import { expect, it } from 'vitest'
import { cleanText } from '../../../electron/reading/symbols.ts'

it('letters and figures as wide as a Chinese character are read as usual ones, those characters as they are', () => {
  expect(cleanText('１５型（Ａ）　￥１，２００')).toBe('15型(A) ¥1,200')
})
