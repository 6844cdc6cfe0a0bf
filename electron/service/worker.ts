import { serveThread } from '../reading/thread.ts'
import { extractionTasks } from './extraction/thread-tasks.ts'

/** Entry of a thread of the service: reads, and reads and extracts. */
serveThread(extractionTasks)
