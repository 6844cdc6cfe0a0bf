import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { forNight } from '../helpers/scale.ts'
import { callCore, complaintsOf, expect, startHost, test } from './host.ts'
import { furnishLost, officeFiles, pretendElsewhere, startForgetfulPlatform } from './office.ts'
import { expectAccessible } from './pictures.ts'

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
  await page.close()
})

test('the diagnostics file is what was shown before, and by keyboard', forNight, async ({ host, browser }) => {
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
  await page.close()
})

test('the licences of what Sheaf is made of can be read', forNight, async ({ host, browser }) => {
  const page = await host.open(browser)
  await callCore(page, 'settings.update', { firstRunDone: true })
  await page.goto(`${host.url}#/settings`)
  await page.getByRole('button', { name: 'Licences…' }).click()
  await expect(page.getByRole('region', { name: 'Licences' })).toContainText('MIT License')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.close()
})

test('another web server of this computer that the browser visits gets nothing that opens this one', async ({
  host,
  browser,
}) => {
  const page = await host.open(browser)
  const heard: IncomingHttpHeaders[] = []
  const other = createServer(({ headers }, response) => {
    heard.push(headers)
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><title>Other</title>')
  })
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const visit = await page.context().newPage()
  await visit.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`)
  // Its page has nothing of the window's origin, and its server sends what it was sent as the window itself would.
  const stored = await visit.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie)
  expect(stored).toBe('{}')
  const { origin } = new URL(host.url)
  const headers = { origin, cookie: heard.map(({ cookie }) => cookie ?? '').join('; ') }
  const socket = await new Promise((resolve) => {
    const opened = new WebSocket(host.url.replace(/^http/, 'ws') + 'ws', { headers })
    opened.on('open', () => resolve('open'))
    opened.on('unexpected-response', (_request, response) => resolve(response.statusCode))
    opened.on('error', () => undefined)
  })
  expect(socket).toBe(403)
  for (const [path, method] of [
    ['files/1', 'GET'],
    ['exports/1/0', 'GET'],
    ['calls', 'POST'],
    ['upload?purpose=draft&name=a.pdf', 'POST'],
    ['session', 'POST'],
  ] as const)
    expect([path, (await fetch(host.url + path, { method, headers })).status]).toEqual([path, 403])
  other.closeAllConnections()
  other.close()
  await page.close()
})

test('a browser that was not opened by the printed address is told how to get in, and one that was stays in', async ({
  host,
  browser,
}) => {
  const page = await host.open(browser)
  const heading = (one: typeof page): ReturnType<typeof page.getByRole> =>
    one.getByRole('heading', { level: 1 }).first()
  const welcome = (await heading(page).textContent())!
  expect(page.url()).not.toContain('token')
  await page.reload()
  await expect(heading(page)).toHaveText(welcome)
  const second = await page.context().newPage()
  await second.goto(`${host.url}?token=spent`)
  await expect(heading(second)).toHaveText(welcome)
  expect(second.url()).not.toContain('token')
  const stranger = await browser.newContext()
  const outside = await stranger.newPage()
  await outside.goto(host.url)
  await expect(outside.getByText('use the address that it prints then')).toBeVisible()
  await stranger.close()
  await page.close()
})

test('a data folder that others may change is said to be one', async ({ browser }) => {
  test.skip(process.platform === 'win32', 'its rights are lists there')
  const home = mkdtempSync(join(tmpdir(), 'sheaf-ui-'))
  const data = join(home, 'data')
  mkdirSync(data)
  chmodSync(data, 0o777)
  const host = await startHost(home)
  const page = await host.open(browser)
  await expect(page.getByRole('alert')).toContainText(`Others can change what is in Sheaf’s data folder, ${data}.`)
  await expectAccessible(page)
  await host.closeWindows()
  await host.stop()
})
