import { parseArgs } from 'node:util'
import { noPolicies } from '../../shared/domain/policies.ts'
import { serveCommand } from '../../electron/terminal/serve.ts'
import { defaultTimings } from '../../electron/core/timings.ts'
import { jsonPlace, readPolicies } from '../../electron/system/policies.ts'

/**
 * What `sheaf serve` starts, with short waits: a file is taken as soon as it is quiet for a moment. Documents
 * are read a second time, for the words that a search finds in them, only with `--words`: that takes a thread with a
 * PDF reader of its own. Policies are those of a file, `--policies FILE`, and never this computer's. The real program,
 * by its launcher and with its own timings, is started by new-user.spec.ts and test/pipeline/launcher.test.ts.
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    words: { type: 'boolean' },
    policies: { type: 'string' },
  },
})
process.exitCode = await serveCommand(Number(values.port), {
  policies: values.policies === undefined ? noPolicies : await readPolicies([jsonPlace(values.policies)]),
  timings: {
    quietMs: 100,
    sweepIntervalMs: 2_000,
    workbookDebounceMs: 300,
    workbookLockCheckMs: 500,
    textFillIdleMs: values.words ? defaultTimings.textFillIdleMs : 86_400_000,
  },
})
