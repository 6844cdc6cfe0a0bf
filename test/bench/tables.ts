import { run as measure } from './accuracy.ts'

/** Only how well the cells of tables are found: `accuracy` for the set of tables, with the same options. */
export async function run(): Promise<void> {
  process.argv.push('--only', 'icdar2013-tables')
  await measure()
}
