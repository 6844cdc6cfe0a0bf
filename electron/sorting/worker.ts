import { serveThread } from '../reading/thread.ts'
import { sortingTasks } from './thread-tasks.ts'

/** Entry of a thread that reads files and sorts them. */
serveThread(sortingTasks)
