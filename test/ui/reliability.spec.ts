import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import type { CallbackState } from '../../shared/contract/callbacks.ts'
import type { Recovery } from '../../shared/contract/storage.ts'
import type { AppState } from '../../shared/contract/contract.ts'
import type { FolderRow } from '../../shared/contract/folders.ts'
import type { DocumentRow } from '../../shared/contract/documents.ts'
import { elsewhere } from '../helpers/elsewhere.ts'
import { forNight } from '../helpers/scale.ts'
import { sheaf, startSheaf } from '../helpers/sheaf.ts'
import { startVendor } from '../helpers/vendor.ts'
import type { Vendor } from '../helpers/vendor.ts'
import { changeAnswers } from './answers.ts'
import type { Changes } from './answers.ts'
import { startForwarder } from './forwarder.ts'
import { callCore, complaintsOf, connectTo, expect, folderWith, openScreen, startHost, test } from './host.ts'
import type { Host } from './host.ts'
import { settled } from './office.ts'
import { contextOf, expectAccessible, expectFitting, looks, picture, plain, titleOf } from './pictures.ts'

const files = ['INV-20418.pdf', 'invoice_8841_brightwater.pdf', 'Rechnung 2026-0917 Hartmann.pdf']

let host: Host
let page: Page
let vendor: Vendor
let complaints: string[]
/** Whether the vendor takes documents and then hangs up. */
let drops = true

test.beforeAll(async ({ browser }) => {
  vendor = await startVendor(() => ({ drop: drops }))
  host = await startHost()
  page = await host.open(browser)
  complaints = complaintsOf(page)
  await callCore(page, 'settings.update', { firstRunDone: true })
  const { id: schemaId } = await callCore(page, 'schemas.save', {
    id: null,
    name: 'Invoice',
    elements: [{ name: 'invoice_number', format: 'text', description: 'Number' }],
  })
  const connectionId = await connectTo(page, vendor)
  await callCore(page, 'folders.add', { path: folderWith(host, 'Supplier invoices', files), schemaId, connectionId })
  await settled(page, files.length)
})
test.afterAll(async () => {
  await page.close()
  await host.stop()
  await vendor.close()
})
test.afterEach(() => {
  expect(complaints.splice(0)).toEqual([])
})

const go = (hash: string): Promise<void> => openScreen(page, host, hash)
const row = (name: string): Locator =>
  page
    .getByRole('grid')
    .getByRole('row')
    .filter({ has: page.getByText(name, { exact: true }) })

const day = 24 * 60 * 60_000
const now = Date.now()
const longPath = '/Users/katharina.hoffmann-schlüter/Library/Application Support/Sheaf/Mandantenunterlagen 2026'

const paired: CallbackState = {
  route: 'mailbox',
  address: null,
  network: false,
  port: 43_117,
  mailbox: {
    url: 'https://mailbox.kanzlei-hoffmann-schlueter.example.com:8443/',
    pairedAt: now - 40 * day,
    answeredAt: now - 60_000,
    problem: null,
  },
  testedAt: now - 3_600_000,
  testing: false,
  problem: null,
  overdue: 0,
  awaited: 0,
}
const refused = {
  code: 'mailbox_unreachable',
  details: { host: 'mailbox.kanzlei-hoffmann-schlueter.example.com:8443', detail: 'ECONNREFUSED' },
} as const
const unreturned = {
  code: 'callback_not_returned',
  details: { host: 'callbacks.example.com', detail: 'HTTP 502' },
} as const
const unmoved = {
  code: 'move_failed',
  details: { file: 'Rechnung 2026-0917 Hartmann.pdf', folder: 'Done', detail: 'EACCES' },
} as const
const withoutMailbox: CallbackState = { ...paired, route: 'none', mailbox: null, testedAt: null }
const byAddress: CallbackState = { ...withoutMailbox, route: 'address', address: 'https://callbacks.example.com/sheaf' }
const recovery: Recovery = {
  at: now - 600_000,
  how: 'restored',
  snapshotAt: now - 3_000_000,
  setAsideIn: `${longPath}/broken 2026-11-21 14-05-12`,
  attempts: 14,
  answers: 12,
  journalLost: false,
}

const state = (part: Partial<AppState>) => ({
  'app.state': (answer: AppState) => ({ ...answer, dataDir: longPath, ...part }),
})
const callbacks = (saved: CallbackState, callbackRoute: AppState['callbackRoute']): Changes => ({
  ...state({ callbackRoute }),
  'callbacks.get': () => saved,
})
const restored = (answer: AppState): AppState => ({
  ...answer,
  recovery,
  connections: answer.connections.map((connection) =>
    connection.kind === 'platform'
      ? { ...connection, pausedReason: { code: 'restored_from_snapshot', details: {} } }
      : connection,
  ),
})

/** The first two documents of the list in other states: one that can be read again, and one whose result is overdue. */
const settledAs: Partial<DocumentRow>[] = [
  { status: 'done', reason: null, review: 'ready' },
  { status: 'waiting', reason: { code: 'callback_overdue', details: {} } },
]

type Scene = { name: string; hash: string; changes?: Changes; ready: (page: Page) => Promise<void> }

const showPanel =
  (at: number) =>
  async (shown: Page): Promise<void> => {
    const panel = shown.locator('.settings > .panel').nth(at)
    await panel.scrollIntoViewIfNeeded()
    await panel.evaluate((element) => element.scrollIntoView({ block: 'start' }))
    await expect(panel).toBeInViewport()
  }
const callbacksPanel = showPanel(1)

const scenes: Scene[] = [
  {
    name: 'lost',
    hash: '#/documents',
    ready: async (shown) => {
      await shown.getByRole('tab').nth(6).click()
      await shown.locator('.grid__row').first().locator('.grid__check').click()
      await expect(shown.locator('.list-line .button')).toBeVisible()
      await expect(shown.locator('.document-actions .button--primary')).toBeVisible()
    },
  },
  {
    name: 'troubles',
    hash: '#/documents',
    changes: {
      'app.state': (answer) => ({
        ...restored({ ...answer, dataDir: longPath, storageTrouble: 'busy' }),
        recovery: { ...recovery, how: 'earlier', setAsideIn: null },
      }),
      'documents.list': ({ rows, ...size }) => ({
        ...size,
        rows: rows.map((document, index) => ({ ...document, ...settledAs[index] })),
      }),
    },
    ready: async (shown) => {
      await shown.locator('.grid__row').first().locator('.grid__check').click()
      await expect(shown.locator('.bar')).toHaveCount(2)
      await shown.locator('.document-actions .icon-button[aria-haspopup]').click()
      await expect(shown.getByRole('menuitem')).toBeVisible()
    },
  },
  {
    name: 'repaired',
    hash: '#/documents',
    changes: {
      'app.state': (answer) => ({
        ...restored(answer),
        dataDir: longPath,
        recovery: { ...recovery, how: 'repaired' },
        storageTrouble: 'damaged',
      }),
    },
    ready: async (shown) => {
      await expect(shown.locator('.bar')).toHaveCount(2)
      await expect(shown.locator('.grid__row')).toHaveCount(files.length)
    },
  },
  {
    name: 'folder-moves',
    hash: '#/folders',
    changes: {
      ...state({ callbackRoute: 'none' }),
      'folders.list': ({ folders }) => ({
        folders: folders.map(
          (folder): FolderRow => ({ ...folder, mode: 'async', afterwards: 'move', moveProblem: unmoved }),
        ),
      }),
    },
    ready: (shown) => expect(shown.locator('.folder-card .callout')).toBeVisible(),
  },
  {
    name: 'folder-dialog',
    hash: '#/folders',
    changes: {
      'app.state': (answer) => ({
        ...answer,
        callbackRoute: 'none',
        connections: answer.connections.map((connection) => ({ ...connection, baseUrl: 'https://api.example.com' })),
      }),
      'folders.list': ({ folders }) => ({ folders: folders.map((folder) => ({ ...folder, afterwards: 'move' })) }),
    },
    ready: async (shown) => {
      await shown.locator('.folder-card .icon-button').click()
      await shown.getByRole('menuitem').first().click()
      await expect(shown.getByRole('dialog').locator('.callout')).toBeVisible()
    },
  },
  {
    name: 'settings-callbacks-failed',
    hash: '#/settings',
    changes: callbacks({ ...byAddress, problem: unreturned, overdue: 3 }, 'failed'),
    ready: callbacksPanel,
  },
  {
    name: 'settings-callbacks-pairing',
    hash: '#/settings',
    changes: callbacks(withoutMailbox, 'none'),
    ready: async (shown) => {
      await callbacksPanel(shown)
      await shown.locator('.radio-cards--thirds .radio-card').nth(2).click()
      await expect(shown.locator('.pairing')).toBeVisible()
      await shown.locator('.pairing input').focus()
    },
  },
  {
    name: 'settings-callbacks-paired',
    hash: '#/settings',
    changes: callbacks({ ...paired, mailbox: { ...paired.mailbox!, problem: refused }, testing: true }, 'untested'),
    ready: callbacksPanel,
  },
  {
    name: 'settings-unpair',
    hash: '#/settings',
    changes: callbacks({ ...paired, awaited: 3 }, 'tested'),
    ready: async (shown) => {
      await shown.locator('.paired .button').click()
      await expect(shown.getByRole('alertdialog').getByRole('paragraph')).toHaveCount(2)
    },
  },
  {
    name: 'settings-data',
    hash: '#/settings',
    changes: {
      ...state({}),
      'storage.get': () => ({
        dataDir: longPath,
        databaseBytes: 73_400_000,
        recovery: null,
        lastFailure: { at: now - 600_000, problem: { code: 'storage_full', details: {} } },
        snapshots: [
          { at: now - 1_800_000, sizeBytes: 73_000_000, kind: 'hourly' },
          { at: now - 5_400_000, sizeBytes: 72_000_000, kind: 'manual' },
          { at: now - 3 * day, sizeBytes: 9_300_000, kind: 'migration' },
        ],
      }),
    },
    ready: showPanel(5),
  },
]

for (const look of looks) {
  test(
    `every state of lost answers, callbacks and the data folder looks at ease: ${titleOf(look)}`,
    forNight,
    async ({ browser }) => {
      const shown = await host.open(browser, contextOf(look))
      const heard = complaintsOf(shown)
      let changes: Changes = {}
      await changeAnswers(shown, () => changes)
      for (const scene of scenes) {
        await test.step(scene.name, async () => {
          changes = scene.changes ?? {}
          await openScreen(shown, host, scene.hash)
          await scene.ready(shown)
          await picture(shown, scene.name, look)
          await expectFitting(shown)
          await expectAccessible(shown)
        })
      }
      expect(heard).toEqual([])
      await shown.close()
    },
  )
}

test('documents whose answer was lost go again after a yes, one by one or all, and their attempts are linked', async () => {
  const confirm = page.getByRole('alertdialog')
  drops = false
  await go('#/documents')
  await page.getByRole('tab', { name: 'Outcome unclear' }).click()
  await expect(page.getByText('Sent, but the answers were lost. They may already be billed.')).toBeVisible()
  await row(files[0]!).locator('.grid__check').click()
  await page.getByRole('button', { name: 'Send 1 again (may be billed twice)…' }).click()
  await expect(confirm).toContainText('it may be billed twice')
  await confirm.getByRole('button', { name: 'Send again' }).click()
  await expect(page.getByText('1 document is sent again')).toBeVisible()
  await expect(page.getByRole('tab', { name: 'Outcome unclear' })).toContainText('2')
  await expect(page.getByRole('tab', { name: 'Ready' })).toContainText('1')

  // Under a search only what it finds is meant.
  await page.getByRole('searchbox').fill('brightwater')
  await page.getByRole('button', { name: 'Send it again…' }).click()
  await confirm.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('searchbox').fill('')
  await page.getByRole('button', { name: 'Send all 2 again…' }).click()
  await expect(confirm).toHaveAccessibleName('Send 2 documents again?')
  await confirm.getByRole('button', { name: 'Send again' }).click()
  await expect(page.getByText('No document is in this state at the moment.')).toBeVisible()
  await expect(page.getByRole('tab', { name: 'Ready' })).toContainText('3')
  expect(vendor.received).toHaveLength(2 * files.length)

  await page.getByRole('tab', { name: 'Ready' }).click()
  await row(files[0]!).click()
  await expect(page.getByText('again, after attempt 1; approved by you')).toBeVisible()
  await page.getByRole('button', { name: 'Read again' }).click()
  await expect(page.getByText('Read again: nothing changed.')).toBeVisible()
  await picture(page, 'lost-document-again', plain)
  expect(vendor.received).toHaveLength(2 * files.length)
})

test('a public address is tested by a message that comes back, and said to fail when none does', async () => {
  const office = await startForwarder()
  await go('#/settings')
  const panel = page.getByRole('region', { name: 'Callbacks' })
  await panel.getByText('Public address', { exact: true }).click()
  await panel
    .getByLabel('Public address')
    .last()
    .fill(elsewhere(`http://127.0.0.1:${office.port}`))
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(panel.getByText('Test failed')).toBeVisible()
  await expect(
    panel.getByText(/A test message sent to 0\.0\.0\.0:\d+ did not come back to Sheaf \(HTTP 502\)/),
  ).toBeVisible()

  office.lead(`http://127.0.0.1:${await panel.getByLabel('Port on this computer').inputValue()}`)
  await panel.getByRole('button', { name: 'Test now' }).click()
  await expect(panel.getByText('Works', { exact: true })).toBeVisible()
  await expect(panel.getByText(/^A test message came back on/)).toBeVisible()
  expect((await callCore(page, 'app.state', {})).callbackRoute).toBe('tested')

  await panel.getByText('No callbacks', { exact: true }).click()
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(panel.getByRole('button', { name: 'Test now' })).toHaveCount(0)
  expect((await callCore(page, 'callbacks.get', {})).route).toBe('none')
  office.close()
})

test('a mailbox is paired by its code, tested, and let go', forNight, async () => {
  const outside = await startForwarder()
  const dataDir = join(host.home, 'mailbox')
  const mailbox = startSheaf(
    ['mailbox', '--port', '0', '--data-dir', dataDir, '--public-url', `http://127.0.0.1:${outside.port}`],
    {},
  )
  await expect.poll(() => mailbox.output.stdout, { timeout: 30_000 }).toContain('READY')
  outside.lead(/READY (\S+)/.exec(mailbox.output.stdout)?.[1] ?? null)
  const code = (await sheaf(['mailbox', 'code', '--data-dir', dataDir], {})).stdout.trim()

  await go('#/settings')
  const panel = page.getByRole('region', { name: 'Callbacks' })
  await panel.getByText('Mailbox', { exact: true }).click()
  await panel.getByLabel('Pairing code').fill(`${code.slice(0, -4)}AAAA`)
  await panel.getByRole('button', { name: 'Pair' }).click()
  await expect(panel.getByRole('alert')).toContainText('This pairing code is not valid')
  await panel.getByLabel('Pairing code').fill(code)
  await panel.getByRole('button', { name: 'Pair' }).click()
  await expect(panel.getByText(`127.0.0.1:${outside.port}`)).toBeVisible()
  await expect(panel.getByText('Works', { exact: true })).toBeVisible()

  await panel.getByRole('button', { name: 'End the pairing…' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'End the pairing' }).click()
  await expect(page.getByText('The pairing is ended.')).toBeVisible()
  expect(await callCore(page, 'callbacks.get', {})).toMatchObject({ route: 'none', mailbox: null })
  mailbox.child.kill('SIGTERM')
  await mailbox.ended
  outside.close()
})

test('originals move to Done when the folder says so', async () => {
  const folder = join(host.home, 'Supplier invoices')
  await go('#/folders')
  await page.getByRole('button', { name: 'More for “Supplier invoices”' }).click()
  await page.getByRole('menuitem', { name: 'Change…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'After extraction' }).click()
  await page.getByRole('option', { name: 'Move to Done and Failed' }).click()
  await expect(dialog.getByText(/^Into “Done” in this folder once its values are stored/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('listitem', { name: 'Supplier invoices' })).toContainText('To Done and Failed')
  await expect
    .poll(() => files.map((file) => existsSync(join(folder, 'Done', file))), { timeout: 30_000 })
    .toEqual(files.map(() => true))
})

test('a database that broke is put together again, which the window says until it was read', async ({ browser }) => {
  await go('#/settings')
  const panel = page.getByRole('region', { name: 'Data folder' })
  await panel.getByRole('button', { name: 'Back up now' }).click()
  await expect(panel.getByRole('listitem').first()).toContainText('By you')
  await page.close()
  await host.stop({ keepHome: true })
  const path = join(host.home, 'data', 'sheaf.db')
  const bytes = readFileSync(path)
  bytes.fill(0xff, 4096)
  writeFileSync(path, bytes)

  host = await startHost(host.home)
  page = await host.open(browser)
  complaints = complaintsOf(page)
  const notice = page.getByRole('region', { name: 'The database was damaged and has been restored' })
  await expect(notice).toContainText('from the backup of')
  await expect(notice).toContainText(join(host.home, 'data'))
  await expect(notice).toContainText('Nothing is sent to Head office until you let it go on in the settings.')
  await notice.getByRole('link', { name: 'To the settings' }).click()
  await expect(page.getByText(/^The database was restored from a snapshot\./)).toBeVisible()
  await page.getByRole('button', { name: 'Go on' }).click()
  await expect(notice).not.toContainText('Head office')
  await notice.getByRole('button', { name: 'I have read this' }).click()
  await expect(notice).toHaveCount(0)
  expect((await callCore(page, 'app.state', {})).counts).toMatchObject({ done: files.length, unknown: 0 })
})

test('a data folder that is moved away stops sending, which the window says, until it is back in its place', async () => {
  await go('#/documents')
  const data = join(host.home, 'data')
  renameSync(data, `${data}-elsewhere`)
  const before = vendor.received.length
  folderWith(host, 'Supplier invoices', ['R2609-118.PDF'])
  const notice = page.getByRole('alert').filter({ hasText: 'The data folder was moved, deleted or replaced' })
  await expect(notice).toContainText('Put it back where it was, or quit Sheaf and start it again')
  await expect(notice).toContainText(data)
  await picture(page, 'data-folder-moved', plain)
  await expectAccessible(page)
  expect(vendor.received).toHaveLength(before)
  rmSync(data, { recursive: true, force: true })
  renameSync(`${data}-elsewhere`, data)
  await expect(notice).toHaveCount(0)
  await expect.poll(() => vendor.received.length).toBe(before + 1)
})
