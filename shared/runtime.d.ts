/** What Node and browsers both have and the language's own library does not name; shared/ knows neither of them. */
declare class TextEncoder {
  encode(text?: string): Uint8Array
}
declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean })
  decode(bytes?: Uint8Array): string
}
declare class URL {
  static parse(address: string): URL | null
  readonly protocol: string
  readonly hostname: string
  readonly port: string
}
