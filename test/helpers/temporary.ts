import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/**
 * Where tests keep folders that are not about a disk: in memory where there is some to be had. `npm test` chooses for
 * all of them.
 */
export const quickFolder = process.env['TMPDIR'] ?? (existsSync('/dev/shm') ? '/dev/shm' : tmpdir())
