import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { parseStart } from '../../../electron/desktop/start-request.ts'
import { temporaryDir } from '../../helpers/core.ts'

const dir = temporaryDir()
const invoice = join(dir.path, 'invoice 1.pdf')
writeFileSync(invoice, '')
afterAll(() => dir.remove())

const nothing = { files: [], screen: null, pause: null, isHidden: false }

describe('what a start of Sheaf asks for', () => {
  it('is nothing but the window without arguments', () => {
    expect(parseStart([], dir.path)).toEqual(nothing)
  })

  it('is to read files, named from where the start came from, in full, or by their addresses', () => {
    const address = pathToFileURL(invoice).href
    expect(parseStart(['invoice 1.pdf', invoice, address], dir.path).files).toEqual([invoice, invoice, invoice])
    expect(parseStart(['file://elsewhere/invoice.pdf', 'file:///%00'], dir.path).files).toEqual([])
  })

  it('is none of what Chromium and the system add, of what is no file, and of what is not there', () => {
    expect(parseStart(['--allow-file-access', '--show=elsewhere', '.', 'gone.pdf', '--pause=1'], dir.path)).toEqual(
      nothing,
    )
  })

  it.each([
    ['--show=review', { screen: 'review' }],
    ['--show=settings', { screen: 'settings' }],
    ['--pause', { pause: true }],
    ['--resume', { pause: false }],
    ['--hidden', { isHidden: true }],
  ])('is what the jump list and the login item say: %s', (argument, expected) => {
    expect(parseStart([argument], dir.path)).toEqual({ ...nothing, ...expected })
  })
})
