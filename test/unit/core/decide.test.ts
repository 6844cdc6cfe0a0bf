import { describe, expect, it } from 'vitest'
import type { StoredDocument } from '../../../electron/core/db/tables/documents.ts'
import { decide } from '../../../electron/core/pipeline/documents/decide.ts'
import type { FoundVersion, KnownDocument } from '../../../electron/core/pipeline/documents/decide.ts'

const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
const settings = { schemaVersionId: 5, connectionId: 2, agentReference: null, mode: 'auto' } as const
const lockFile = { code: 'lock_file', details: {} } as const
const duplicate = { code: 'duplicate', details: { original: 'a.pdf' } } as const
const locked = { code: 'file_unreadable', details: { file: 'a.pdf', detail: 'EBUSY' } } as const

function found(change: Partial<FoundVersion> = {}): FoundVersion {
  return { sizeBytes: 100, mtimeMs: 1000, sha256: first, refusal: null, delay: null, ...change }
}

/** A document that was taken in for `found()` and never sent. */
function known(change: Partial<StoredDocument>, fate: Partial<Omit<KnownDocument, 'document'>> = {}): KnownDocument {
  const document: StoredDocument = {
    ...settings,
    id: 7,
    folderId: 1,
    path: '/folder/a.pdf',
    name: 'a.pdf',
    sizeBytes: 100,
    mtimeMs: 1000,
    sha256: first,
    firstPage: null,
    lastPage: null,
    status: 'queued',
    reasonCode: null,
    reasonDetails: {},
    notBefore: 0,
    tries: 0,
    originalDocumentId: null,
    resultId: null,
    resendApproved: null,
    moveTo: null,
    archivedAs: null,
    extra: false,
    inBin: false,
    createdAt: 0,
    ...change,
  }
  return { document, wasSent: false, mayBeBilled: false, ...fate }
}

const done = (change: Partial<StoredDocument> = {}): KnownDocument =>
  known({ status: 'done', resultId: 3, ...change }, { wasSent: true, mayBeBilled: true })
const failed = (change: Partial<StoredDocument> = {}, mayBeBilled = false): KnownDocument =>
  known({ status: 'failed', reasonCode: 'service_rejected', ...change }, { wasSent: true, mayBeBilled })
const skipped = (change: Partial<StoredDocument> = {}): KnownDocument =>
  known({ status: 'skipped', reasonCode: 'lock_file', sha256: null, ...change })

describe('a place without a document', () => {
  it('gives a new file a document that waits', () => {
    expect(decide(null, found(), null, settings)).toEqual({ kind: 'insert-queued', delay: null, predecessor: null })
  })

  it('lets a file that cannot be read for now wait with that reason', () => {
    const decision = decide(null, found({ sha256: null, delay: locked }), null, settings)
    expect(decision).toEqual({ kind: 'insert-queued', delay: locked, predecessor: null })
  })

  it('lists a refused file with its reason', () => {
    const decision = decide(null, found({ sha256: null, refusal: lockFile }), null, settings)
    expect(decision).toMatchObject({ kind: 'insert-skipped', refusal: lockFile, originalDocumentId: null })
  })

  it('links a copy of another document to its original', () => {
    const decision = decide(null, found(), { id: 3, duplicate }, settings)
    expect(decision).toMatchObject({ kind: 'insert-skipped', refusal: duplicate, originalDocumentId: 3 })
  })
})

describe('the same version once more', () => {
  it('is kept by the document that was made for it', () => {
    expect(decide(done(), found(), null, settings)).toEqual({ kind: 'keep', documentId: 7 })
  })

  it('is kept by a document in the bin, whatever that ended with', () => {
    const binned = known({ status: 'cancelled', reasonCode: 'file_missing', inBin: true })
    expect(decide(binned, found(), null, settings).kind).toBe('keep')
  })

  it('is not kept while its content was never read', () => {
    const decision = decide(skipped(), found({ sha256: null, refusal: lockFile }), null, settings)
    expect(decision.kind).toBe('skip-again')
  })
})

describe('a file that was only touched', () => {
  it('renews a document in the bin and leaves it there', () => {
    expect(decide(done({ inBin: true }), found({ mtimeMs: 2000 }), null, settings).kind).toBe('renew')
  })

  it('renews the document that stands for its content already', () => {
    const decision = decide(done(), found({ mtimeMs: 2000 }), { id: 7, duplicate }, settings)
    expect(decision.kind).toBe('renew')
  })

  it('is a copy beside a document whose own file was moved away', () => {
    const moved = done({ archivedAs: 'done' })
    const decision = decide(moved, found({ mtimeMs: 2000 }), { id: 7, duplicate }, settings)
    expect(decision).toMatchObject({ kind: 'insert-skipped', originalDocumentId: 7 })
  })
})

describe('a file that changed while its document waits', () => {
  it('is what the document stands for from now on', () => {
    const decision = decide(known({}), found({ sha256: second }), null, settings)
    expect(decision).toMatchObject({ kind: 'renew-queued', delay: null })
  })

  it('waits with the reason why it cannot be read', () => {
    const decision = decide(known({}), found({ sha256: null, delay: locked }), null, settings)
    expect(decision).toMatchObject({ kind: 'renew-queued', delay: locked })
  })

  it('is requeued before it is taken for a copy, which its turn finds out', () => {
    const decision = decide(known({}), found({ sha256: second }), { id: 3, duplicate }, settings)
    expect(decision.kind).toBe('renew-queued')
  })

  it('is a document of its own when the other version was sent before', () => {
    const sent = known({}, { wasSent: true })
    expect(decide(sent, found({ sha256: second }), null, settings).kind).toBe('insert-queued')
  })

  it('is a document of its own when it is refused', () => {
    const decision = decide(known({}), found({ sha256: null, refusal: lockFile }), null, settings)
    expect(decision).toMatchObject({ kind: 'insert-skipped', predecessor: null })
  })
})

describe('a file that was missed and is back', () => {
  const missed = (change: Partial<StoredDocument> = {}): KnownDocument =>
    known({ status: 'failed', reasonCode: 'file_missing', ...change })

  it('goes with the document that it had', () => {
    expect(decide(missed(), found(), null, settings).kind).toBe('requeue')
  })

  it('goes with it as another version when it was never sent', () => {
    expect(decide(missed(), found({ sha256: second }), null, settings).kind).toBe('requeue')
  })

  it('is a document of its own when its folder has other fields by now', () => {
    const decision = decide(missed({ schemaVersionId: 4 }), found(), null, settings)
    expect(decision.kind).toBe('insert-queued')
  })

  it('is a document of its own while it cannot be read', () => {
    const decision = decide(missed(), found({ sha256: null, delay: locked }), null, settings)
    expect(decision.kind).toBe('insert-queued')
  })
})

describe('a file that came to nothing and was saved again', () => {
  it('is sent once more when it failed and nothing is billed', () => {
    expect(decide(failed(), found({ mtimeMs: 2000 }), null, settings).kind).toBe('requeue')
  })

  it('is not sent once more by itself when that may be billed', () => {
    expect(decide(failed({}, true), found({ mtimeMs: 2000 }), null, settings).kind).not.toBe('requeue')
  })

  it('goes when it was refused, never sent, and is mended', () => {
    expect(decide(skipped(), found({ sha256: second }), null, settings).kind).toBe('requeue')
  })

  it('is a document of its own when the folder sends elsewhere by now', () => {
    const elsewhere = skipped({ connectionId: 9 })
    expect(decide(elsewhere, found({ sha256: second }), null, settings).kind).toBe('insert-queued')
  })

  it('is a document of its own when the first was a copy of another', () => {
    const copy = skipped({ sha256: first, originalDocumentId: 3 })
    expect(decide(copy, found({ sha256: second }), null, settings).kind).toBe('insert-queued')
  })
})

describe('a file that is refused again', () => {
  const refused = found({ sizeBytes: 200, sha256: null, refusal: lockFile })

  it('keeps its one entry, however often it changes', () => {
    expect(decide(skipped(), refused, null, settings)).toMatchObject({ kind: 'skip-again', refusal: lockFile })
  })

  it('does not take the entry of a version that was sent', () => {
    const sent = known({ status: 'skipped', reasonCode: 'duplicate' }, { wasSent: true })
    expect(decide(sent, refused, null, settings).kind).toBe('insert-skipped')
  })

  it('does not lose the link of a copy to its original', () => {
    const copy = skipped({ originalDocumentId: 3 })
    expect(decide(copy, refused, null, settings).kind).toBe('insert-skipped')
  })

  it('keeps its entry as another copy of the same original', () => {
    const copy = skipped({ sha256: first, originalDocumentId: 3 })
    const decision = decide(copy, found({ mtimeMs: 2000 }), { id: 3, duplicate }, settings)
    expect(decision).toMatchObject({ kind: 'skip-again', refusal: duplicate })
  })
})

describe('a newer version in the place of another', () => {
  const newer = found({ sha256: second })

  it('leaves a document with a result as it is', () => {
    expect(decide(done(), newer, null, settings)).toMatchObject({ kind: 'insert-queued', predecessor: null })
  })

  it('replaces a document that failed', () => {
    expect(decide(failed(), newer, null, settings)).toMatchObject({ predecessor: { isReplaced: true } })
  })

  it.each([
    ['may be billed', failed({}, true)],
    ['is in the bin', failed({ inBin: true })],
    ['has its file in a folder of outcomes', failed({ archivedAs: 'failed' })],
    ['has its file on the way there', failed({ moveTo: '/folder/Failed/a.pdf' })],
    ['nobody knows the outcome of', known({ status: 'unknown' }, { wasSent: true, mayBeBilled: true })],
  ])('leads on from a document that %s, without ending it', (_, before) => {
    expect(decide(before, newer, null, settings)).toMatchObject({
      kind: 'insert-queued',
      predecessor: { document: { id: 7 }, isReplaced: false },
    })
  })

  it('does not end what failed when it is refused itself', () => {
    const decision = decide(failed(), newer, { id: 3, duplicate }, settings)
    expect(decision).toMatchObject({ kind: 'insert-skipped', predecessor: { isReplaced: false } })
  })
})
