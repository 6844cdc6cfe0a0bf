import type { Page } from '@playwright/test'
import { forNight } from '../helpers/scale.ts'
import { callCore, expect, test } from './host.ts'
import type { Host } from './host.ts'
import { contextOf, expectAccessible, expectFitting, looks, picture, titleOf } from './pictures.ts'

type Message = { id: number; name: string; input: unknown }

/**
 * The window as it is on the desktop. It runs in a browser here: what core says of its host, and of files that were
 * opened with Sheaf, is changed on its way; so many of its first requests about them are refused. Returns what the
 * window asked for about them.
 */
async function openOnDesktop(page: Page, host: Host, hash: string, opened: string[], refusals = 0): Promise<unknown[]> {
  const asked: unknown[] = []
  let waiting = opened
  await page.routeWebSocket(/\/ws/, (socket) => {
    const server = socket.connectToServer()
    server.onMessage((message) => socket.send(String(message).replace('"host":"browser"', '"host":"electron"')))
    socket.onMessage((message) => {
      const { id, name, input } = JSON.parse(String(message)) as Message
      const answer = (value: unknown): void => socket.send(JSON.stringify({ id, answer: { ok: true, value } }))
      if (name === 'openedFiles.list')
        return answer({ files: waiting.map((file) => ({ name: file, sizeBytes: 2000 })) })
      if (!name.startsWith('openedFiles.')) return server.send(message)
      asked.push({ name, input })
      if (asked.length <= refusals)
        return socket.send(JSON.stringify({ id, answer: { ok: false, error: { code: 'storage_full', details: {} } } }))
      waiting = []
      answer({ added: 1, failed: [{ code: 'file_missing', details: { file: 'gone.pdf' } }] })
    })
  })
  await page.goto(`${host.url}${hash}`)
  return asked
}

const elements = [{ name: 'shop', format: 'text', description: 'Its name' }]

test('files opened with Sheaf are read with the schema that the person chooses, and what cannot be is named', async ({
  host,
  browser,
}) => {
  const plain = await host.open(browser)
  await callCore(plain, 'settings.update', { firstRunDone: true })
  await callCore(plain, 'schemas.save', { id: null, name: 'Receipt', elements })
  const { id: schemaId } = await callCore(plain, 'schemas.save', { id: null, name: 'Invoice', elements })
  const page = await plain.context().newPage()
  const asked = await openOnDesktop(page, host, '#/documents', ['bill.pdf', 'gone.pdf'])
  const dialog = page.getByRole('dialog', { name: 'Add 2 documents' })
  await dialog.getByRole('button', { name: /Schema/ }).click()
  await page.getByRole('option', { name: 'Invoice' }).click()
  await dialog.getByRole('button', { name: 'Extract' }).click()
  await expect(page.getByText('1 document added')).toBeVisible()
  await expect(page.getByText('gone.pdf: The file is no longer in its place.')).toBeVisible()
  await expect(dialog).toBeHidden()
  expect(asked).toEqual([{ name: 'openedFiles.take', input: { schemaId, connectionId: 1 } }])
  await plain.close()
})

test('files opened with Sheaf are read at once where there is no choice', async ({ host, browser }) => {
  const plain = await host.open(browser)
  await callCore(plain, 'settings.update', { firstRunDone: true })
  const { id: schemaId } = await callCore(plain, 'schemas.save', { id: null, name: 'Receipt', elements })
  const page = await plain.context().newPage()
  const asked = await openOnDesktop(page, host, '#/documents', ['bill.pdf'])
  await expect(page.getByText('1 document added')).toBeVisible()
  expect(asked).toEqual([{ name: 'openedFiles.take', input: { schemaId, connectionId: 1 } }])
  await plain.close()
})

test(
  'files opened with Sheaf that could not be read are asked about, and not tried again by themselves',
  forNight,
  async ({ host, browser }) => {
    const plain = await host.open(browser)
    await callCore(plain, 'settings.update', { firstRunDone: true })
    await callCore(plain, 'schemas.save', { id: null, name: 'Receipt', elements })
    const page = await plain.context().newPage()
    const asked = await openOnDesktop(page, host, '#/documents', ['bill.pdf'], 1)
    const dialog = page.getByRole('dialog', { name: 'Add 1 document' })
    await expect(dialog).toBeVisible()
    expect(asked).toHaveLength(1)
    await dialog.getByRole('button', { name: 'Extract' }).click()
    await expect(page.getByText('1 document added')).toBeVisible()
    expect(asked).toHaveLength(2)
    await plain.close()
  },
)

test('the settings say what becomes of Sheaf without its window', forNight, async ({ host, browser }) => {
  const plain = await host.open(browser)
  await callCore(plain, 'settings.update', { firstRunDone: true })
  const page = await plain.context().newPage()
  await openOnDesktop(page, host, '#/settings', [])
  const stays = page.getByRole('checkbox', { name: 'Keep working when this window is closed' })
  await expect(stays).toBeChecked()
  await page.getByText('Start when I log in').click()
  await page.getByText('Keep working when this window is closed').click()
  await expect(stays).not.toBeChecked()
  await expect
    .poll(async () => (await callCore(plain, 'app.state', {})).settings)
    .toMatchObject({ startsAtLogin: true, staysInTray: false })
  await plain.close()
})

test(
  'the settings and the question about opened files look well on the desktop',
  forNight,
  async ({ host, browser }) => {
    const first = await host.open(browser)
    await callCore(first, 'settings.update', { firstRunDone: true })
    for (const name of ['Receipt', 'Invoice']) await callCore(first, 'schemas.save', { id: null, name, elements })
    await first.close()
    for (const look of looks) {
      await test.step(titleOf(look), async () => {
        const plain = await host.open(browser, contextOf(look))
        const page = await plain.context().newPage()
        await openOnDesktop(page, host, '#/settings', ['bill.pdf'])
        await page.getByRole('dialog').waitFor()
        await picture(page, 'opened-files', look)
        await page.keyboard.press('Escape')
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        await page.getByRole('checkbox').last().scrollIntoViewIfNeeded()
        await expectAccessible(page)
        await expectFitting(page)
        await picture(page, 'settings-desktop', look)
        await plain.close()
      })
    }
  },
)
