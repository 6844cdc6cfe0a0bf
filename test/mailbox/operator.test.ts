import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import sodium from 'libsodium-wrappers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Mailbox } from '../../electron/mailbox/server.ts'
import { temporaryDir } from '../helpers/core.ts'
import { openSealed, pairBox, raw, startTestMailbox } from '../helpers/mailbox.ts'
import type { TestBox } from '../helpers/mailbox.ts'

/** What a callback carries that nobody but its desktop may read. */
const secrets = [
  'Zimmermann-Kanzlei-4711',
  'IBAN-DE02120300000000202051',
  'Kündigung Frau Öztürk.pdf',
  'extract-id-5f0c2a',
]
const token = 'Tok3n-of-the-attempt-0123456789abcdef'

let dir: ReturnType<typeof temporaryDir>
let mailbox: Mailbox
let box: TestBox
let lines: string[]

beforeEach(async () => {
  dir = temporaryDir()
  lines = []
  mailbox = await startTestMailbox(dir.path, { log: (line) => void lines.push(line) })
  box = await pairBox(mailbox.url, dir.path)
})
afterEach(async () => {
  await mailbox.close()
  dir.remove()
})

/** Everything the operator holds: database, journal, shared memory, lock, and what was logged. */
function held(): Buffer {
  const files = readdirSync(dir.path, { recursive: true, encoding: 'utf8' }).map((name) =>
    readFileSync(join(dir.path, name)),
  )
  return Buffer.concat([...files, Buffer.from(lines.join('\n'))])
}

/** As text, as UTF-16, and as the middle of base64. */
function spellings(text: string): Buffer[] {
  const bytes = Buffer.from(text)
  return [
    bytes,
    Buffer.from(text, 'utf16le'),
    ...[0, 1, 2].map((shift) => Buffer.from(bytes.subarray(shift).toString('base64').slice(0, -4))),
  ]
}

function found(): string[] {
  const bytes = held()
  return [...secrets, token, box.accessKey].filter((text) =>
    spellings(text).some((spelling) => bytes.includes(spelling)),
  )
}

async function sendCallbacks(): Promise<void> {
  const body = JSON.stringify({
    status: 'success',
    extract_id: secrets[3],
    data: { name: secrets[0], account: secrets[1] },
    metadata: { filename: secrets[2] },
  })
  for (const filler of [0, 1000, 300_000]) {
    const answer = await raw(`${mailbox.url}/in/${box.id}/${token}`, {
      method: 'POST',
      body: body + ' '.repeat(filler),
      headers: { 'content-type': 'application/json' },
    })
    expect(answer.status).toBe(200)
  }
  // And one that breaks off, of which some was on the disk.
  const socket = connect(Number(new URL(mailbox.url).port), '127.0.0.1')
  socket.write(`PUT /in/${box.id}/${token} HTTP/1.1\r\nhost: mailbox\r\ncontent-length: 2000000\r\n\r\n${body}`)
  await new Promise<void>((resolve) => socket.end(Buffer.alloc(900_000, ' '), resolve))
}

describe('the operator of a mailbox, who holds its files', () => {
  it('finds no value, file name, token or key in them, while callbacks wait and after they were fetched', async () => {
    await sendCallbacks()
    expect(found()).toEqual([])
    const messages = await box.messages()
    expect(openSealed(Buffer.from(messages[0]!.sealed!, 'base64url'), box)).toMatchObject({ head: { token } })
    await box.acknowledge(messages.map(({ id }) => id))
    expect(found()).toEqual([])
    await mailbox.close()
    expect(found()).toEqual([])
  })

  it('would find them if they were there', async () => {
    const db = new Sqlite(join(dir.path, 'mailbox.db'))
    db.prepare('UPDATE boxes SET name = ?').run(secrets[2])
    db.close()
    expect(found()).toEqual([secrets[2]])
  })

  it('cannot open one with any 32 bytes in them as the key', async () => {
    await sendCallbacks()
    const db = new Sqlite(join(dir.path, 'mailbox.db'), { readonly: true })
    const sealed = db.prepare<[], { sealed: Buffer }>('SELECT sealed FROM pieces WHERE number = 0').get()!.sealed
    const { public_key: publicKey } = db.prepare<[], { public_key: Buffer }>('SELECT public_key FROM boxes').get()!
    db.close()
    expect(publicKey.equals(Buffer.from(box.publicKey))).toBe(true)
    const opens = (privateKey: Uint8Array): boolean => {
      try {
        sodium.crypto_box_seal_open(sealed.subarray(0, 80), publicKey, privateKey)
        return true
      } catch {
        return false
      }
    }
    expect(opens(box.privateKey)).toBe(true)
    // The columns of the database, whole and hashed, and a sample of everything else.
    const everything = held()
    const candidates = [
      publicKey,
      sealed.subarray(0, 32),
      sealed.subarray(32, 64),
      sealed.subarray(48, 80),
      randomBytes(32),
    ]
    for (let at = 0; at + 32 <= everything.length; at += Math.max(1, Math.floor(everything.length / 2000)))
      candidates.push(everything.subarray(at, at + 32))
    expect(candidates.filter(opens)).toEqual([])
    expect(everything.includes(Buffer.from(box.privateKey))).toBe(false)
  })

  it('finds nothing of a sealed callback either once it was fetched: a key that is stolen later opens nothing', async () => {
    await sendCallbacks()
    const messages = await box.messages()
    const sealed = messages.map((message) => Buffer.from(message.sealed!, 'base64url'))
    const samples = sealed.flatMap((bytes) => [0, 100, bytes.length - 40].map((at) => bytes.subarray(at, at + 32)))
    // A few may stand on two pages of the file.
    expect(samples.filter((sample) => held().includes(sample)).length).toBeGreaterThan(samples.length / 2)
    await box.acknowledge(messages.map(({ id }) => id))
    await mailbox.close()
    expect(samples.filter((sample) => held().includes(sample))).toEqual([])
  })

  it('is told of pairings, not of callbacks', async () => {
    await sendCallbacks()
    expect(lines).toEqual([`Paired with «Front desk»: box ${box.id}.`])
  })
})
