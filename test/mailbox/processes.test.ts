import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fileSecrets } from '../../electron/system/secret-file.ts'
import { expectInvariants } from '../faults/invariants.ts'
import { addFolder, pdfBytes, startTestCore, temporaryDir, until } from '../helpers/core.ts'
import { elsewhere } from '../helpers/elsewhere.ts'
import { freePort } from '../helpers/free-port.ts'
import { openSealed, pairBox, raw } from '../helpers/mailbox.ts'
import { sheaf, startSheaf } from '../helpers/sheaf.ts'
import type { Run, Running } from '../helpers/sheaf.ts'
import { startVendor, successBody, vendorCredentials } from '../helpers/vendor.ts'
import { scaled } from '../helpers/scale.ts'

let dir: ReturnType<typeof temporaryDir>
let port: number
let running: Running[]
const at = (...parts: string[]): string => join(dir.path, ...parts)

beforeEach(async () => {
  dir = temporaryDir()
  port = await freePort()
  running = []
})
afterEach(async () => {
  for (const each of running) await kill(each)
  dir.remove()
})

async function startProcess(args: string[]): Promise<Running> {
  const process = startSheaf(args, { SHEAF_DATA_DIR: at('data') })
  running.push(process)
  await until(
    () => process.output.stdout.includes('READY') || process.output.code !== null,
    `sheaf ${args[0]} to be ready`,
  )
  expect(process.output.code, process.output.stderr).toBeNull()
  return process
}

/** As the power cut does it. */
async function kill({ child, ended }: Running): Promise<void> {
  child.kill('SIGKILL')
  await ended
}

const mailboxArguments = (): string[] => [
  'mailbox',
  '--data-dir',
  at('mailbox'),
  '--port',
  String(port),
  '--public-url',
  `http://127.0.0.1:${port}`,
]
const startMailboxProcess = () => startProcess(mailboxArguments())
const command = (...args: string[]): Promise<Run> =>
  sheaf(['mailbox', ...args, '--data-dir', at('mailbox')], { SHEAF_DATA_DIR: at('data') })
const boxes = async (): Promise<{ id: string; name: string; messages: number }[]> =>
  JSON.parse((await command('list', '--json')).stdout) as { id: string; name: string; messages: number }[]

describe('sheaf mailbox', () => {
  it('makes codes beside the running server, lists and removes what is paired, and says what to do where there is none', async () => {
    expect(await command('list')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no mailbox in') as string,
    })
    const mailbox = await startMailboxProcess()
    const url = /^READY (\S+)\n$/.exec(mailbox.output.stdout)![1]!
    const { code, stdout } = await command('code')
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^sheaf-mailbox-[\w-]+\n$/)])
    const { secret, ...rest } = JSON.parse(
      Buffer.from(stdout.trim().slice('sheaf-mailbox-'.length), 'base64url').toString(),
    ) as { url: string; secret: string }
    expect(rest).toEqual({ url: `http://127.0.0.1:${port}` })
    const body = JSON.stringify({ publicKey: 'p'.repeat(43), accessKeyHash: 'a'.repeat(43), name: 'Front desk' })
    expect(
      (await raw(`${url}/v1/boxes`, { method: 'POST', headers: { authorization: `Bearer ${secret}` }, body })).status,
    ).toBe(200)
    const [box] = await boxes()
    expect(box).toMatchObject({ name: 'Front desk', messages: 0 })
    expect(await command('remove', box!.id)).toMatchObject({ code: 0, stdout: `Removed the box ${box!.id}.\n` })
    expect(read(at('mailbox', 'mailbox.db'), (db) => db.prepare('SELECT count(*) FROM boxes').pluck().get())).toBe(0)
    expect(mailbox.output.stdout + mailbox.output.stderr).not.toContain(secret)
  })

  it('has everything that it answered 200, when it is killed while callbacks come', async () => {
    const first = await startMailboxProcess()
    const url = `http://127.0.0.1:${port}`
    const box = await pairBox(url, at('mailbox'))
    const taken: string[] = []
    const next = { index: 0 }
    // Small ones, and some of several pieces, four at a time until nobody answers.
    const caller = async (): Promise<void> => {
      for (;;) {
        const index = next.index++
        const token = `token-${index}`
        const { status } = await raw(`${url}/in/${box.id}/${token}`, {
          method: 'POST',
          body: `${token} `.repeat(index % 5 === 0 ? 60_000 : 10),
        })
        if (status === 200) taken.push(token)
      }
    }
    const callers = Array.from({ length: 4 }, () => caller().catch(() => 'nobody answers'))
    await until(() => taken.length >= 60, 'callbacks to be taken')
    await kill(first)
    await Promise.all(callers)
    await startMailboxProcess()
    // An answer has as many as fit into it; on a busy computer more were taken before the kill.
    const messages = await box.messages()
    for (let more = await box.messages(); more.length > 0; more = await box.messages()) messages.push(...more)
    const found = messages.map(({ sealed }) => openSealed(Buffer.from(sealed!, 'base64url'), box))
    for (const { head, body } of found) expect(body.toString('utf8').split(' ')[0]).toBe(head['token'])
    const kept = found.map(({ head }) => head['token'])
    expect(taken.filter((token) => !kept.includes(token))).toEqual([])
    // At most those whose 200 never arrived are there besides.
    expect(kept.length - taken.length).toBeLessThanOrEqual(4)
    const db = new Sqlite(at('mailbox', 'mailbox.db'), { readonly: true })
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
    db.close()
  })
})

describe('a mailbox on a disk that takes no more', () => {
  it('answers no callback 200 that it did not keep', async () => {
    // Files of this process end at 2 MB (in blocks of 512 bytes), as on a full disk.
    const limited = startSheaf(mailboxArguments(), { SHEAF_DATA_DIR: at('data') }, undefined, {
      before: 'ulimit -f 4096',
    })
    running.push(limited)
    await until(() => limited.output.stdout.includes('READY'), 'the mailbox to be ready')
    const url = `http://127.0.0.1:${port}`
    const box = await pairBox(url, at('mailbox'))
    const taken: string[] = []
    const refused: number[] = []
    for (let index = 0; refused.length < 3 && index < 100; index++) {
      const { status } = await raw(`${url}/in/${box.id}/token-${index}`, { method: 'POST', body: 'x'.repeat(300_000) })
      if (status === 200) taken.push(`token-${index}`)
      else refused.push(status)
    }
    expect([taken.length > 0, refused.every((status) => status === 503 || status === 507), refused.length]).toEqual([
      true,
      true,
      3,
    ])
    const handedOut = async (): Promise<unknown[]> =>
      (await box.messages('?release=1')).map(
        ({ sealed }) => openSealed(Buffer.from(sealed!, 'base64url'), box).head['token'],
      )
    expect(await handedOut()).toEqual(taken)
    await kill(limited)
    // The journal is as large as it may be already.
    const again = startSheaf(
      [...mailboxArguments().slice(0, -1), 'http://other.test'],
      { SHEAF_DATA_DIR: at('data') },
      undefined,
      { before: 'ulimit -f 64' },
    )
    running.push(again)
    await until(() => again.output.stdout.includes('READY'), 'the mailbox to be ready again')
    expect(await handedOut()).toEqual(taken)
    await kill(again)
    await startMailboxProcess()
    expect(await handedOut()).toEqual(taken)
  })
})

const documents = scaled(12, 100)

describe('desktop and mailbox, two processes', () => {
  it('F34: callbacks that come while the desktop is down are all there after its start, and none is left at the mailbox', async () => {
    const callbacks = new Map<string, string>()
    const vendor = await startVendor(({ filename, callback }) => {
      callbacks.set(filename, callback!)
      return { body: JSON.stringify({ status: 'started', extract_id: `extract-${filename}` }) }
    })
    await startMailboxProcess()
    await setUpDesktop({ ...vendor, baseUrl: elsewhere(vendor.baseUrl) })

    const desktop = await startProcess(['serve'])
    await until(() => desktopStatuses()['waiting'] === documents, 'the vendor to have accepted all documents')
    await kill(desktop)

    const names = [...callbacks.keys()]
    expect(names).toHaveLength(documents)
    const answers = await Promise.all(names.map((name) => vendor.callBack(callbacks.get(name)!, successBody(name))))
    expect(new Set(answers)).toEqual(new Set([200]))
    expect(await boxes()).toMatchObject([{ messages: documents }])
    expect(desktopStatuses()).toEqual({ waiting: documents })

    await startProcess(['serve'])
    await until(() => desktopStatuses()['done'] === documents, 'all results')
    await until(() => mailboxMessages() === 0, 'the mailbox to be empty')
    const paths = names.map((name) => at('in', name))
    expect(values()).toEqual(names.map((name) => name.replace('.pdf', '')).sort())
    expectInvariants(at('data'), { paths, billable: vendor.received.length, filesSent: documents, approvedResends: 0 })
    await vendor.close()
  })
})

/** Pairs with the code of `sheaf mailbox code`, and watches a folder with its documents. */
async function setUpDesktop(vendor: Parameters<typeof addFolder>[1]): Promise<void> {
  mkdirSync(at('in'))
  for (let index = 0; index < documents; index++)
    writeFileSync(at('in', `invoice-${index}.pdf`), pdfBytes(`invoice ${index}`))
  const core = await startTestCore(at('data'), { secrets: fileSecrets(at('data')) })
  const { stdout } = await command('code')
  expect((await core.handlers['callbacks.pair']({ code: stdout })).mailbox).toMatchObject({
    url: `http://127.0.0.1:${port}`,
    problem: null,
  })
  const folder = addFolder(core, vendor, { path: at('in'), mode: 'async' })
  await fileSecrets(at('data')).set(folder.connectionId, vendorCredentials.clientSecret)
  core.context.tables.settings.update({ concurrency: 8 })
  await core.stop()
}

function read<T>(path: string, work: (db: Sqlite.Database) => T): T {
  const db = new Sqlite(path, { readonly: true })
  try {
    return work(db)
  } finally {
    db.close()
  }
}

function desktopStatuses(): Record<string, number> {
  return read(at('data', 'sheaf.db'), (db) =>
    Object.fromEntries(
      db
        .prepare<[], { status: string; count: number }>(
          'SELECT status, count(*) AS count FROM documents GROUP BY status',
        )
        .all()
        .map((row) => [row.status, row.count]),
    ),
  )
}

function mailboxMessages(): number {
  return read(
    at('mailbox', 'mailbox.db'),
    (db) => db.prepare("SELECT count(*) FROM messages WHERE state <> 'gone'").pluck().get() as number,
  )
}

/** The invoice numbers of all results. */
function values(): string[] {
  return read(at('data', 'sheaf.db'), (db) =>
    db
      .prepare<[], { records: string }>('SELECT records FROM results')
      .all()
      .map(({ records }) => (JSON.parse(records) as { invoice_number: string }[])[0]!.invoice_number)
      .sort(),
  )
}
