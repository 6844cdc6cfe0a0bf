import { createWriteStream } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { asFileName } from '../../shared/file-name.ts'
import { nameWith } from './platform/file-names.ts'

/** Longer endings belong to no kind of file. */
const longestExtension = 20
/** More of a name than any file system takes. */
const mostConsidered = 1000

/** Puts a file into a directory under the name it came with, or with a number behind it when that is taken: nothing is overwritten. */
export async function storeUpload(directory: string, givenName: string, content: Readable): Promise<void> {
  const name = asFileName(basename(givenName.replaceAll('\\', '/')).slice(-mostConsidered)) || 'document'
  await mkdir(directory, { recursive: true })
  const temporary = join(directory, `.${process.pid}-${Date.now()}-${Math.random().toString(36).slice(2)}.part`)
  try {
    await pipeline(content, createWriteStream(temporary, { flags: 'wx' }))
    await rename(temporary, await reservePath(directory, name))
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** A name of its own, taken by an empty file: of several uploads at once none gets another's. */
async function reservePath(directory: string, name: string): Promise<string> {
  const ending = extname(name)
  const extension = ending.length > longestExtension ? '' : ending
  const stem = name.slice(0, name.length - extension.length)
  for (let number = 1; ; number += 1) {
    const path = join(directory, nameWith(stem, number === 1 ? extension : ` (${number})${extension}`))
    try {
      await (await open(path, 'wx')).close()
      return path
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
  }
}
