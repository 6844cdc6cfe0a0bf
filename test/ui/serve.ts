import { serveCommand } from '../../electron/terminal/serve.ts'

/**
 * What `sheaf serve --port 0` starts, with short waits: a file is taken as soon as it is quiet for a moment. The real
 * program, by its launcher and with its own timings, is started by new-user.spec.ts and test/pipeline/launcher.test.ts.
 */
process.exitCode = await serveCommand(0, {
  quietMs: 100,
  sweepIntervalMs: 2_000,
  workbookDebounceMs: 300,
  workbookLockCheckMs: 500,
})
