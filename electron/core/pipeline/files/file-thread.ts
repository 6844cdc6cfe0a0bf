import { parentPort } from 'node:worker_threads'
import { withTextNames } from '../../files/file-names.ts'
import { syncAccess } from '../../files/sync-access.ts'
import { answerFirst } from './file-tasks.ts'

const files = withTextNames(syncAccess)

/** Entry of a thread of `FileThreads`. */
parentPort?.on('message', ({ task, inputs }: { task: Parameters<typeof answerFirst>[1]; inputs: never[] }) => {
  void answerFirst(files, task, inputs).then((answers) => parentPort?.postMessage(answers))
})
