import { callCore, expect, test } from './host.ts'

const systems = [
  { system: 'windows', order: ['Remove', 'Cancel'], palette: 'Ctrl K' },
  { system: 'macos', order: ['Cancel', 'Remove'], palette: '⌘ K' },
]

for (const { system, order, palette } of systems) {
  test(`the window speaks as people of ${system} know it: keys, and the order of the buttons in a question`, async ({
    host,
    browser,
  }) => {
    const plain = await host.open(browser)
    await callCore(plain, 'settings.update', { firstRunDone: true })
    await callCore(plain, 'schemas.save', {
      id: null,
      name: 'Receipt',
      elements: [{ name: 'shop', format: 'text', description: 'Its name' }],
    })
    const page = await plain.context().newPage()
    // The program runs on the system of the test; what it says of that is changed on its way to the window.
    await page.routeWebSocket(/\/ws/, (socket) => {
      const server = socket.connectToServer()
      server.onMessage((message) =>
        socket.send(String(message).replace(/"platform":"(linux|macos|windows)"/, `"platform":"${system}"`)),
      )
    })
    await page.goto(`${host.url}#/schemas`)
    await expect(page.getByRole('button', { name: 'Commands' })).toContainText(palette)
    await page.getByRole('button', { name: /^Remove/ }).click()
    await expect(page.getByRole('alertdialog').locator('.dialog__actions').getByRole('button')).toHaveText(order)
    // Whatever stands first, a question that destroys something begins where nothing happens.
    await expect(page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' })).toBeFocused()
    await plain.close()
  })
}
