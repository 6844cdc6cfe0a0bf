/**
 * Who may import whom (docs/architecture.md). A room may import itself, shared/, and what is named here; packages of
 * npm are free, but for electron. `test/unit/borders.test.ts` shows that a breach is found.
 */
const core = (...rooms) => rooms.map((room) => `electron/core/${room}`)
const time = core('timings.ts', 'scheduling.ts')

const rooms = {
  'shared/domain': [],
  'shared/contract': ['shared'],
  'shared/messages': ['shared'],
  'shared/wire': ['shared'],
  renderer: [],
  'renderer/client': ['renderer/messages'],
  'renderer/components': ['renderer/client', 'renderer/messages'],
  'renderer/grid': ['renderer/client', 'renderer/components', 'renderer/messages'],
  'electron/system': [],
  'electron/reading': [],
  'electron/mailbox': ['electron/system'],
  // Whether a file is one document, and what its schema asks for, is judged as files are sorted.
  'electron/service': ['electron/reading', 'electron/system', 'electron/sorting/one-document.ts'],
  // What a page says is read as the service reads it, and nothing of the service beside.
  'electron/sorting': ['electron/reading', 'electron/service/extraction', 'electron/service/finding'],
  'electron/core/files': [],
  'electron/core/db': ['electron/system'],
  'electron/core/db/search': core('db/open.ts', 'db/migrations', 'db/durability/storage-trouble.ts'),
  'electron/core/platform': [...core('db', 'files'), 'electron/system'],
  'electron/core/review': core('patterns.ts'),
  'electron/core/export': core('files'),
  'electron/core/usage': core('db'),
  'electron/core/questions': core('db', 'platform'),
  'electron/core/trials': core('db', 'files', 'platform', 'pipeline', 'drafting'),
  'electron/core/workbook': [...core('db', 'files', 'export'), ...time],
  'electron/core/pipeline': [...core('db', 'files', 'partners', 'patterns.ts', 'platform', 'review'), ...time],
  'electron/core/callback': [...core('db', 'files', 'platform', 'pipeline'), 'electron/system'],
  'electron/core/drafting': core('db', 'files', 'platform', 'pipeline'),
  // Labels are read as the service on this computer reads them: by this file, which knows nothing of it.
  'electron/core/partners': [...core('db'), 'electron/service/extraction/words.ts'],
  'electron/core/learning': [
    ...core('db', 'document-reader.ts', 'files', 'partners', 'pipeline', 'scheduling.ts'),
    'electron/service/extraction/words.ts',
  ],
  // The handlers may use every room of core, but not who builds them.
  'electron/core/handlers': core(
    'callback',
    'db',
    'document-reader.ts',
    'drafting',
    'export',
    'files',
    'learning',
    'opened-files.ts',
    'partners',
    'patterns.ts',
    'pipeline',
    'platform',
    'questions',
    'review',
    'scheduling.ts',
    'timings.ts',
    'trials',
    'usage',
    'workbook',
  ),
  'electron/browser': ['electron/core', 'electron/system'],
  'electron/terminal': ['electron'],
  'electron/desktop': ['electron'],
}

/**
 * The way of a file, in its order. A stage imports none that comes before it, and what lies beneath the stages (the
 * folders of the pipeline) imports none at all; core.ts hands each stage the next one.
 */
const stages = ['watch-folders', 'watch', 'intake', 'queue', 'extract', 'record', 'archive']
const stage = (names) => `^electron/core/pipeline/(${names.join('|')})\\.ts$`

const inside = (room) => `^${room.replaceAll('.', '\\.')}(/|$)`
const borders = Object.entries(rooms).map(([room, allowed]) => ({
  name: `borders of ${room}`,
  severity: 'error',
  from: {
    path: inside(room),
    pathNot: Object.keys(rooms)
      .filter((other) => other.startsWith(`${room}/`))
      .map(inside),
  },
  to: {
    path: '^(electron|renderer|shared|test)/',
    pathNot: [room, ...allowed, ...(room.startsWith('shared') ? [] : ['shared'])].map(inside),
  },
}))
const order = stages.slice(1).map((name, index) => ({
  name: `${name} comes after ${stages.slice(0, index + 1).join(', ')}`,
  severity: 'error',
  from: { path: stage([name]) },
  to: { path: stage(stages.slice(0, index + 1)) },
}))

export default {
  forbidden: [
    { name: 'no cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'only the desktop knows Electron',
      severity: 'error',
      from: { pathNot: ['^electron/desktop/', '^electron/(main|preload)\\.ts$', '^test/'] },
      to: { path: '^(node_modules/)?electron(-updater)?(/|$)', dependencyTypes: ['npm-dev', 'npm', 'unknown'] },
    },
    {
      name: 'what lies beneath the stages imports none',
      severity: 'error',
      from: { path: '^electron/core/pipeline/(\\w+/|context\\.ts$)' },
      to: { path: stage(stages) },
    },
    {
      name: 'conformance cases know only the interface, so that client and service cannot share a mistake',
      severity: 'error',
      from: { path: '^test/conformance/', pathNot: 'openai\\.test\\.ts$' },
      to: { path: '^(electron|renderer|shared)/' },
    },
    {
      name: 'the product does not import tests',
      severity: 'error',
      from: { path: '^(electron|renderer|shared)/' },
      to: { path: '^test/' },
    },
    ...borders,
    ...order,
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.mjs', '.json', '.css'] },
  },
}
