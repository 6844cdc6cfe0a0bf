import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { forNight } from '../helpers/scale.ts'
import { changeAnswers } from './answers.ts'
import { callCore, complaintsOf, expect, folderWith, test } from './host.ts'

/** The first start is over, with a schema for invoices. */
async function setUp(page: Page): Promise<void> {
  const { templates } = await callCore(page, 'schemas.templates', { locale: 'en' })
  await callCore(page, 'schemas.save', {
    id: null,
    name: 'Invoice',
    elements: templates.find(({ key }) => key === 'invoice')?.elements,
  })
  await callCore(page, 'settings.update', { firstRunDone: true })
  await expect(page.getByRole('heading', { level: 1, name: 'Documents' })).toBeVisible()
}

test('a folder that is dropped on the window gives its documents, those of folders in it too, and says what it leaves out', async ({
  host,
  browser,
}) => {
  const page = await host.open(browser)
  const complaints = complaintsOf(page)
  await setUp(page)
  const folder = folderWith(host, 'Scanned yesterday', ['INV-20418.pdf'])
  const below = folderWith(host, join('Scanned yesterday', 'second batch'), ['Credit Note CN-1022.docx'])
  writeFileSync(join(below, 'notes.txt'), 'call the printer')
  writeFileSync(join(folder, '.hidden.pdf'), 'x')
  // Only the browser itself makes a folder that can be opened out of a drag, so it is asked for one.
  const session = await page.context().newCDPSession(page)
  const drag = { x: 600, y: 400, data: { items: [], files: [folder], dragOperationsMask: 1 } }
  for (const type of ['dragEnter', 'dragOver'] as const)
    await session.send('Input.dispatchDragEvent', { type, ...drag })
  await expect(page.getByText('Drop to extract')).toBeVisible()
  await session.send('Input.dispatchDragEvent', { type: 'drop', ...drag })
  const dialog = page.getByRole('dialog', { name: 'Add 2 documents' })
  await expect(dialog).toContainText('2 other files are left out.')
  await dialog.getByRole('button', { name: 'Extract' }).click()
  await expect(page.getByText('2 documents added')).toBeVisible()
  await expect
    .poll(async () => (await callCore(page, 'documents.list', {})).rows.map(({ name }) => name).sort())
    .toEqual(['Credit Note CN-1022.docx', 'INV-20418.pdf'])
  expect(complaints).toEqual([])
  await page.close()
})

test(
  'a document that is dropped before the window knows its schemas waits for them',
  forNight,
  async ({ host, browser }) => {
    const page = await host.open(browser)
    await setUp(page)
    const known = Promise.withResolvers<void>()
    await changeAnswers(page, () => ({
      'schemas.list': async (answer) => {
        await known.promise
        return answer
      },
    }))
    await page.reload()
    await expect(page.getByRole('heading', { level: 1, name: 'Documents' })).toBeVisible()
    const data = await page.evaluateHandle(() => {
      const transfer = new DataTransfer()
      transfer.items.add(new File(['%PDF-1.4'], 'early.pdf'))
      return transfer
    })
    await page.dispatchEvent('body', 'drop', { dataTransfer: data })
    known.resolve()
    await expect(page.getByText('1 document added')).toBeVisible()
    await page.close()
  },
)
