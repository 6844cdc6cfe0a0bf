import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { Core } from '../../../electron/core/core.ts'
import { dispatch } from '../../../shared/contract/dispatch.ts'
import { calls } from '../../../shared/contract/contract.ts'
import { harnessCore } from './harness-core.ts'
import { trapCore, trapFiles, trapProcess } from '../kill/traps.ts'
import type { ChildPlan, Reply, Request } from './protocol.ts'

const plan = JSON.parse(process.argv[2]!) as ChildPlan
const say = (reply: Reply): void => void process.send?.(reply)

/** Commits and checkpoints without end: some kill will come in the middle of one. */
async function storm(core: Core): Promise<never> {
  const other = new Sqlite(join(plan.dataDir, 'sheaf.db'))
  for (let round = 0; ; round += 1) {
    await core.handlers['settings.update']({ concurrency: 1 + (round % 8) })
    if (round % 3 === 0) other.pragma(`wal_checkpoint(${round % 2 === 0 ? 'TRUNCATE' : 'PASSIVE'})`)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

async function answer(core: Core, { id, call, input }: Request): Promise<void> {
  switch (call) {
    case 'harness.run':
      await core.run()
      return say({ id })
    case 'harness.stop':
      await core.stop({ atOnce: true })
      say({ id })
      return process.disconnect()
    case 'harness.storm':
      say({ id })
      return storm(core)
    default: {
      const answered = await dispatch(calls, core.handlers, call, input)
      return say(answered.ok ? { id, value: answered.value } : { id, error: JSON.stringify(answered.error) })
    }
  }
}

trapProcess(plan.trap)
try {
  const core = await harnessCore(plan.dataDir, {
    migrations: plan.migrations,
    concurrency: plan.concurrency,
    timings: plan.timings,
    files: trapFiles(plan.trap),
  })
  trapCore(core, plan)
  process.on('message', (request: Request) => {
    answer(core, request).catch((error: unknown) => say({ id: request.id, error: String(error) }))
  })
  // Without its parent there is nothing to do.
  process.on('disconnect', () => process.exit(0))
  say({ id: 'ready' })
} catch (error) {
  say({ id: 'failed', error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  process.exitCode = 1
}
