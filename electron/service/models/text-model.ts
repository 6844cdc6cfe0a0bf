/** What answering needs of a model server; the proxy relays requests of its own. */
export type ModelMessage = { role: 'system' | 'user' | 'assistant'; content: string }

export type ModelUsage = { inputTokens: number; outputTokens: number }

export type TextModel = {
  /**
   * Yields the answer's text as it comes and returns what it used. Throws `AppError` `model_failed`,
   * `model_unavailable` or `model_timeout`; the signal's reason when it is aborted.
   */
  stream(
    messages: ModelMessage[],
    options: { signal: AbortSignal; maxTokens: number },
  ): AsyncGenerator<string, ModelUsage>
}
