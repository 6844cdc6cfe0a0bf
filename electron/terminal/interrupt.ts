/** Ctrl-C: the first asks to stop cleanly, the second stops at once. */
export function onInterrupt(bills: boolean): { requested: () => boolean; off: () => void } {
  let asked = false
  const heard = (): void => {
    if (asked) process.exit(130)
    asked = true
    process.stderr.write(
      bills ? '\nStopping: waiting a little for documents that are with the service. Ctrl-C again stops at once.\n' : '\nStopping.\n',
    )
  }
  process.on('SIGINT', heard)
  process.on('SIGTERM', heard)
  return {
    requested: () => asked,
    off: () => {
      process.off('SIGINT', heard)
      process.off('SIGTERM', heard)
    },
  }
}
