const barWidth = 24
const lineEveryMs = 2000

/** A bar with count and time left on a terminal; plain lines, not too many, where stderr is a file or a pipe. */
export class ProgressBar {
  readonly #stream: NodeJS.WriteStream
  readonly #startedAt: number
  #lastLineAt = 0
  #shown = ''

  constructor(stream: NodeJS.WriteStream, now: number) {
    this.#stream = stream
    this.#startedAt = now
  }

  update(settled: number, total: number, note: string, now: number): void {
    const share = total === 0 ? 1 : settled / total
    const left =
      settled === 0 || settled === total
        ? ''
        : ` · about ${durationText(((now - this.#startedAt) / settled) * (total - settled))} left`
    const text = `${settled} of ${total}${left}${note === '' ? '' : ` · ${note}`}`
    if (text === this.#shown) return
    if (this.#stream.isTTY) {
      const filled = Math.round(share * barWidth)
      const line = `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)} ${text}`
      this.#stream.write(`\r\u001b[K${line.slice(0, (this.#stream.columns || 100) - 1)}`)
    } else if (now - this.#lastLineAt >= lineEveryMs || settled === total) {
      this.#lastLineAt = now
      this.#stream.write(`${text}\n`)
    }
    this.#shown = text
  }

  /** Writes a sentence without breaking the bar. */
  say(sentence: string): void {
    this.#stream.write(`${this.#stream.isTTY ? '\r\u001b[K' : ''}${sentence}\n`)
    this.#shown = ''
  }

  end(): void {
    if (this.#stream.isTTY && this.#shown !== '') this.#stream.write('\n')
  }
}

function durationText(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.ceil(seconds / 60)} min`
  return `${Math.floor(seconds / 3600)} h ${Math.ceil((seconds % 3600) / 60)} min`
}
