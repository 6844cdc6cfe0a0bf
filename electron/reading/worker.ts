import { readingWorks } from './read-file.ts'
import { serveThread } from './thread.ts'

/** Entry of a reading thread. */
serveThread(readingWorks)
