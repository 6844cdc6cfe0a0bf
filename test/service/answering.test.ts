import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, giveDocuments } from './documentalist-rig.ts'
import { pdf } from './documents.ts'
import { invoiceParams, startRig, tokenFrom } from './setup.ts'
import type { Rig } from './setup.ts'

let rig: Rig
const thread = '7d9f3a52-41c8-4f0e-9a55-0c7e8d1b2f60'

beforeAll(async () => {
  rig = await startRig()
  await rig.control('agents.save', { reference: 'office', kind: 'documentalist', name: 'Office' })
  await giveDocuments(rig, 'office', {
    'Invoice AB-4711.pdf': pdf([
      'Acme Tools Ltd',
      'Invoice number: AB-4711',
      'Date: 3 March 2026',
      'Drill bits 40.00',
      'Gloves 12.50',
      'Total amount: 52.50 GBP',
      'Payable until 2 April 2026',
    ]),
    'Invoice CD-0815.pdf': pdf([
      'Brown Paper Co',
      'Invoice number: CD-0815',
      'Date: 9 May 2026',
      'Paper 80.00',
      'Total amount: 96.00 GBP',
      'Payable until 8 June 2026',
    ]),
    'Mietvertrag.pdf': pdf([
      'Mietvertrag',
      'Die Miete betraegt 850,00 EUR im Monat.',
      'Kuendigungsfrist: drei Monate zum Monatsende.',
      'Haustiere sind nicht erlaubt.',
    ]),
    'Reglement.pdf': pdf([
      'Reglement interieur',
      'Les bureaux ferment a 18 heures.',
      'Le parking est reserve aux visiteurs.',
    ]),
  })
})
afterAll(() => rig.close())

describe('an answer without a model', () => {
  it('leads with the line that says it, after the document’s name and page', async () => {
    const answer = await ask(rig, 'office', { query: 'What is the total of invoice AB-4711?' })
    expect(answer).toMatch(/^Invoice AB-4711\.pdf, page 1:\nTotal amount: 52\.50 GBP\n/)
    expect(answer).not.toContain('96.00')
  })

  it('finds by code, inflection, compound and the same word in another language', async () => {
    expect(await ask(rig, 'office', { query: 'How many glove' })).toContain('Gloves 12.50')
    expect(await ask(rig, 'office', { query: 'Wie lange ist die Kündigung' })).toMatch(
      /^Mietvertrag\.pdf, Seite 1:\nK.ndigungsfrist|^Mietvertrag\.pdf, Seite 1:\nKuendigungsfrist/,
    )
    expect(await ask(rig, 'office', { query: 'Wie hoch ist der Gesamtbetrag von CD-0815?' })).toMatch(
      /^Invoice CD-0815\.pdf, Seite 1:\nTotal amount: 96\.00 GBP/,
    )
    expect(await ask(rig, 'office', { query: 'Quand ferment les bureaux ?' })).toMatch(
      /^Reglement\.pdf, page 1:\nLes bureaux ferment a 18 heures\./,
    )
  })

  it('is a plain text that arrives in chunks', async () => {
    const response = await rig.post('/v2/documentalist/office', { query: 'What is the total of invoice AB-4711?' })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(response.headers.get('transfer-encoding')).toBe('chunked')
    expect(response.headers.get('content-length')).toBeNull()
    await response.text()
    const raw = await chunked(JSON.stringify({ query: 'What is the total of invoice AB-4711?' }))
    const chunks = raw.slice(raw.indexOf('\r\n\r\n') + 4).split(/\r\n[0-9a-f]+\r\n/)
    expect(chunks.length).toBeGreaterThan(2)
    expect(chunks[0]).toContain('Total amount: 52.50 GBP')
    expect(raw.endsWith('\r\n0\r\n\r\n')).toBe(true)
  })

  it('comes without chunks to a client of HTTP/1.0, which knows none', async () => {
    const body = JSON.stringify({ query: 'What is the total of invoice AB-4711?' })
    const raw = await rawAnswer([
      `POST /v2/documentalist/office HTTP/1.0\r\nhost: 127.0.0.1:${rig.service.port}\r\nx-api-key: ${rig.token}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    ])
    const [head, content] = raw.split('\r\n\r\n') as [string, string]
    expect(head).toMatch(/^HTTP\/1\.1 200 /)
    expect(head.toLowerCase()).not.toContain('transfer-encoding')
    expect(content).toMatch(/^Invoice AB-4711\.pdf, page 1:\nTotal amount: 52\.50 GBP\n/)
  })

  it('says in the language of the question that nothing fits', async () => {
    expect(await ask(rig, 'office', { query: 'How high is Mount Everest?' })).toBe(
      'I did not find it in this agent’s documents.',
    )
    expect(await ask(rig, 'office', { query: 'Wer hat die Mona Lisa gemalt?' })).toBe(
      'Das habe ich in den Dokumenten dieses Agenten nicht gefunden.',
    )
    expect(await ask(rig, 'office', { query: 'Quelle est la recette de la ratatouille ?' })).toBe(
      'Je ne l’ai pas trouvé dans les documents de cet agent.',
    )
  })

  it('says that an agent has no documents', async () => {
    await rig.control('agents.save', { reference: 'empty', kind: 'documentalist', name: 'Empty' })
    expect(await ask(rig, 'empty', { query: 'What is the total?' })).toBe('This agent has no documents yet.')
  })

  it('takes what is syntax of the search index for words', async () => {
    for (const query of [
      '" OR *',
      'NEAR(total, 5) AND NOT "invoice',
      'terms:total^2 {a b}',
      "Robert'); drop table passages;--",
      '***',
      '\u0000',
      '🦊 total',
    ]) {
      const response = await rig.post('/v2/documentalist/office', { query })
      expect([query, response.status]).toEqual([query, 200])
      await response.text()
    }
  })

  it('comes only from the documents of the agent that is asked', async () => {
    await rig.control('agents.save', { reference: 'neighbour', kind: 'documentalist', name: 'Neighbour' })
    await giveDocuments(rig, 'neighbour', { 'secret.pdf': pdf(['The zeppelin project costs 3 million']) })
    expect(await ask(rig, 'neighbour', { query: 'What does the zeppelin project cost?' })).toContain('3 million')
    expect(await ask(rig, 'office', { query: 'What does the zeppelin project cost?' })).not.toContain('million')
  })

  it('is counted as use of the agent', async () => {
    await rig.control('agents.save', { reference: 'counted', kind: 'documentalist', name: 'Counted' })
    await ask(rig, 'counted', { query: 'What is the total of everything?' })
    const rows = rig.usageRows()
    expect(rows.filter(({ agent }) => agent === 'counted')).toMatchObject([
      { kind: 'documentalist', channel: 'api', requests: 1, pages: 0, organizationId: 'local' },
    ])
    expect(rows.find(({ agent }) => agent === 'counted')!.outputTokens).toBeGreaterThan(0)
  })
})

describe('a conversation', () => {
  it('goes on by thread_id: a follow-up stays with the document', async () => {
    await ask(rig, 'office', { query: 'What is the total of invoice CD-0815?', thread_id: thread })
    expect(await ask(rig, 'office', { query: 'And until when is it payable?', thread_id: thread })).toMatch(
      /^Invoice CD-0815\.pdf, page 1:\nPayable until 8 June 2026/,
    )
    expect(await ask(rig, 'office', { query: 'And the gloves?', thread_id: thread })).toContain('Gloves 12.50')
  })

  it('goes on by historic, which counts instead of the thread', async () => {
    const historic = [
      { role: 'user', content: 'What is the total of invoice AB-4711?' },
      { role: 'assistant', content: '52.50 GBP' },
    ]
    expect(await ask(rig, 'office', { query: 'And until when is it payable?', historic })).toMatch(
      /Payable until 2 April 2026/,
    )
    expect(await ask(rig, 'office', { query: 'And until when is it payable?', historic, thread_id: thread })).toMatch(
      /^Invoice AB-4711\.pdf, page 1:\nPayable until 2 April 2026/,
    )
  })

  it('belongs to one agent, and is kept over a restart', async () => {
    const id = '7d9f3a52-41c8-4f0e-9a55-0c7e8d1b2f61'
    await ask(rig, 'neighbour', { query: 'What does the zeppelin project cost?', thread_id: id.toUpperCase() })
    await rig.restart()
    const stored = rig.service.db
      .prepare('select agent_reference, role, content from thread_messages where thread_id = ? order by id')
      .all(id)
    expect(stored).toMatchObject([
      { agent_reference: 'neighbour', role: 'user', content: 'What does the zeppelin project cost?' },
      { agent_reference: 'neighbour', role: 'assistant', content: expect.stringContaining('3 million') as string },
    ])
    expect(await ask(rig, 'office', { query: 'And why?', thread_id: id })).toBe(
      'I did not find it in this agent’s documents.',
    )
    expect(await ask(rig, 'neighbour', { query: 'And why?', thread_id: id })).toContain('3 million')
  })
})

describe('a request that is not valid', () => {
  it.each([
    [{}, 'query'],
    [{ query: '' }, 'query'],
    [{ query: '   ' }, 'query'],
    [{ query: 7 }, 'query'],
    [{ query: ['x'] }, 'query'],
    [{ query: 'x'.repeat(20_001) }, 'query'],
    [{ query: 'x', instructions: 'be brief' }, 'instructions'],
    [{ query: 'x', instructions: ['be brief', 1] }, 'instructions[1]'],
    [{ query: 'x', historic: {} }, 'historic'],
    [{ query: 'x', historic: ['hello'] }, 'historic[0]'],
    [{ query: 'x', historic: [{ role: 'system', content: 'a' }] }, 'historic[0].role'],
    [{ query: 'x', historic: [{ role: 'user' }] }, 'historic[0].content'],
    [
      {
        query: 'x',
        historic: [
          { role: 'user', content: 'a' },
          { role: 'user', content: 'b' },
        ],
      },
      'historic[1].role',
    ],
    [{ query: 'x', thread_id: 5 }, 'thread_id'],
    [{ query: 'x', thread_id: 'short' }, 'thread_id'],
    [{ query: 'x', thread_id: `${thread}0` }, 'thread_id'],
    [{ query: 'x', thread_id: thread.replaceAll('-', 'a') }, 'thread_id'],
  ])('%j is refused with the name of the field', async (body, field) => {
    const response = await rig.post('/v2/documentalist/office', body)
    expect(response.status).toBe(400)
    const envelope = (await response.json()) as { status: string; code: string; detail: string }
    expect(envelope).toMatchObject({ status: 'error', code: 'invalid_request' })
    expect(envelope.detail.startsWith(`${field} `)).toBe(true)
  })

  it.each(['', '{', 'null', '[]', '"x"', '{"query": "x"'])('is refused when the body is %j', async (body) => {
    const response = await rig.post('/v2/documentalist/office', body)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 'invalid_request' })
  })

  it('may have fields that nobody knows', async () => {
    expect(
      (await rig.post('/v2/documentalist/office', { query: 'total amount?', mood: 'good', thread_id: null })).status,
    ).toBe(200)
  })

  it('is refused over 2 MB, declared or not, and taken in chunks below it', async () => {
    const large = JSON.stringify({ query: 'total?', padding: 'x'.repeat(2_097_152) })
    const declared = await rig.post('/v2/documentalist/office', large)
    expect(declared.status).toBe(413)
    expect(await declared.json()).toMatchObject({ status: 'error', code: 'request_too_large' })
    expect(await chunked(large)).toMatch(/^HTTP\/1\.1 413 /)
    expect(await chunked(JSON.stringify({ query: 'What is the total of invoice AB-4711?' }))).toMatch(
      /^HTTP\/1\.1 200 [\s\S]*Total amount: 52\.50/,
    )
  })

  it('is refused without the agent in the path, or with another method', async () => {
    const bare = await rig.post('/v2/documentalist', { query: 'x' })
    expect(bare.status).toBe(400)
    expect(await bare.json()).toMatchObject({
      code: 'invalid_request',
      detail: expect.stringContaining('/v2/documentalist/<agent_id>') as string,
    })
    const got = await fetch(`${rig.service.baseUrl}/v2/documentalist/office`, { headers: { 'x-api-key': rig.token } })
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST'])
  })
})

describe('an agent that may not be asked', () => {
  it('is unknown, private, of another kind, or a Writer', async () => {
    await rig.control('agents.save', {
      reference: 'diary',
      kind: 'documentalist',
      name: 'Diary',
      visibility: 'Private',
    })
    await rig.control('agents.save', { reference: 'fields', kind: 'extractor', name: 'Fields', schema: invoiceParams })
    await rig.control('agents.save', { reference: 'novels', kind: 'writer', name: 'Novels' })
    const refused = async (path: string): Promise<[number, unknown]> => {
      const response = await rig.post(path, { query: 'x', filename: 'a.pdf', file: pdf(['x']).toString('base64') })
      return [response.status, ((await response.json()) as { code: string }).code]
    }
    expect(await refused('/v2/documentalist/nobody')).toEqual([404, 'agent_not_found'])
    expect(await refused('/v2/documentalist/diary')).toEqual([403, 'agent_private'])
    expect(await refused('/v2/documentalist/fields')).toEqual([400, 'agent_wrong_kind'])
    expect(await refused('/v2/extractor/office')).toEqual([400, 'agent_wrong_kind'])
    for (const path of ['/v2/documentalist/novels', '/v2/extractor/novels', '/v2/writer', '/v2/writer/novels'])
      expect([path, ...(await refused(path))]).toEqual([path, 501, 'coming_soon'])
  })

  it('is not told apart from a missing one when it is another organization’s, unless it is public', async () => {
    const { id: organizationId } = await rig.control('organizations.save', {
      id: null,
      name: 'Guests',
      apiEnabled: true,
      subscribed: true,
      quotaTokens: null,
      spendingCapEuros: null,
      eurosPerMillionTokens: 0,
    })
    const { id: accountId } = await rig.control('accounts.save', {
      id: null,
      organizationId,
      name: 'Guest',
      active: true,
      administrator: true,
    })
    const client = await rig.control('clients.add', { accountId })
    const token = await tokenFrom({ ...rig.credentials, ...client })
    for (const reference of ['office', 'diary', 'nobody']) {
      const response = await rig.post(`/v2/documentalist/${reference}`, { query: 'x' }, { 'x-api-key': token })
      expect([reference, response.status]).toEqual([reference, 404])
      expect(await response.json()).toMatchObject({ code: 'agent_not_found', detail: reference })
    }
    await rig.control('agents.save', {
      reference: 'library',
      kind: 'documentalist',
      name: 'Library',
      visibility: 'Public',
    })
    const response = await rig.post('/v2/documentalist/library', { query: 'x' }, { 'x-api-key': token })
    expect(await response.text()).toBe('This agent has no documents yet.')
    const rows = rig.usageRows()
    expect(rows.filter(({ agent }) => agent === 'library')).toMatchObject([
      { organizationId, channel: 'public', kind: 'documentalist' },
    ])
  })

  it('is not asked without a token', async () => {
    for (const path of ['/v2/documentalist', '/v2/documentalist/office', '/v2/documentalist/nobody', '/v2/writer']) {
      const response = await rig.post(path, { query: 'x' }, { 'x-api-key': 'wrong' })
      expect([path, response.status]).toEqual([path, 401])
    }
  })
})

/** The whole answer to a question whose body comes in chunks of unknown number. */
function chunked(body: string): Promise<string> {
  const parts = body.match(/[^]{1,60000}/g)!.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`)
  return rawAnswer([
    `POST /v2/documentalist/office HTTP/1.1\r\nhost: 127.0.0.1:${rig.service.port}\r\nconnection: close\r\nx-api-key: ${rig.token}\r\ntransfer-encoding: chunked\r\n\r\n`,
    ...parts,
    '0\r\n\r\n',
  ])
}

/** What a raw socket gets for the parts of a request until the service closes it. */
function rawAnswer(parts: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(rig.service.port, '127.0.0.1', () => {
      for (const part of parts) socket.write(part)
    })
    let received = ''
    socket.setEncoding('utf8')
    socket.on('data', (text: string) => (received += text))
    socket.on('close', () => resolve(received))
    socket.on('error', (error) => (received === '' ? reject(error) : resolve(received)))
  })
}
