import { utilityProcess } from 'electron'
import type { ServiceProcess } from '../service/start.ts'

/** The service as a process of Electron's own kind: the packed app has no other Node, and RunAsNode is fused off. */
export function spawnUtility(entry: string, args: string[]): ServiceProcess {
  const child = utilityProcess.fork(entry, args, { stdio: 'ignore', serviceName: 'Sheaf service' })
  return {
    onMessage: (heard) => child.on('message', heard),
    onExit: (heard) => child.on('exit', (code) => heard(`exit code ${String(code)}`)),
    kill: () => {
      child.kill()
    },
  }
}
