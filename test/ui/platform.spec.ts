import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Locator, Page } from '@playwright/test'
import { startModelServer } from '../helpers/model-server.ts'
import { forNight } from '../helpers/scale.ts'
import { startVendor, vendorCredentials } from '../helpers/vendor.ts'
import type { Vendor, VendorOptions } from '../helpers/vendor.ts'
import { gate, proxyError } from '../helpers/vendor-questions.ts'
import type { Asked } from '../helpers/vendor-questions.ts'
import { changeAnswers } from './answers.ts'
import { callCore, complaintsOf, expect, folderWith, openScreen, startHost, test } from './host.ts'
import type { Host } from './host.ts'

const samples = fileURLToPath(new URL('../fixtures/samples/', import.meta.url))

let host: Host
let page: Page
let complaints: string[]
const vendors: Vendor[] = []

test.beforeAll(async ({ browser }) => {
  host = await startHost()
  page = await host.open(browser)
  complaints = complaintsOf(page)
  await callCore(page, 'settings.update', { firstRunDone: true })
})
test.afterAll(async () => {
  await page.close()
  await host.stop()
  await Promise.all(vendors.map((vendor) => vendor.close()))
})
test.afterEach(() => {
  expect(complaints.splice(0)).toEqual([])
})

async function vendorWith(options: VendorOptions, reply?: Parameters<typeof startVendor>[0]): Promise<Vendor> {
  const vendor = await startVendor(reply, options)
  vendors.push(vendor)
  return vendor
}

async function connect(name: string, vendor: Vendor): Promise<number> {
  return (await callCore(page, 'connections.save', { id: null, name, baseUrl: vendor.baseUrl, ...vendorCredentials }))
    .id
}

const go = (hash: string): Promise<void> => openScreen(page, host, hash)

const choose = async (within: Page | Locator, label: string, option: string | RegExp): Promise<void> => {
  await within.getByRole('button', { name: label }).click()
  await page.getByRole('option', { name: option }).click()
}

test('a connection is tested and refused with the sentence for its cause', async () => {
  const envelope = (status: number, error: string): string =>
    JSON.stringify({ status: 'error', code: String(status), error, detail: error })
  const closed = await startVendor()
  await closed.close()
  const nowhere = await vendorWith({
    token: () => ({
      status: 200,
      body: '<!doctype html><title>Router</title>',
      headers: { 'content-type': 'text/html' },
    }),
  })
  const denied = await vendorWith({ token: () => ({ status: 403, body: envelope(403, 'access_denied') }) })
  const away = await vendorWith({ token: () => ({ status: 503, body: envelope(503, 'unavailable') }) })
  const works = await vendorWith({ models: ['svc-large', 'svc-small'] })
  const noModels = await vendorWith({ models: () => proxyError(403, 'access_denied', 'permission_error') })
  const causes: [cause: string, baseUrl: string, secret: string, sentence: RegExp][] = [
    ['an unknown name', 'https://platform.invalid', 'vendor-secret', /The address platform\.invalid was not found/],
    ['nothing listens', closed.baseUrl, 'vendor-secret', /Nothing answers at 127\.0\.0\.1/],
    ['no platform', nowhere.baseUrl, 'vendor-secret', /answers, but not like a platform/],
    ['wrong credentials', works.baseUrl, 'wrong', /does not accept the client id and secret/],
    ['no access', denied.baseUrl, 'vendor-secret', /does not allow this account/],
    ['an outage', away.baseUrl, 'vendor-secret', /not available at the moment/],
  ]
  await go('#/settings')
  await page.getByRole('button', { name: 'Add account' }).click()
  const dialog = page.getByRole('dialog')
  const testWith = async (baseUrl: string, secret: string): Promise<void> => {
    await dialog.getByLabel('Base URL').fill(baseUrl)
    await dialog.getByLabel('Client ID').fill(vendorCredentials.clientId)
    await dialog.getByLabel('Client secret').fill(secret)
    await dialog.getByRole('button', { name: 'Test connection' }).click()
  }
  for (const [cause, baseUrl, secret, sentence] of causes) {
    await test.step(cause, async () => {
      await testWith(baseUrl, secret)
      await expect(dialog.getByRole('alert')).toHaveText(sentence)
      await expect(dialog.getByRole('alert')).not.toContainText(/wait/)
    })
  }
  await testWith(`${works.baseUrl}/compat/v1/`, 'vendor-secret')
  await expect(dialog.getByText('The connection works.')).toBeVisible()
  await expect(dialog.getByText('Models: svc-large and svc-small.')).toBeVisible()
  await expect(dialog.getByText(`It is used as ${works.baseUrl}`, { exact: true })).toBeVisible()
  await testWith(noModels.baseUrl, 'vendor-secret')
  await expect(
    dialog.getByText(/The connection works\..*Its models cannot be used: .*does not allow this account/),
  ).toBeVisible()
})

test('an account whose secret this computer does not keep is saved, and the window says until when', async ({
  browser,
}) => {
  const other = await host.open(browser)
  await changeAnswers(other, () => ({ 'connections.save': (saved) => ({ ...saved, isSecretTemporary: true }) }))
  await openScreen(other, host, '#/settings')
  await other.getByRole('button', { name: 'Add account' }).click()
  const dialog = other.getByRole('dialog')
  await dialog.getByLabel('Base URL').fill('https://platform.invalid')
  await dialog.getByLabel('Client ID').fill('client')
  await dialog.getByLabel('Client secret').fill('secret')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(
    other.getByText('The secret is kept until Sheaf is closed, since this computer has no open keychain.'),
  ).toBeVisible()
  await expect(dialog).toBeHidden()
  await other.close()
})

test('a Documentalist of this computer is made from a folder and answers from its documents', forNight, async () => {
  const folder = folderWith(host, 'Delivery notes', ['20261103 delivery note TilePort.pdf', 'Lieferschein 44190.docx'])
  writeFileSync(join(folder, 'notes.txt'), 'call the printer')
  await go('#/ask')
  await page.getByRole('button', { name: 'Create a Documentalist' }).click()
  await page.getByRole('button', { name: 'New agent' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Deliveries')
  await dialog.getByLabel('Folder').fill(folder)
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('2 documents added, 1 file is none of the supported types')).toBeVisible()
  const card = page.getByRole('listitem', { name: 'Deliveries' })
  await expect(card.getByText('2 ready')).toBeVisible({ timeout: 60_000 })
  await card.getByRole('button', { name: 'Documents…' }).click()
  await expect(page.getByRole('dialog').getByText('Lieferschein 44190.docx')).toBeVisible()
  await page.keyboard.press('Escape')

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Ask' }).click()
  await expect(page.getByRole('button', { name: 'Whom to ask' })).toContainText('Deliveries')
  await page.getByRole('textbox', { name: 'Question' }).fill('What did TilePort deliver?')
  await page.keyboard.press('Enter')
  const answer = page.locator('.message--answer')
  await expect(answer).toContainText(/TilePort/i)
  await expect(answer).toHaveAttribute('aria-busy', 'false')
  await expect(page.getByRole('navigation', { name: 'Conversations' }).getByRole('link')).toContainText(
    'What did TilePort deliver?',
  )
})

test('an answer appears as it comes, is stopped and kept, and a broken one is said to be incomplete', async () => {
  const [first, second] = [gate(), gate()]
  const vendor = await vendorWith({
    documentalist: (_asked, index) =>
      [
        { pieces: ['The notice ', first.opened, 'period is three months.'] },
        { pieces: ['Of course, ', second.opened] },
        { pieces: ['It begins <b>in'], drop: true },
      ][index] ?? { pieces: ['Yes.'] },
  })
  await connect('Head office', vendor)
  await go('#/ask')
  await choose(page, 'Connection', 'Head office')
  await page.getByLabel('Identifier of the Documentalist').fill('contracts')
  await page.getByRole('textbox', { name: 'Question' }).fill('How long is the notice period?')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('In months.')
  await page.getByRole('button', { name: 'Send' }).click()

  const answers = page.locator('.message--answer')
  await expect(answers.first()).toContainText('The notice')
  await expect(answers.first()).toHaveAttribute('aria-busy', 'true')
  first.open()
  await expect(answers.first().locator('.message__text')).toHaveText('The notice period is three months.')
  const questions = (): Asked[] => vendor.asked.filter(({ kind }) => kind === 'documentalist')
  expect(questions()[0]?.agent).toBe('contracts')
  expect(questions()[0]?.body['query']).toBe('How long is the notice period?\nIn months.')
  await expect(page.getByRole('button', { name: 'Stop' })).toHaveCount(0)

  await page.getByRole('textbox', { name: 'Question' }).fill('Tell me everything')
  await page.keyboard.press('Enter')
  await expect(answers.nth(1)).toContainText('Of course,')
  await page.keyboard.press('Escape')
  await expect(answers.nth(1)).toContainText('Stopped by you.')
  await expect(answers.nth(1)).toContainText('Of course,')
  await expect.poll(() => questions()[1]?.state).toBe('broken')
  second.open()

  await page.getByRole('textbox', { name: 'Question' }).fill('When does it begin?')
  await page.keyboard.press('Enter')
  await expect(answers.nth(2)).toContainText('The answer is incomplete.')
  await expect(answers.nth(2).locator('.message__text')).toHaveText('It begins <b>in')
  await expect(answers.nth(2)).toContainText('Asking again may be billed again.')
  await answers.nth(2).getByRole('button', { name: 'Ask again' }).click()
  await expect(page.getByRole('textbox', { name: 'Question' })).toHaveValue('When does it begin?')
  await expect(page.getByRole('textbox', { name: 'Question' })).toBeFocused()
  expect(questions()).toHaveLength(3)
  await page.keyboard.press('Enter')
  await expect(answers.nth(3)).toContainText('Yes.')

  await page.getByRole('button', { name: /^Remove “How long/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByRole('heading', { name: 'What would you like to know?' })).toBeVisible()
})

test('a schema is drafted from a sample document and from a spreadsheet, looked at, and saved', forNight, async () => {
  const draftFrom = async (file: string): Promise<void> => {
    await go('#/schemas')
    await page.getByRole('button', { name: 'Draft from a document…' }).first().click()
    await page.getByTestId('draft-file').setInputFiles(join(samples, file))
    await page.getByRole('dialog').getByRole('button', { name: 'Draft', exact: true }).click()
    await expect(page.getByText(`Drafted from “${file}” by rules`)).toBeVisible({ timeout: 60_000 })
  }
  const saveAs = async (name: string): Promise<string[]> => {
    await page.getByLabel('Name of the schema').fill(name)
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText(`“${name}” is saved.`)).toBeVisible()
    const { schemas } = await callCore(page, 'schemas.list', {})
    const elements = schemas.find((schema) => schema.name === name)?.elements ?? []
    return elements.flatMap((element) => [
      element.name,
      ...(element.items ?? []).map((item) => `${element.name}.${item.name}`),
    ])
  }
  await draftFrom('INV-20418.pdf')
  const ofInvoice = await saveAs('From an invoice')
  expect(ofInvoice).toContain('Invoice number')
  expect(ofInvoice.some((name) => name.includes('.'))).toBe(true)

  await draftFrom('Lieferliste KW 45.xlsx')
  expect((await saveAs('From a list')).length).toBeGreaterThan(2)

  await go('#/schemas')
  await page.getByRole('button', { name: 'Draft from a document…' }).first().click()
  await page
    .getByTestId('draft-file')
    .setInputFiles({ name: 'empty.pdf', mimeType: 'application/pdf', buffer: Buffer.from('') })
  await page.getByRole('dialog').getByRole('button', { name: 'Draft', exact: true }).click()
  await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible()
})

test(
  'a model server is named for this computer, chatted with, and drafts a schema; its nonsense is replaced by rules',
  forNight,
  async () => {
    const drafts = [
      JSON.stringify({
        name: 'Parking receipt',
        fields: [{ name: 'Car park', format: 'text', description: 'Name of the car park', items: null }],
      }),
      'I would rather not.',
    ]
    const models = await startModelServer(
      (request) => (request.body['response_format'] === undefined ? undefined : drafts.shift()),
      { models: ['big', 'tiny'] },
    )
    await go('#/settings')
    const panel = page.getByRole('region', { name: 'Model server of this computer' })
    const local = {
      connectionId:
        (await callCore(page, 'connections.list', {})).connections.find(({ kind }) => kind === 'local')?.id ?? 0,
    }
    expect(await callCore(page, 'models.list', local)).toMatchObject({
      models: [],
      problem: { code: 'no_model_server' },
    })
    await panel.getByLabel('Address').fill(models.baseUrl)
    await panel.getByLabel('Key').fill('secret key')
    await panel.getByRole('button', { name: 'Find models' }).click()
    await expect(panel.getByText('2 models found')).toBeVisible()
    await choose(panel, 'Model for svc-small', 'tiny')
    await panel.getByRole('button', { name: 'Save' }).click()
    await expect(panel.getByText('Leave empty to keep the stored one.')).toBeVisible()
    expect(await callCore(page, 'models.server', {})).toEqual({
      baseUrl: models.baseUrl,
      hasKey: true,
      large: 'big',
      small: 'tiny',
    })

    await go('#/ask')
    await choose(page, 'Whom to ask', /Chat with svc-small/)
    await page.getByRole('textbox', { name: 'Question' }).fill('Good morning')
    await page.keyboard.press('Enter')
    await expect(page.locator('.message--answer .message__text')).toHaveText('Echo: Good morning')
    expect(models.requests[0]?.body['model']).toBe('tiny')
    expect(models.requests[0]?.headers.authorization).toBe('Bearer secret key')

    const outcomes = [
      /^Drafted from “INV-20418\.pdf” by the model svc-large\./,
      /^Drafted from “INV-20418\.pdf” by rules/,
    ]
    for (const [round, outcome] of outcomes.entries()) {
      await go('#/schemas')
      await page.getByRole('button', { name: 'Draft from a document…' }).first().click()
      // The first one is not saved, and not put away without a word.
      if (round > 0) await page.getByRole('button', { name: 'Discard and begin another' }).click()
      await page.getByTestId('draft-file').setInputFiles(join(samples, 'INV-20418.pdf'))
      await page.getByRole('dialog').getByText('With a model').click()
      await expect(page.getByRole('dialog').getByRole('button', { name: 'Model', exact: false }).last()).toContainText(
        'svc-large',
      )
      await page.getByRole('dialog').getByRole('button', { name: 'Draft', exact: true }).click()
      await expect(page.getByText(outcome)).toBeVisible({ timeout: 60_000 })
      await expect(page.getByLabel('Name of the schema')).not.toHaveValue('')
    }
    await expect(page.getByText(/^The model was not used\./)).toBeVisible()
    await go('#/settings')
    await panel.getByRole('button', { name: 'Remove…' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await expect(panel.getByLabel('Address')).toHaveValue('')
    await models.close()
  },
)

test('the daily cap stops a batch after its estimate was shown, and the batch goes on when it is raised', async () => {
  const vendor = await vendorWith({})
  const connectionId = await connect('Billing platform', vendor)
  const { id: schemaId } = await callCore(page, 'schemas.save', {
    id: null,
    name: 'Capped',
    elements: [{ name: 'invoice_number', format: 'text', description: 'Number' }],
  })
  await go('#/usage')
  await page.getByLabel('Most documents a day').fill('2')
  await page.getByRole('button', { name: 'Set' }).first().click()
  await expect(page.getByRole('meter', { name: 'Documents sent to platforms today' })).toHaveAttribute(
    'aria-valuetext',
    '0 of 2',
  )

  const original = readFileSync(join(samples, 'INV-20418.pdf'))
  const files = [1, 2, 3, 4, 5].map((number) => ({
    name: `batch ${number}.pdf`,
    mimeType: 'application/pdf',
    buffer: Buffer.concat([original, Buffer.from(`\n% ${number}\n%%EOF\n`)]),
  }))
  await go('#/documents')
  await page.getByTestId('file-input').setInputFiles(files)
  const dialog = page.getByRole('dialog')
  await choose(dialog, 'Schema', 'Capped')
  await choose(dialog, 'Connection', 'Billing platform')
  await expect(dialog.getByText(/^5 documents/)).toBeVisible()
  await expect(
    dialog.getByText('No estimate of the tokens yet: none of this kind was read there so far.'),
  ).toBeVisible()
  await expect(dialog.getByText('3 of them wait for the daily cap.')).toBeVisible()
  expect(vendor.received).toHaveLength(0)
  await dialog.getByRole('button', { name: 'Extract' }).click()

  const held = page.getByRole('link', { name: /3 documents wait for the daily cap until/ })
  await expect(held).toBeVisible({ timeout: 60_000 })
  await expect.poll(async () => (await callCore(page, 'app.state', {})).counts).toMatchObject({ queued: 3, done: 2 })
  expect(vendor.received).toHaveLength(2)
  await held.click()
  await expect(page.getByText(/3 documents wait for tomorrow because of the cap/)).toBeVisible()
  await expect(page.getByRole('meter', { name: 'Documents sent to platforms today' })).toHaveAttribute(
    'aria-valuetext',
    '2 of 2',
  )
  const chart = page.getByRole('group', { name: 'Documents by day' })
  await chart.focus()
  await page.keyboard.press('End')
  await expect(page.locator('.chart').filter({ has: chart })).toContainText(/: 2 documents/)

  await page.getByLabel('Most documents a day').fill('')
  await page.getByRole('button', { name: 'Set' }).first().click()
  await expect.poll(() => vendor.received.length, { timeout: 60_000 }).toBe(5)
  await expect(held).toHaveCount(0)
  await expect
    .poll(
      async () =>
        (
          await callCore(page, 'usage.estimate', {
            schemaId,
            connectionId,
            source: { files: [{ name: 'next.pdf', sizeBytes: 10 }] },
          })
        ).tokens,
    )
    .toBe(7)
})
