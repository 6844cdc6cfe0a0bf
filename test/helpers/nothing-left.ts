import { afterAll, expect } from 'vitest'
import { eventually } from './eventually.ts'

/** Test files share a process: a server or watcher that one leaves open slows, and can change, every later one. */
afterAll(() =>
  eventually(() =>
    expect(
      process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap' || kind === 'FSEventWrap'),
      'servers and watchers that are still open after the last test of the file',
    ).toEqual([]),
  ),
)
