import type { AppError, ErrorCode } from '../../../../shared/domain/errors.ts'
import type { StoredDocument } from '../../db/tables/documents.ts'
import type { Route } from '../../platform/connect.ts'

/**
 * What the queue has to know of a document that it handed over. `passed`: the service answered; `lost`: it may have the
 * document, and nobody knows what came of it; `ended`: it is over without an answer, which says nothing of the service;
 * `held`: not now; `again` carries the error that says when and whether the lane goes on.
 */
export type Outcome =
  | { kind: 'passed' | 'lost' | 'ended' | 'held' }
  | { kind: 'again'; error: AppError; concerns: 'file' | 'connection' }

/** `mayBegin` is asked when the request is about to leave; `signal` aborts at shutdown. */
export type Permission = { mayBegin: () => boolean; signal: AbortSignal }

/** Sends one document of the queue and records what came of it. */
export type SendDocument = (document: StoredDocument, route: Route, permission: Permission) => Promise<Outcome>

/** Whether an error says that a file has to wait, and nothing of the connection. Pure. */
export function isAboutFile(code: ErrorCode): boolean {
  return code === 'file_unreadable' || code === 'file_changed' || code === 'folder_offline' || code === 'no_callback'
}
