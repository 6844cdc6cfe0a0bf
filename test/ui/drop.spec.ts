import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { callCore, complaintsOf, expect, folderWith, test } from './host.ts'

test('a folder that is dropped on the window gives its documents, those of folders in it too, and says what it leaves out', async ({
  host,
  browser,
}) => {
  const page = await host.open(browser)
  const complaints = complaintsOf(page)
  const { templates } = await callCore(page, 'schemas.templates', { locale: 'en' })
  await callCore(page, 'schemas.save', {
    id: null,
    name: 'Invoice',
    elements: templates.find(({ key }) => key === 'invoice')?.elements,
  })
  await callCore(page, 'settings.update', { firstRunDone: true })
  await expect(page.getByRole('heading', { level: 1, name: 'Documents' })).toBeVisible()
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
