/**
 * Ctrl-C: the first asks to stop cleanly, the second stops at once. A request of the system to end counts as one,
 * however often it comes: a service manager sends it to the launcher, which passes it on, and to this process as well.
 */
export function onInterrupt(bills: boolean): { requested: () => boolean; off: () => void } {
  let asked = false
  const ask = (): void => {
    if (asked) return
    asked = true
    process.stderr.write(
      bills
        ? '\nStopping: waiting a little for documents that are with the service. Ctrl-C again stops at once.\n'
        : '\nStopping.\n',
    )
  }
  const pressed = (): void => {
    if (asked) process.exit(130)
    ask()
  }
  process.on('SIGINT', pressed)
  process.on('SIGTERM', ask)
  return {
    requested: () => asked,
    off: () => {
      process.off('SIGINT', pressed)
      process.off('SIGTERM', ask)
    },
  }
}

/**
 * Resolves at Ctrl-C, or when the system asks the process to end. A second Ctrl-C stops at once, a second request of
 * the system does not.
 */
export function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve())
    process.on('SIGTERM', () => resolve())
  })
}
