import { serveThread } from '../reading/thread.ts'
import { extractionWorks } from './extraction/works.ts'

/** Entry of a thread of the service: reads, and reads and extracts. */
serveThread(extractionWorks)
