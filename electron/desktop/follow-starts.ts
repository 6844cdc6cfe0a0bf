import { app } from 'electron'
import { parseStart } from './start-request.ts'
import type { StartRequest } from './start-request.ts'

/** The first arguments are the program and, while Sheaf is developed, its script. */
function argumentsOf(commandLine: readonly string[]): string[] {
  return commandLine.slice(app.isPackaged ? 1 : 2)
}

/**
 * Listens for what a person asks for by starting Sheaf, once more, or with a file: before it is ready as well, since a
 * start takes a while. Returns how to handle them: what came until then first, and then whatever comes.
 */
export function followStartRequests(): (handle: (request: StartRequest) => void) => void {
  const waiting: StartRequest[] = [parseStart(argumentsOf(process.argv), process.cwd())]
  let handle = (request: StartRequest): void => void waiting.push(request)
  const plain: StartRequest = { files: [], screen: null, pause: null, isHidden: false }
  app.on('second-instance', (_event, commandLine, directory) => handle(parseStart(argumentsOf(commandLine), directory)))
  // macOS has events for a file that was opened or dropped on the icon, and for a click on it.
  app.on('open-file', (event, path) => {
    event.preventDefault()
    handle({ ...plain, files: [path] })
  })
  app.on('activate', () => handle(plain))
  return (next) => {
    handle = next
    for (const request of waiting) next(request)
  }
}
