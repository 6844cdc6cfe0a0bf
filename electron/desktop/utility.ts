import { utilityProcess } from 'electron'
import type { ServiceProcess } from '../service/starter.ts'

/** The service as a process of Electron's own kind: the packed app has no other Node, and RunAsNode is fused off. */
export function spawnUtility(entry: string, args: string[]): ServiceProcess {
  const child = utilityProcess.fork(entry, args, { stdio: 'ignore', serviceName: 'Sheaf service' })
  return {
    onMessage: (listener) => child.on('message', listener),
    onExit: (listener) => child.on('exit', (code) => listener(`exit code ${String(code)}`)),
    kill: (signal) => {
      // Electron asks a utility process to end and has no word for more.
      if (signal === 'SIGTERM') child.kill()
      else if (child.pid !== undefined) killNow(child.pid)
    },
  }
}

function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has just ended; its exit event follows.
  }
}
