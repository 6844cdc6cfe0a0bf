import { readingTasks } from './read-file.ts'
import { serveThread } from './thread.ts'

/** Entry of a reading thread. */
serveThread(readingTasks)
