import { readFile } from 'node:fs/promises'
import { callCore, complaintsOf, expect, test } from './host.ts'
import { furnishLost, officeFiles, pretendElsewhere, startForgetfulPlatform } from './office.ts'

test('what left this computer is one click away from the line that says how much, and each document from its line there', async ({
  host,
  browser,
}) => {
  const platform = await startForgetfulPlatform()
  const page = await host.open(browser)
  const complaints = complaintsOf(page)
  await furnishLost(host, page, platform)
  platform.stop()
  await expect(page.getByRole('link', { name: 'Nothing left this computer today' })).toBeVisible()
  pretendElsewhere(host, 'platform.example.com')
  await page.reload()
  await page.getByRole('link', { name: 'sent to other hosts today' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'What left this computer' })).toBeVisible()
  const hosts = page.getByRole('table', { name: 'By host' }).getByRole('row')
  await expect(hosts).toHaveText([/Sent to/, /^platform\.example\.com11.*\d+ (B|kB)$/])
  const times = page.getByRole('table', { name: 'Each time' }).getByRole('row')
  await expect(times).toHaveText([
    /Time/,
    /Question, chat or draft.*412 bytes$/,
    new RegExp(`${officeFiles.lost}.*platform\\.example\\.com`),
  ])
  await times.getByRole('link', { name: officeFiles.lost }).click()
  await expect(page.getByRole('heading', { level: 1, name: officeFiles.lost })).toBeVisible()
  expect(complaints).toEqual([])
  await page.context().close()
})

test('the diagnostics file is what was shown before, and by keyboard', async ({ host, browser }) => {
  const page = await host.open(browser)
  const complaints = complaintsOf(page)
  await callCore(page, 'settings.update', { firstRunDone: true })
  await page.goto(`${host.url}#/settings`)
  await page.getByRole('button', { name: 'Diagnostics file…' }).press('Enter')
  const content = page.getByRole('region', { name: 'Content of the file' })
  await expect(content).toContainText('"sheaf"')
  const shown = await content.textContent()
  const downloading = page.waitForEvent('download')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).press('Enter')
  const download = await downloading
  expect(download.suggestedFilename()).toMatch(/^sheaf-diagnostics-\d{4}-\d\d-\d\d\.json$/)
  expect(await readFile(await download.path(), 'utf8')).toBe(shown)
  expect(shown).not.toContain(host.home)
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Diagnostics file…' })).toBeFocused()
  expect(complaints).toEqual([])
  await page.context().close()
})
