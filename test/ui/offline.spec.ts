import { expect, test } from './host.ts'

test('the window says so when it has lost its host', async ({ host, browser }) => {
  const page = await host.open(browser)
  await expect(page.getByRole('heading', { name: 'Welcome to Sheaf' })).toBeVisible()
  await host.stop()
  await expect(page.getByRole('alert')).toContainText('The connection to Sheaf is lost')
  await page.context().close()
})
