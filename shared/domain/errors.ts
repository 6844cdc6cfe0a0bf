/**
 * Every expected failure has a code. One table says what the pipeline does about it;
 * the sentences that people read are in `shared/messages/`, one for each code and language.
 */
export type Policy =
  /** Provably not sent: queued again with back-off. */
  | 'retry-later'
  /** The service refused for now: everything for this connection waits for Retry-After, then goes on by itself. */
  | 'throttle'
  /** Nothing will work until a person acts: the connection stops, its documents stay queued. */
  | 'pause-connection'
  /** The same for one folder only: its agent is wrong, others are not. */
  | 'pause-folder'
  /** A final answer, kept. */
  | 'fail'
  /** The request may have been worked on and billed: only a person sends it again. */
  | 'unknown'
  /** Intake does not take this file. */
  | 'skip'
  /** Concerns a command or a call, not a document. */
  | 'report'

export const errorPolicies = {
  // intake
  hidden_file: 'skip',
  lock_file: 'skip',
  unfinished_download: 'skip',
  symbolic_link: 'skip',
  not_a_file: 'skip',
  empty_file: 'skip',
  unsupported_type: 'skip',
  no_codec: 'skip',
  extension_mismatch: 'skip',
  file_too_large: 'skip',
  duplicate: 'skip',
  duplicate_unread: 'skip',
  duplicate_unknown: 'skip',
  own_export: 'skip',
  no_e_invoice: 'skip',
  read_here_only: 'skip',
  mail: 'skip',
  mail_unpacked: 'skip',
  mail_without_documents: 'skip',
  mail_not_unpacked: 'skip',
  kind_unsure: 'skip',
  cut_proposed: 'skip',
  cut: 'skip',
  file_missing: 'fail',
  file_replaced: 'fail',
  file_unreadable: 'retry-later',
  file_changed: 'retry-later',
  folder_offline: 'retry-later',
  // on the way to the service
  connection_refused: 'retry-later',
  host_not_found: 'retry-later',
  proxy_refused: 'retry-later',
  certificate_invalid: 'pause-connection',
  rate_limited: 'throttle',
  service_unavailable: 'throttle',
  service_interrupted: 'retry-later',
  credentials_refused: 'pause-connection',
  secret_missing: 'pause-connection',
  secret_unavailable: 'pause-connection',
  keychain_unavailable: 'pause-connection',
  not_a_platform: 'pause-connection',
  access_denied: 'pause-connection',
  quota_reached: 'pause-connection',
  spending_limit_reached: 'pause-connection',
  agent_not_found: 'pause-folder',
  agent_wrong_kind: 'pause-folder',
  agent_coming_soon: 'pause-folder',
  restored_from_snapshot: 'pause-connection',
  service_off: 'pause-connection',
  set_by_administrator: 'pause-connection',
  no_callback: 'retry-later',
  // answers
  connection_lost: 'unknown',
  answer_timeout: 'unknown',
  service_failed: 'unknown',
  interrupted: 'unknown',
  resend_unapproved: 'unknown',
  outcome_unread: 'unknown',
  result_damaged: 'unknown',
  callback_missing: 'unknown',
  sent_again: 'retry-later',
  service_rejected: 'fail',
  extraction_failed: 'fail',
  answer_unreadable: 'fail',
  // what the service on this computer says about a document
  file_encrypted: 'fail',
  file_damaged: 'fail',
  file_too_complex: 'fail',
  no_text: 'fail',
  schema_damaged: 'fail',
  service_gave_up: 'fail',
  // questions: Documentalist and chat (spec, Errors, «Proxy error format»)
  agent_private: 'pause-folder',
  model_not_found: 'report',
  unsupported_parameter: 'report',
  invalid_value: 'report',
  invalid_request: 'report',
  no_such_endpoint: 'report',
  missing_content_length: 'report',
  request_too_large: 'report',
  concurrent_limit_exceeded: 'report',
  service_internal: 'report',
  model_failed: 'report',
  model_unavailable: 'report',
  model_timeout: 'report',
  model_key_refused: 'report',
  no_model_server: 'report',
  answer_incomplete: 'report',
  // commands, calls and settings
  address_invalid: 'report',
  daily_cap_reached: 'report',
  daily_cap_too_small: 'report',
  daily_cap_under_way: 'report',
  tokens_not_named: 'report',
  sending_paused: 'report',
  draft_impossible: 'report',
  partners_unreadable: 'report',
  partner_wrong: 'report',
  transfer_unreadable: 'report',
  schema_invalid: 'report',
  schema_file_unreadable: 'report',
  folder_missing: 'report',
  folder_duplicate: 'report',
  folder_holds: 'report',
  folder_inside: 'report',
  folder_own: 'report',
  folder_system: 'report',
  folder_removed: 'report',
  folder_paused: 'report',
  left_out: 'report',
  binned: 'report',
  connection_removed: 'report',
  path_missing: 'report',
  under_way: 'report',
  not_found: 'report',
  place_missing: 'report',
  invalid_input: 'report',
  schema_in_use: 'report',
  connection_in_use: 'report',
  export_failed: 'report',
  export_disk_full: 'report',
  export_file_open: 'report',
  export_empty: 'report',
  booking_without_type: 'report',
  booking_without_date: 'report',
  booking_without_total: 'report',
  nothing_bookable: 'report',
  all_booked: 'report',
  workbook_open: 'report',
  workbook_disk_full: 'report',
  workbook_unreachable: 'report',
  storage_full: 'report',
  storage_read_only: 'report',
  storage_busy: 'report',
  storage_damaged: 'report',
  storage_moved: 'report',
  data_folder_shared: 'report',
  callback_overdue: 'report',
  callback_other_number: 'report',
  callback_not_set_up: 'report',
  callback_not_returned: 'report',
  callback_port_taken: 'report',
  callback_address_local: 'report',
  mailbox_not_paired: 'report',
  mailbox_code_invalid: 'report',
  mailbox_unreachable: 'report',
  mailbox_refused: 'report',
  mailbox_key_unavailable: 'report',
  move_failed: 'report',
  failed_not_moved: 'report',
  failed_note_stale: 'report',
  newer_database: 'report',
  batch_running: 'report',
  already_running: 'report',
  policies_unreadable: 'report',
  service_not_started: 'report',
  usage: 'report',
  internal: 'report',
} as const satisfies Record<string, Policy>

export type ErrorCode = keyof typeof errorPolicies

/** The codes with which intake does not take a file. */
export type SkipCode = { [C in ErrorCode]: (typeof errorPolicies)[C] extends 'skip' ? C : never }[ErrorCode]

export type ErrorDetails = Record<string, string | number | boolean | null | undefined>

export function isSkipCode(code: ErrorCode): code is SkipCode {
  return errorPolicies[code] === 'skip'
}

/** True for a string that names an error of this table. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorPolicies, code)
}

/**
 * An expected failure. `details` fills the placeholders of the sentence for `code`
 * and never holds secrets, document content or a URL with its query.
 */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetails
  readonly retryAfterMs: number | undefined

  constructor(code: ErrorCode, details: ErrorDetails = {}, options: { retryAfterMs?: number; cause?: unknown } = {}) {
    const parts = Object.entries(details).map(([key, value]) => `${key}=${String(value)}`)
    super(parts.length > 0 ? `${code} (${parts.join(', ')})` : code, { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.details = details
    this.retryAfterMs = options.retryAfterMs
  }

  get policy(): Policy {
    return errorPolicies[this.code]
  }

  /** What of it crosses a wire or lies in a database: an `ErrorReason`. */
  get reason(): { code: ErrorCode; details: ErrorDetails } {
    return { code: this.code, details: this.details }
  }
}

/** Any thrown thing as an AppError; anything unexpected becomes `internal` with its cause kept. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  return new AppError('internal', { detail: error instanceof Error ? error.message : String(error) }, { cause: error })
}

/** An AppError without its class, which a thread boundary strips. */
export type SerializedError = { code: string; details: ErrorDetails }

export function serializeError(error: unknown): SerializedError {
  const { code, details } = toAppError(error)
  return { code, details: { ...details } }
}

export function deserializeError(error: SerializedError): AppError {
  return isErrorCode(error.code)
    ? new AppError(error.code, error.details)
    : new AppError('internal', { detail: error.code })
}
