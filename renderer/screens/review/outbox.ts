import { onPageHide } from '../../client/client.ts'
import type { Change } from '../../grid/grid-edits.ts'

/** Whether whole lists are among the changes: their rows may move, and with them the places of other values. Pure. */
export function movesRows(changes: readonly Change[]): boolean {
  return changes.some(({ value }) => Array.isArray(value))
}

/**
 * After a save that took n ms, wait 3n ms (at most `maxRestMs`), so that other calls get a turn; what is typed
 * meanwhile goes with the next save.
 */
const restFor = 3
const maxRestMs = 500
/** No more values than this go together. */
const maxTogether = 1000

/**
 * One thing that a person did, sent after all before it. `puts`: values for some places each; `confirmed`: a place
 * whose value is right. `isOpen`: other values may still go with it. `isBegun`: it was sent. `send` resolves with
 * whether core took it and never rejects.
 */
type Step = {
  puts: Change[][]
  confirmed: string | null
  isOpen: boolean
  isBegun: boolean
  send: (puts: Change[][]) => Promise<boolean>
}

/**
 * Sends what a person does to one document to core, in the order in which it was done. It outlives the screen that
 * shows the document.
 */
export class Outbox {
  /** What core has not answered. */
  readonly #steps: Step[] = []
  #done: Promise<unknown> = Promise.resolve()
  #rest = { untilMs: 0, end: (): void => {} }

  get isEmpty(): boolean {
    return this.#steps.length === 0
  }

  /** Values that core has not answered: an answer to something earlier does not know them. */
  get puts(): Change[][] {
    return this.#steps.flatMap(({ puts }) => puts)
  }

  /** Where something was done that core has not answered. */
  get places(): string[] {
    return this.#steps.flatMap(({ puts, confirmed }) => [
      ...puts.flat().map(({ pointer }) => pointer),
      ...(confirmed === null ? [] : [confirmed]),
    ])
  }

  /**
   * Takes values along with those that wait already, unless rows of a list are among them. `send` is given all that go
   * together.
   */
  put(changes: Change[], send: (puts: Change[][]) => Promise<boolean>): void {
    const last = this.#steps.at(-1)
    const isPlain = !movesRows(changes)
    if (isPlain && last?.isOpen && last.puts.flat().length + changes.length <= maxTogether)
      return void last.puts.push(changes)
    void this.#add({
      puts: [changes],
      confirmed: null,
      isOpen: isPlain,
      isBegun: false,
      send: async (puts) => {
        const sentAt = performance.now()
        const isTaken = await send(puts)
        this.#rest.untilMs = performance.now() + Math.min(maxRestMs, restFor * (performance.now() - sentAt))
        return isTaken
      },
    })
  }

  /** Sends something else after all before it. Resolves with whether core took it. */
  do(send: () => Promise<boolean>, confirmed: string | null = null): Promise<boolean> {
    return this.#add({ puts: [], confirmed, isOpen: false, isBegun: false, send })
  }

  /** Resolves once core has answered what was done so far. */
  drained(): Promise<unknown> {
    this.#close()
    return this.#done
  }

  /**
   * The window ends and will see no answer: what waits is sent in order, each change by itself, since a refusal of one
   * would otherwise silently take the others along.
   */
  sendAll(): void {
    for (const step of this.#steps.filter(({ isBegun }) => !isBegun)) {
      Object.assign(step, { isOpen: false, isBegun: true })
      if (step.puts.length === 0) void step.send([])
      for (const changes of step.puts) void step.send([changes])
    }
  }

  #add(step: Step): Promise<boolean> {
    this.#close()
    this.#steps.push(step)
    const done = this.#done.then(() => this.#run(step))
    this.#done = done
    return done
  }

  /** Something waits for the changes: they are sent without further delay. */
  #close(): void {
    const last = this.#steps.at(-1)
    if (last) last.isOpen = false
    this.#rest.end()
  }

  async #run(step: Step): Promise<boolean> {
    if (step.isOpen) await this.#waitForRest()
    const wasSent = step.isBegun
    Object.assign(step, { isOpen: false, isBegun: true })
    const isTaken = !wasSent && (await step.send(step.puts))
    this.#steps.shift()
    return isTaken
  }

  async #waitForRest(): Promise<void> {
    const leftMs = this.#rest.untilMs - performance.now()
    if (leftMs <= 0) return
    await new Promise<void>((resolve) => {
      this.#rest.end = resolve
      setTimeout(resolve, leftMs)
    })
  }
}

const outboxes = new Map<number, Outbox>()

/** The one of a document, for as long as the window is open. */
export function outboxOf(id: number): Outbox {
  if (outboxes.size === 0) onPageHide(() => outboxes.forEach((outbox) => outbox.sendAll()))
  const known = outboxes.get(id)
  if (known) return known
  const outbox = new Outbox()
  outboxes.set(id, outbox)
  return outbox
}

/** Whether core has answered everything that was done in this window. */
export function isAllStored(): boolean {
  return [...outboxes.values()].every(({ isEmpty }) => isEmpty)
}
