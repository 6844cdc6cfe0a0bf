import { callCore, expect, test } from './host.ts'

test('the window says so when it has lost its host', async ({ host, browser }) => {
  const page = await host.open(browser)
  await expect(page.getByRole('heading', { name: 'Welcome to Sheaf' })).toBeVisible()
  await host.stop()
  await expect(page.getByRole('alert')).toContainText('The connection to Sheaf is lost')
  await page.close()
})

test('nothing can be typed or clicked that would get nowhere', async ({ host, browser }) => {
  const page = await host.open(browser)
  await callCore(page, 'settings.update', { firstRunDone: true })
  await page.reload()
  const folders = page.getByRole('link', { name: 'Folders' })
  await folders.click()
  await expect(page.getByRole('heading', { name: 'Folders', level: 1 })).toBeVisible()
  await host.stop()
  await expect(page.getByRole('alert')).toContainText('The connection to Sheaf is lost')
  await expect(page.locator('.frame')).toHaveJSProperty('inert', true)
  await page.close()
})

test('a screen that cannot be loaded says so, and comes when it is tried again', async ({ host, browser }) => {
  const page = await host.open(browser)
  await callCore(page, 'settings.update', { firstRunDone: true })
  await page.route(/\/assets\/usage-.*\.js/, (route) => route.abort())
  await page.reload()
  await page.getByRole('link', { name: 'Usage' }).click()
  await expect(page.getByText('Sheaf cannot show its window')).toBeVisible()
  // Everything around it goes on.
  await page.getByRole('link', { name: 'Folders' }).click()
  await expect(page.getByRole('heading', { name: 'Folders', level: 1 })).toBeVisible()
  await page.getByRole('link', { name: 'Usage' }).click()
  await page.unroute(/\/assets\/usage-.*\.js/)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'Usage', level: 1 })).toBeVisible()
  await page.close()
})
