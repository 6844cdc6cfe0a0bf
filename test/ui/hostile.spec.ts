import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pdfBytes } from '../helpers/core.ts'
import { startVendor, vendorCredentials } from '../helpers/vendor.ts'
import { callCore, complaintsOf, expect, openScreen, startHost, test } from './host.ts'

/** What a page, a mail or a chat would make pictures, links and programs of. */
const lures = (address: string): string[] => [
  `<img src="${address}img" onerror="fetch('${address}js')">`,
  `<script>fetch('${address}script')</script><style>@import '${address}css'</style>`,
  `<svg/onload=fetch('${address}svg')>`,
  `<iframe src="${address}frame"></iframe><base href="${address}">`,
  `![picture](${address}markdown)`,
  `[link](javascript:fetch('${address}link'))`,
  `<a href="javascript:fetch('${address}a')" ping="${address}ping">pay here</a>`,
]

test('F18 what others wrote is text on every screen, and the window asks nobody for anything but its own host', async ({
  browser,
}) => {
  const asked: string[] = []
  const lure = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(200, { 'access-control-allow-origin': '*' }).end()
  })
  await new Promise<void>((resolve) => lure.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(lure.address() as AddressInfo).port}/`
  const texts = lures(address)
  const all = texts.join('\n')
  const host = await startHost()
  const results = [
    {
      body: JSON.stringify({
        status: 'success',
        data: Object.fromEntries([...texts.map((text) => [text, text]), ['beside', { [texts[0]!]: all }]]),
        metadata: { filename: texts[0], tokens_consumed: 7 },
      }),
    },
    { status: 422, body: JSON.stringify({ error: all, detail: texts }) },
    { body: all },
  ]
  const stream = texts.map((text) => `data: ${JSON.stringify({ text: `${text}\n` })}\n\n`)
  const vendor = await startVendor((_, index) => results[index % results.length]!, {
    documentalist: () => ({ status: 200, headers: { 'content-type': 'text/event-stream' }, pieces: stream }),
    chat: () => ({
      status: 400,
      headers: { 'content-type': 'application/json' },
      pieces: [JSON.stringify({ error: { message: all, type: 'x', code: 'invalid_value' } })],
    }),
    models: () => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      pieces: [JSON.stringify({ object: 'list', data: texts.map((id) => ({ id, object: 'model' })) })],
    }),
  })
  try {
    const page = await host.open(browser)
    const requested: string[] = []
    page.on('request', (request) => requested.push(request.url()))
    const dialogs: string[] = []
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message())
      void dialog.dismiss()
    })
    const complaints = complaintsOf(page)
    await callCore(page, 'settings.update', { firstRunDone: true })
    const { id: connectionId } = await callCore(page, 'connections.save', {
      id: null,
      name: texts[0]!.slice(0, 100),
      baseUrl: vendor.baseUrl,
      ...vendorCredentials,
    })
    const { id: schemaId } = await callCore(page, 'schemas.save', {
      id: null,
      name: texts[1]!.slice(0, 200),
      elements: texts.map((name) => ({ name, format: 'text', description: name })),
    })
    // A slash cannot stand in a name, and is not needed for one that runs.
    const folder = join(host.home, '<img src=x onerror=alert(1)>')
    mkdirSync(folder)
    for (const name of ['<img src=x onerror=alert(2)>.pdf', '![x](x).pdf', '"><svg onload=alert(3)>.pdf'])
      writeFileSync(join(folder, name), pdfBytes(name))
    await callCore(page, 'folders.add', { path: folder, schemaId, connectionId, agentReference: texts[5]! })
    await expect
      .poll(async () => (await callCore(page, 'app.state', {})).counts, { timeout: 60_000 })
      .toMatchObject({ done: 1, failed: 2 })
    const conversations: number[] = []
    for (const kind of ['documentalist', 'chat'] as const) {
      const { conversationId } = await callCore(page, 'ask.send', {
        conversationId: null,
        connectionId,
        kind,
        agentReference: 'agent',
        model: kind === 'chat' ? texts[2]!.slice(0, 200) : null,
        text: all,
      })
      conversations.push(conversationId)
      await expect
        .poll(async () => (await callCore(page, 'ask.get', { id: conversationId })).messages.at(-1)!.state)
        .not.toBe('writing')
    }
    await callCore(page, 'exports.run', { schemaId, format: 'csv', locale: 'en' })

    const { rows } = await callCore(page, 'documents.list', {})
    const screens = [
      '#/documents',
      ...rows.map(({ id }) => `#/documents/${id}`),
      '#/folders',
      '#/schemas',
      `#/schemas/${schemaId}`,
      '#/exports',
      '#/ask',
      ...conversations.map((id) => `#/ask/${id}`),
      '#/agents',
      '#/usage',
      '#/settings',
    ]
    for (const screen of screens) {
      await openScreen(page, host, screen)
      await expect(page.locator('main, [role=main]').first()).toBeVisible()
      await page.waitForLoadState('networkidle')
      const made = await page.evaluate((lureAddress) => {
        const elements = [...document.querySelectorAll('*')]
        const leads = (element: Element): boolean =>
          ['src', 'href', 'ping', 'action', 'data', 'srcset'].some(
            (name) =>
              (element.getAttribute(name) ?? '').includes(lureAddress) ||
              /^\s*javascript:/i.test(element.getAttribute(name) ?? ''),
          )
        return elements
          .filter(
            (element) =>
              leads(element) ||
              element.getAttributeNames().some((name) => name.startsWith('on')) ||
              element.tagName === 'IFRAME' ||
              element.tagName === 'BASE',
          )
          .map((element) => element.outerHTML.slice(0, 200))
      }, address)
      expect(made, screen).toEqual([])
    }
    // The values, the reason and the answer are there to be read, as they came.
    await page.goto(`${host.url}#/ask/${conversations[0]!}`)
    await expect(page.locator('.message--answer .message__text')).toContainText(texts[0]!)
    await expect(page.locator('.message--answer .message__text')).toContainText(texts[5]!)

    const foreign = requested.filter(
      (url) =>
        !url.startsWith(host.url) && url !== 'about:blank' && !url.startsWith('blob:') && !url.startsWith('data:'),
    )
    expect(foreign).toEqual([])
    expect(asked).toEqual([])
    expect(dialogs).toEqual([])
    expect(complaints).toEqual([])
    await page.close()
  } finally {
    await host.stop()
    await vendor.close()
    lure.close()
  }
})
