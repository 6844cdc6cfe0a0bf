let isDone = false

/**
 * From the first call on this process trusts, beside the certificates that Node brings, those that the system trusts,
 * such as a company's own. It took 31 ms of processor time to read 265 of them and 11 ms to set them, so it is called
 * before the first connection that needs it and not at a start. Where the runtime has no word for it (Node before 24.5)
 * nothing changes.
 */
export function trustSystemCertificates(): void {
  if (isDone) return
  isDone = true
  // Loaded here: it takes 7 ms, and most starts speak to this computer only.
  const tls = process.getBuiltinModule('node:tls')
  if (!('setDefaultCACertificates' in tls)) return
  const trusted = new Set([...tls.getCACertificates('default'), ...tls.getCACertificates('system')])
  tls.setDefaultCACertificates([...trusted])
}
