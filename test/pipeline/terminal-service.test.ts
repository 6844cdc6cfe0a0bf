import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { simpleSchema, temporaryDir, until } from '../helpers/core.ts'
import { startModelServer } from '../helpers/model-server.ts'
import { forNight } from '../helpers/scale.ts'
import { sheaf, startSheaf } from '../helpers/sheaf.ts'
import type { Run, Running } from '../helpers/sheaf.ts'
import { openTerminal } from '../helpers/terminal.ts'
import type { Terminal } from '../helpers/terminal.ts'
import { pdf } from '../service/documents.ts'

/** Control characters other than the end of a line. */
const hiddenSigns = /[^\P{Cc}\n]/u

let dir: { path: string; remove: () => void }
let service: Running
let terminal: Terminal
const at = (...parts: string[]): string => join(dir.path, ...parts)
const run = (...args: string[]): Promise<Run> => terminal.run(...args)
/** In a process of its own, which has to end by itself. */
const started = (...args: string[]): Promise<Run> => sheaf(args, { SHEAF_DATA_DIR: at('data') }, dir.path)

/** The JSON that a command prints; it must have ended well. */
async function json<T>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await run(...args, '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout) as T
}

async function serviceFile(): Promise<{ baseUrl: string; clientId: string; clientSecret: string }> {
  return JSON.parse(await readFile(at('data', 'service', 'service.json'), 'utf8')) as {
    baseUrl: string
    clientId: string
    clientSecret: string
  }
}

async function askToken(client: { clientId: string; clientSecret: string }): Promise<Response> {
  const { baseUrl } = await serviceFile()
  return fetch(
    `${baseUrl}/v2/token?${new URLSearchParams({ client_id: client.clientId, client_secret: client.clientSecret }).toString()}`,
  )
}

beforeAll(async () => {
  dir = temporaryDir()
  await writeFile(at('schema.json'), JSON.stringify(simpleSchema))
  service = startSheaf(['service'], { SHEAF_DATA_DIR: at('data') }, dir.path)
  await until(() => service.output.stdout.includes('READY'), 'the service to be ready')
  terminal = openTerminal({ SHEAF_DATA_DIR: at('data') }, dir.path)
})
afterAll(async () => {
  terminal.close()
  service.child.kill()
  await service.ended
  dir.remove()
})

describe('sheaf agents', () => {
  it('adds an Extractor with its schema, lists it and removes it', async () => {
    const added = await run(
      'agents',
      'add',
      'Invoices',
      '--kind',
      'extractor',
      '--schema',
      'schema.json',
      '--reference',
      'inv',
      '--visibility',
      'public',
    )
    expect(added).toEqual({ code: 0, stdout: 'inv\n', stderr: '' })
    expect(await json('agents', 'list')).toMatchObject([
      {
        reference: 'inv',
        kind: 'extractor',
        name: 'Invoices',
        visibility: 'Public',
        organizationId: 'local',
        schema: simpleSchema,
      },
    ])
    const list = await run('agents', 'list')
    expect(list.stdout).toMatch(
      /^Reference +Kind +Visibility +Name +Organization +Has\ninv +extractor +Public +Invoices +local +\d fields\n$/,
    )
    const removed = await run('agents', 'remove', 'inv')
    expect(removed).toEqual({ code: 0, stdout: 'Removed the agent inv.\n', stderr: '' })
    expect(await json('agents', 'list')).toEqual([])
  })

  it('refuses a reference that is taken, and changes nothing', async () => {
    expect((await run('agents', 'add', 'First', '--kind', 'documentalist', '--reference', 'taken')).code).toBe(0)
    const again = await run('agents', 'add', 'Second', '--kind', 'documentalist', '--reference', 'taken')
    expect(again.code).toBe(2)
    expect(again.stderr).toContain('taken already')
    expect(await json('agents', 'list')).toMatchObject([{ name: 'First' }])
    expect((await run('agents', 'remove', 'taken')).code).toBe(0)
  })

  it('adds documents to a Documentalist, waits until they are read, and names those that cannot be', async () => {
    const { reference } = await json<{ reference: string }>('agents', 'add', 'Handbook', '--kind', 'documentalist')
    expect(reference).toHaveLength(36)
    await writeFile(at('good.pdf'), pdf(['Whoever is ill calls the office before nine.']))
    await writeFile(at('bad.pdf'), '%PDF-1.4\nthat is all\n%%EOF')
    await writeFile(at('notes.txt'), 'no document')
    const added = await run('agents', 'add-documents', reference, 'good.pdf', 'bad.pdf', 'notes.txt')
    expect(added).toMatchObject({ code: 1, stdout: '' })
    expect(added.stderr).toContain('2 added, 1 skipped')
    expect(added.stderr).toMatch(/notes\.txt: Files of type \.txt are not read/)
    expect(added.stderr).toContain(`reading goes on in the background: sheaf agents documents ${reference}`)
    expect(added.stderr).toMatch(/bad\.pdf: .*damaged/)
    const documents = await json<{ id: string; name: string; state: string }[]>('agents', 'documents', reference)
    expect(documents.map(({ name, state }) => `${name} ${state}`).sort()).toEqual(['bad.pdf failed', 'good.pdf ready'])
    expect(
      (await run('agents', 'remove-document', reference, documents.find(({ name }) => name === 'bad.pdf')!.id)).code,
    ).toBe(0)
    expect(await json('agents', 'documents', reference)).toMatchObject([{ name: 'good.pdf' }])
    expect(await json('agents', 'list')).toMatchObject([{ reference, ready: 1, reading: 0, failed: 0 }])
  })

  it('fails for a file that was named and not taken, but not for one of a folder, nor for one that is there already', async () => {
    const { reference } = await json<{ reference: string }>('agents', 'add', 'Named', '--kind', 'documentalist')
    await mkdir(at('mixed'))
    await writeFile(at('mixed', 'fine.pdf'), pdf(['All of it can be read.']))
    await writeFile(at('mixed', 'notes.txt'), 'no document')
    expect(await run('agents', 'add-documents', reference, 'mixed')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('notes.txt: ') as string,
    })
    expect(await run('agents', 'add-documents', reference, join('mixed', 'fine.pdf'))).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('fine.pdf: is there already') as string,
    })
    expect(await run('agents', 'add-documents', reference, join('mixed', 'notes.txt'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('notes.txt: ') as string,
    })
    await run('agents', 'remove', reference)
  })

  it('says that a Documentalist is needed where documents are given to an Extractor', async () => {
    await run('agents', 'add', 'Invoices', '--kind', 'extractor', '--schema', 'schema.json', '--reference', 'fields')
    const { code, stderr } = await run('agents', 'add-documents', 'fields', 'schema.json')
    expect(code).toBe(2)
    expect(stderr).toMatch(/«Invoices».*extractor.*Only a Documentalist/)
    await run('agents', 'remove', 'fields')
  })

  it('says when a name is there already', async () => {
    await run('agents', 'add', 'Twice', '--kind', 'documentalist', '--reference', 'once')
    const again = await run('agents', 'add', 'Twice', '--kind', 'documentalist', '--reference', 'again')
    expect(again).toEqual({ code: 0, stdout: 'again\n', stderr: 'Note: there is another agent called «Twice».\n' })
    for (const reference of ['once', 'again']) await run('agents', 'remove', reference)
  })

  it.each(['extract', 'watch', 'serve', 'service', 'agents', 'access', 'models', 'deliveries'])(
    'explains sheaf %s with --help, -h and help',
    async (command) => {
      const help = await run(command, '--help')
      expect(help).toMatchObject({ code: 0, stderr: '' })
      expect(help.stdout).toMatch(new RegExp(`^sheaf ${command} `))
      expect(await run('help', command)).toEqual(help)
      if (command === 'access') expect(await run('access', 'list', '-h')).toEqual(help)
    },
  )

  it.each([
    [['agents'], 'agents list'],
    [['agents', 'foo'], '«sheaf agents foo»'],
    [['agents', 'add', 'X', '--kind', 'writer'], 'coming soon'],
    [['agents', 'add', '', '--kind', 'documentalist'], 'Name the agent'],
    [['agents', 'add', 'X', '--kind', 'documentalist', '--organization', ''], '--organization is empty'],
    [['access', 'add-organization', 'Acme', '--quota', '-5'], '--quota needs a value'],
    [['access', 'add-organization', 'Acme', '--quota', '1.000'], 'digits only, such as 1000000'],
    [['access', 'add-organization', 'Acme', '--quota', '1e3'], 'digits only'],
    [['access', 'add-organization', 'Acme', '--cap', '1.000'], '12 or 12.50'],
    [['access', 'add-organization', 'Acme', '--cap', '12,50'], '12 or 12.50'],
    [['access', 'add-organization', 'Acme', '--price', 'none'], '2 or 2.50'],
    [
      ['access', 'add-account', 'Eva', '--organization', 'Zweite GmbH'],
      'There is no organization with the ID «Zweite GmbH»',
    ],
    [['models', 'set', '--url', '127.0.0.1:48125', '--large', 'big'], 'http://'],
    [['models', 'set', '--url', 'localhost:48125', '--large', 'big'], 'http://'],
    [['service', '--port', '1.000'], '--port'],
    [['agents', 'add'], 'Name the agent'],
    [['agents', 'add', 'X'], '--kind'],
    [['agents', 'add', 'X', '--kind', 'extractor'], '--schema'],
    [['agents', 'add', 'X', '--kind', 'documentalist', '--schema', 'schema.json'], 'no schema'],
    [['agents', 'add', 'X', '--kind', 'documentalist', '--visibility', 'everyone'], 'Public'],
    [['agents', 'add-documents', 'ref'], 'add-documents REFERENCE PATH'],
    [['access', 'add-account', 'Ada'], '--organization'],
    [['access', 'add-organization', 'Acme', '--quota', 'much'], '--quota'],
    [['access', 'set-organization', 'local', '--api', 'off'], '--api is yes or no'],
    [['access', 'set-account', 'nobody', '--active', 'no'], 'access list'],
    [['models', 'set', '--url', 'not an address', '--large', 'big'], '--url'],
    [['models', 'set'], '--url URL'],
    [['deliveries', 'forget'], 'deliveries list'],
    [['deliveries', 'list', 'all'], 'all'],
    [['service', '--allow-everything'], 'allow-everything'],
  ])('says what to write instead of %j', async (args, said) => {
    const { code, stdout, stderr } = await run(...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(said)
  })

  it('lists the whole of a long reference, which is needed to name the agent', async () => {
    const reference = `handbook-${'x'.repeat(90)}`
    expect((await run('agents', 'add', 'A', '--kind', 'documentalist', '--reference', reference)).code).toBe(0)
    expect((await run('agents', 'list')).stdout).toMatch(new RegExp(`^${reference} +documentalist`, 'm'))
    expect((await run('agents', 'remove', reference)).code).toBe(0)
  })

  it.each([
    [['deliveries', 'list', 'no\u001b[2Jthing']],
    [['access', 'set-organization', 'local', '--api', '\u009b2J']],
    [['\u001b[2J']],
  ])('shows what would steer the terminal as signs when it says what is wrong: %j', async (args) => {
    const { stderr } = await run(...args)
    expect(stderr).toMatch(/\\u00(1b|9b)/)
    expect(stderr).not.toMatch(hiddenSigns)
  })

  it.each([
    [['agents', 'remove', 'nothing'], 'Not found: agent nothing.'],
    [['agents', 'documents', 'nothing'], 'Not found: agent nothing.'],
    [['deliveries', 'retry', 'nothing'], 'Not found: delivery nothing.'],
    [['access', 'remove-client', 'nothing'], 'Not found: client nothing.'],
  ])('says in one sentence what there is not: %j', async (args, said) => {
    expect(await run(...args)).toEqual({ code: 1, stdout: '', stderr: `${said}\n` })
  })
})

describe('sheaf access', () => {
  it('makes an organization, an account and a client that gets a token, and takes it away again', async () => {
    const { id: organization } = await json<{ id: string }>(
      'access',
      'add-organization',
      'Acme',
      '--quota',
      '1000',
      '--cap',
      '5',
      '--price',
      '2.5',
    )
    const { id: account } = await json<{ id: string }>('access', 'add-account', 'Ada', '--organization', organization)
    const client = await json<{ clientId: string; clientSecret: string }>(
      'access',
      'add-client',
      account,
      '--name',
      'Import',
    )
    expect((await askToken(client)).status).toBe(200)
    const listed = await json<{ organizations: { id: string }[]; clients: object[] }>('access', 'list')
    expect(listed.organizations.find(({ id }) => id === organization)).toMatchObject({
      name: 'Acme',
      quotaTokens: 1000,
      spendingCapEuros: 5,
      eurosPerMillionTokens: 2.5,
      month: { tokens: 0 },
    })
    expect(JSON.stringify(listed)).not.toContain(client.clientSecret)

    expect((await run('access', 'set-account', account, '--administrator', 'no')).code).toBe(0)
    expect((await askToken(client)).status).toBe(403)
    expect((await run('access', 'set-account', account, '--administrator', 'yes')).code).toBe(0)
    const stored = await run('access', 'set-organization', organization, '--cap', 'none', '--api', 'no')
    expect(stored).toMatchObject({ code: 0, stderr: '' })
    expect(stored.stdout).toMatch(
      /API +no\n[^]*Quota +1000 tokens a month\nCap +none\nPrice +2\.5 € for a million tokens/,
    )
    const after = await json<{ organizations: { id: string }[] }>('access', 'list')
    expect(after.organizations.find(({ id }) => id === organization)).toMatchObject({
      name: 'Acme',
      apiEnabled: false,
      quotaTokens: 1000,
      spendingCapEuros: null,
    })

    expect(await run('access', 'remove-client', client.clientId)).toEqual({
      code: 0,
      stdout: `Removed the client ${client.clientId}.\n`,
      stderr: '',
    })
    expect((await askToken(client)).status).toBe(401)
  })

  it('keeps the client of this computer, without which nothing could be extracted', async () => {
    const { clientId } = await serviceFile()
    const { code, stderr } = await run('access', 'remove-client', clientId)
    expect(code).toBe(1)
    expect(stderr).toContain('the client of this computer itself')
    expect((await askToken(await serviceFile())).status).toBe(200)
  })

  it('shows a person where everything stands', async () => {
    const { stdout } = await started('access', 'list')
    expect(stdout).toMatch(/local +This computer +yes +yes +none +none +0 +0 +0\.00/)
    expect(stdout).not.toContain((await serviceFile()).clientSecret)
  })
})

describe('sheaf models', () => {
  it('names a server, keeps its key out of sight, and forgets it', async () => {
    const server = await startModelServer()
    try {
      const withKey = await sheaf(
        ['models', 'set', '--url', server.baseUrl, '--large', 'big', '--json'],
        { SHEAF_DATA_DIR: at('data'), SHEAF_MODEL_KEY: 'very-secret' },
        dir.path,
      )
      expect(withKey).toMatchObject({ code: 0, stderr: '' })
      expect(withKey.stdout).not.toContain('very-secret')
      expect(JSON.parse(withKey.stdout)).toEqual({ baseUrl: server.baseUrl, hasKey: true, large: 'big', small: null })
      expect(await json('models', 'set', '--small', 'tiny')).toEqual({
        baseUrl: server.baseUrl,
        hasKey: true,
        large: 'big',
        small: 'tiny',
      })
      expect((await run('models', 'show')).stdout).toMatch(/svc-large +big\nsvc-small +tiny/)
      expect(await json('models', 'clear')).toEqual({ baseUrl: null, hasKey: false, large: null, small: null })
    } finally {
      await server.close()
    }
  })

  it('keeps the models for the same server only, and takes one off', async () => {
    const [first, second] = [await startModelServer(), await startModelServer(undefined, { models: ['other'] })]
    try {
      await json('models', 'set', '--url', first.baseUrl, '--large', 'big', '--small', 'tiny')
      expect(await json('models', 'set', '--url', first.baseUrl.replace('/v1', '/v1/chat/completions'))).toMatchObject({
        large: 'big',
        small: 'tiny',
      })
      expect(await json('models', 'set', '--large', 'none')).toMatchObject({ large: null, small: 'tiny' })
      expect((await run('models', 'set', '--url', second.baseUrl)).stderr).toContain('Name a model')
      expect(await json('models', 'set', '--url', second.baseUrl, '--large', 'other')).toEqual({
        baseUrl: second.baseUrl,
        hasKey: false,
        large: 'other',
        small: null,
      })
      expect(await json('models', 'set', '--large', 'none')).toEqual({
        baseUrl: second.baseUrl,
        hasKey: false,
        large: null,
        small: null,
      })
    } finally {
      await Promise.all([first.close(), second.close()])
      await run('models', 'clear')
    }
  })

  it('shows long names whole, and what would steer the terminal as signs', async () => {
    const long = `registry.example/${'a'.repeat(80)}:latest`
    const server = await startModelServer(undefined, { models: [`evil\u001b]0;owned\u0007\u009b2J`, long] })
    try {
      const { stderr } = await run('models', 'set', '--url', server.baseUrl)
      expect(stderr).toContain(`evil\\u001b]0;owned\\u0007\\u009b2J, ${long}`)
      expect(stderr).not.toMatch(hiddenSigns)
      expect((await run('models', 'set', '--url', server.baseUrl, '--large', long)).stdout).toContain(long)
    } finally {
      await server.close()
      await run('models', 'clear')
    }
  })

  it('stores a model that the server does not name, or a server that does not answer, and says so', async () => {
    const server = await startModelServer()
    const unknown = await run('models', 'set', '--url', server.baseUrl, '--large', 'nope')
    await server.close()
    expect(unknown).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/svc-large +nope/) as string,
      stderr: expect.stringContaining('does not name «nope». It has: big, tiny') as string,
    })
    const away = await run('models', 'set', '--url', server.baseUrl, '--large', 'big')
    expect(away).toMatchObject({ code: 0, stderr: expect.stringContaining('Stored, but not reached') as string })
    await run('models', 'clear')
  })

  it('tells which models a server has when none is named', async () => {
    const server = await startModelServer()
    try {
      const { code, stderr } = await run('models', 'set', '--url', server.baseUrl)
      expect(code).toBe(2)
      expect(stderr).toContain('big, tiny')
    } finally {
      await server.close()
    }
  })
})

describe('sheaf deliveries', () => {
  it('lists nothing when everything is delivered, and refuses a callback into the network unless the service allows it', async () => {
    expect((await started('deliveries', 'list')).stdout).toBe('Everything is delivered.\n')
    const { access_token: token } = (await (await askToken(await serviceFile())).json()) as { access_token: string }
    const body = JSON.stringify({
      filename: 'a.pdf',
      file: pdf(['A']).toString('base64'),
      params: simpleSchema,
      callback: 'http://127.0.0.1:9/',
    })
    const refused = await fetch(`${(await serviceFile()).baseUrl}/v2/extractor/async`, {
      method: 'POST',
      headers: { 'x-api-key': token },
      body,
    })
    expect(refused.status).toBe(400)
    const { code, stderr } = await run('deliveries', 'retry', 'nothing')
    expect(code).toBe(1)
    expect(stderr).toContain('nothing')
  })
})

describe('beside a running service', () => {
  const extract = (...more: string[]): Promise<Run> =>
    started('extract', 'invoice.pdf', '--schema', 'schema.json', '--json', ...more)

  it('extract uses it and leaves it running', async () => {
    await writeFile(at('invoice.pdf'), pdf(['Invoice number: RE-2024-17', 'Total amount: 119.50']))
    const { baseUrl } = await serviceFile()
    const { code, stdout, stderr } = await extract()
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('already running') as string })
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'done',
      records: [{ invoice_number: 'RE-2024-17', total_amount: 119.5 }],
    })
    expect((await serviceFile()).baseUrl).toBe(baseUrl)
    expect((await fetch(`${baseUrl}/v2/token`)).status).toBe(400)
  })

  it(
    'that sends no results to this computer, an asynchronous extraction waits and says that there is no way back',
    forNight,
    async () => {
      await writeFile(at('invoice.pdf'), pdf(['Invoice number: RE-2024-18', 'Total amount: 119.50']))
      const { code, stdout } = await extract('--mode', 'async')
      expect(code).toBe(1)
      expect(JSON.parse(stdout)).toMatchObject({
        status: 'queued',
        reason: expect.stringContaining('by callback') as string,
      })
    },
  )
})

describe('without a running service', () => {
  it('a command starts one, and stops it when it is done', async () => {
    const environment = { SHEAF_DATA_DIR: at('other-data') }
    expect(
      await sheaf(
        ['agents', 'add', 'Invoices', '--kind', 'extractor', '--schema', 'schema.json', '--reference', 'inv'],
        environment,
        dir.path,
      ),
    ).toMatchObject({ code: 0, stdout: 'inv\n' })
    const { baseUrl } = JSON.parse(await readFile(at('other-data', 'service', 'service.json'), 'utf8')) as {
      baseUrl: string
    }
    await expect(fetch(baseUrl)).rejects.toThrow()
    expect(JSON.parse((await sheaf(['agents', 'list', '--json'], environment, dir.path)).stdout)).toMatchObject([
      { reference: 'inv' },
    ])
  })
})
