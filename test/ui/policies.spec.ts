import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { forNight } from '../helpers/scale.ts'
import { callCore, complaintsOf, expect, folderWith, openScreen, startHost, test } from './host.ts'
import type { Host } from './host.ts'
import { contextOf, expectAccessible, expectFitting, looks, picture, plain, titleOf } from './pictures.ts'
import type { Look } from './pictures.ts'

let host: Host

/** A home that was in use before an administrator set anything. */
test.beforeAll(async ({ browser }) => {
  const home = mkdtempSync(join(tmpdir(), 'sheaf-ui-'))
  const first = await startHost(home)
  const page = await first.open(browser)
  await callCore(page, 'settings.update', { firstRunDone: true, dailyDocumentCap: 900 })
  const account = { id: null, clientId: 'office', clientSecret: 'secret' }
  await callCore(page, 'connections.save', { ...account, name: 'Example', baseUrl: 'https://platform.example.com' })
  const { id: schemaId } = await callCore(page, 'schemas.save', {
    id: null,
    name: 'Invoice',
    elements: [{ name: 'invoice_number', format: 'text', description: 'Number of the invoice' }],
  })
  const connectionId = (await callCore(page, 'connections.list', {})).connections[0]!.id
  await callCore(page, 'folders.add', { path: folderWith(first, 'Invoices', []), schemaId, connectionId })
  await first.closeWindows()
  await first.stop({ keepHome: true })
  const policies = join(home, 'policies.json')
  writeFileSync(
    policies,
    JSON.stringify({
      AllowedPlatformHosts: [],
      AllowedModelServerHosts: [],
      AllowedCallbackRoutes: ['mailbox'],
      AllowedFolders: ['~/Documents', '/srv/incoming'],
      DailyDocumentCap: 500,
      MaximumDailyTokenCap: 2_000_000,
      UpdatesEnabled: 'no',
    }),
  )
  host = await startHost(home, 'short', { policies })
})
test.afterAll(() => host.stop())

/** A look at a screen of which a part is set by an administrator. */
async function lookAt(page: Page, name: string, look: Look): Promise<void> {
  await expect(page.getByText(/Allowed|Maximum/).first()).toBeVisible()
  await expectAccessible(page)
  await expectFitting(page)
  await picture(page, `policies-${name}`, look)
}

test('what an administrator has set stands beside its control, which cannot be used, and is listed', async ({
  browser,
}) => {
  const page = await host.open(browser, contextOf(plain))
  const complaints = complaintsOf(page)
  await openScreen(page, host, '#/settings')
  const list = page.getByRole('region', { name: 'Set by your administrator' })
  await expect(list).toContainText('DailyDocumentCap (')
  await expect(list).toContainText('“UpdatesEnabled” in')
  await expect(list.getByRole('term')).toHaveCount(6)
  await expect(page.getByRole('button', { name: 'Add account' })).toBeDisabled()
  await expect(page.getByText('Your administrator allows only this computer (AllowedPlatformHosts)')).toBeVisible()
  const connections = page.getByRole('list', { name: 'Connections' })
  await expect(connections).toContainText('Your administrator does not allow this (policy AllowedPlatformHosts).')
  await expect(connections.getByRole('button', { name: 'Go on' })).toBeDisabled()
  const routes = page.getByRole('radiogroup', { name: 'How results come back' })
  await expect(routes.getByRole('radio', { name: 'Public address' })).toBeDisabled()
  await expect(routes.getByRole('radio', { name: 'Mailbox' })).toBeEnabled()
  const models = page.getByRole('region', { name: 'Model server of this computer' })
  await expect(models).toContainText('Your administrator does not allow it (AllowedModelServerHosts)')
  await expect(models.getByRole('textbox', { name: 'Address' })).toBeDisabled()
  await lookAt(page, 'settings', plain)

  await openScreen(page, host, '#/usage')
  const cap = page.getByRole('region', { name: 'Daily cap' })
  await expect(cap.getByRole('textbox').first()).toBeDisabled()
  await expect(cap.getByRole('textbox').first()).toHaveValue('500')
  await expect(cap.getByRole('textbox').last()).toBeEnabled()
  await expect(cap).toContainText('Your administrator allows at most 2,000,000 (MaximumDailyTokenCap)')
  await lookAt(page, 'usage', plain)

  await openScreen(page, host, '#/folders')
  const card = page.getByRole('listitem', { name: 'Invoices' })
  await expect(card).toContainText('Your administrator does not allow this (policy AllowedFolders).')
  await expect(card.getByRole('button', { name: 'Resume' })).toBeDisabled()
  await lookAt(page, 'folders', plain)
  expect(complaints).toEqual([])
  await page.close()
})

for (const look of looks) {
  test(`the list of what is set, and a folder that is added, fit (${titleOf(look)})`, forNight, async ({ browser }) => {
    const page = await host.open(browser, contextOf(look))
    await openScreen(page, host, '#/settings')
    await page.getByText(/^AllowedFolders/).scrollIntoViewIfNeeded()
    await lookAt(page, 'settings', look)
    await openScreen(page, host, '#/folders')
    await page.locator('.page-head .button').click()
    await expect(page.getByRole('dialog').getByText(/AllowedFolders/)).toBeVisible()
    await lookAt(page, 'folder-dialog', look)
    await page.close()
  })
}
