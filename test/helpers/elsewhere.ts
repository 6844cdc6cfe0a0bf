/**
 * The same server by an address that is not one of this computer's to Sheaf, so that it is treated as a service
 * elsewhere: Linux leads 0.0.0.0 to loopback. What is sent there asynchronously needs a public way back.
 */
export function elsewhere(url: string): string {
  return url.replace('127.0.0.1', '0.0.0.0')
}
