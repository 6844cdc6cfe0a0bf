/**
 * A listing beside a copy; short ones go one by one, so that what hangs in a place, which they ask first, seldom holds
 * more threads than one.
 */
const maxLong = 2

/** `short` and `long` are under way; `underWay` counts these and what was given up as well. */
export type Place = { short: number; long: number; hung: number; underWay: number; answeredAt: number }

type AccessKind = {
  /** Whether it may take minutes, as listing a directory: then it holds up no short one. */
  isLong: boolean
  /** Whether it waits for a place that hangs, where others are refused. */
  isPatient: boolean
}

/** What is under way, as its place counts it. */
type Slot = {
  /** It was not answered for so long that others get its turn. */
  markSlow: () => void
  giveUp: () => void
  /** The file system answered; call it once, however late. */
  end: () => void
}

type Waiting = AccessKind & { place: Place; begin: (turn: Slot | null) => void }

export function newPlace(): Place {
  return { short: 0, long: 0, hung: 0, underWay: 0, answeredAt: 0 }
}

/**
 * Who may ask the file system next, of all places. libuv answers every access to a file and every name of a host on a
 * few threads, and an access that hangs does not give its thread back. So one thread is never used here. Half of them
 * go round; what is slow to answer leaves its turn, though not its thread, to other places, which are not held up as
 * long as there is one thread more than hang: with four threads by two folders on a server that is gone.
 */
export class FileAccessQueue {
  readonly #maxActive: number
  readonly #maxHeld: number
  readonly #waiting: Waiting[] = []
  #active = 0
  #slow = 0
  #long = 0

  /** `threads`: how many libuv has. */
  constructor(threads: number) {
    this.#maxActive = Math.max(1, Math.floor(threads / 2))
    this.#maxHeld = Math.max(1, threads - 1)
  }

  /**
   * Waits for a turn; null where the place hangs, or where for `longestMs` nothing there was answered, since others
   * hang.
   */
  acquire(place: Place, kind: AccessKind, longestMs?: number): Promise<Slot | null> {
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined
      const waiting: Waiting = {
        ...kind,
        place,
        begin: (turn) => {
          clearTimeout(timer)
          resolve(turn)
        },
      }
      this.#waiting.push(waiting)
      this.#startNext()
      if (longestMs === undefined || !this.#waiting.includes(waiting)) return
      const since = performance.now()
      const waitOn = (): void => {
        const leftMs = Math.max(since, place.answeredAt) + longestMs - performance.now()
        if (leftMs > 0) timer = setTimeout(waitOn, leftMs)
        else {
          this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
          resolve(null)
        }
      }
      waitOn()
    })
  }

  isUsed(place: Place): boolean {
    return place.underWay > 0 || this.#waiting.some((one) => one.place === place)
  }

  #startNext(): void {
    for (;;) {
      const next = this.#next()
      if (next === undefined) return
      this.#waiting.splice(this.#waiting.indexOf(next), 1)
      next.begin(isRefused(next) ? null : this.#begin(next))
    }
  }

  /** The longest waiting access among the places with the fewest under way; undefined when none may begin. */
  #next(): Waiting | undefined {
    const refused = this.#waiting.find(isRefused)
    if (refused !== undefined) return refused
    if (this.#active >= this.#maxActive || this.#active + this.#slow >= this.#maxHeld) return undefined
    // Where few threads are left, those who answered last are the least likely to keep one.
    const isScarce = this.#slow >= this.#maxActive
    const isBefore = (a: Place, b: Place): boolean => (isScarce ? a.answeredAt > b.answeredAt : a.underWay < b.underWay)
    let best: Waiting | undefined
    for (const one of this.#waiting)
      if (this.#mayBegin(one) && (best === undefined || isBefore(one.place, best.place))) best = one
    return best
  }

  #mayBegin({ place, isLong }: Waiting): boolean {
    if (place.hung > 0) return false
    return isLong ? place.long < maxLong && this.#long < this.#maxActive : place.short === 0
  }

  #begin({ place, isLong }: Waiting): Slot {
    let state: 'active' | 'slow' | 'hung' = 'active'
    this.#active += 1
    place.underWay += 1
    this.#count(place, isLong, 1)
    return {
      markSlow: () => {
        state = 'slow'
        this.#active -= 1
        this.#slow += 1
        this.#startNext()
      },
      giveUp: () => {
        state = 'hung'
        place.hung += 1
        this.#count(place, isLong, -1)
        this.#startNext()
      },
      end: () => {
        if (state === 'active') this.#active -= 1
        else this.#slow -= 1
        if (state === 'hung') place.hung -= 1
        else this.#count(place, isLong, -1)
        place.underWay -= 1
        place.answeredAt = performance.now()
        this.#startNext()
      },
    }
  }

  #count(place: Place, isLong: boolean, by: 1 | -1): void {
    if (!isLong) place.short += by
    else {
      place.long += by
      this.#long += by
    }
  }
}

/** One access that hangs is enough: the next would hold another thread. */
function isRefused({ place, isPatient }: Waiting): boolean {
  return place.hung > 0 && !isPatient
}
