/** spec, «Errors», Other endpoints: the envelope of everything outside the proxy. */
export type Envelope = { status: 'error'; code: string; error: string; detail: string }

/** Request header by which a client of Sheaf's own service asks for `metadata.sources`. */
export const sourcesHeader = 'x-sheaf-sources'
