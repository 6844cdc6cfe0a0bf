import type { CompletionRequest } from './completion.ts'

type Body = CompletionRequest['body']

/** One change that makes a request acceptable to a server that refused the parameter `name`. */
type Fallback = {
  name: string
  isPossible: (request: CompletionRequest) => boolean
  /** Whether the refusal asks for it; without this function the parameter's name in the refusal is enough. */
  matches?: (refusal: string) => boolean
  apply: (body: Body) => Body
  /** Remembered for the model, and not only applied to this request. */
  isLasting: boolean
}

const ofValue = /too (?:large|big|high|long|many)|at most|maximum|exceed|less than/i
const ofName =
  /unsupported|unknown|unrecogni[sz]ed|unexpected|(?:not|n't) (?:supported|permitted|allowed|recogni[sz]ed)|forbidden/i

/**
 * Whether a server does not know the name of a bound, and not only finds its value too large: under a name that it does
 * not know, and silently ignores, no later request to the model would be bounded.
 */
const refusesName =
  (other: string) =>
  (refusal: string): boolean =>
    !ofValue.test(refusal) && (ofName.test(refusal) || refusal.includes(other))

const canDrop =
  (name: string) =>
  ({ droppable }: CompletionRequest): boolean =>
    droppable.includes(name)

/**
 * In the order in which they are tried. The bound on output tokens is sent as `max_tokens`, which every server knows;
 * newer models take it as `max_completion_tokens` only. A bound that nobody asked for is left out when it is larger
 * than the model can give, since the model's own is then smaller.
 */
const fallbacks: readonly Fallback[] = [
  {
    name: 'chat_template_kwargs',
    isPossible: canDrop('chat_template_kwargs'),
    apply: (body) => without(body, 'chat_template_kwargs'),
    isLasting: true,
  },
  {
    name: 'stream_options',
    isPossible: canDrop('stream_options'),
    apply: (body) => without(body, 'stream_options'),
    isLasting: true,
  },
  {
    name: 'max_tokens',
    isPossible: () => true,
    matches: refusesName('max_completion_tokens'),
    apply: (body) => renamed(body, 'max_tokens', 'max_completion_tokens'),
    isLasting: true,
  },
  {
    name: 'max_completion_tokens',
    isPossible: () => true,
    matches: refusesName('max_tokens'),
    apply: (body) => renamed(body, 'max_completion_tokens', 'max_tokens'),
    isLasting: true,
  },
  {
    name: 'max_tokens',
    isPossible: canDrop('max_tokens'),
    apply: (body) => without(body, 'max_tokens'),
    isLasting: false,
  },
]

/** A request that is sent again with another body until the server takes it. */
export type Attempt = {
  readonly body: Body
  /** Changes `body` after a refusal; false when there is nothing left to change. */
  fallBack(refusal: string): boolean
  /** To be called when the server has taken `body`. */
  accepted(): void
}

/**
 * The parameters that each model of a server does not take, learned from its refusals: a refused request costs nothing,
 * but sending one every time costs time.
 */
export class ParameterFallbacks {
  readonly #learned = new Map<string, readonly Fallback[]>()

  /** Begins with what is known of the model at this address. */
  attempt(baseUrl: string, request: CompletionRequest): Attempt {
    const key = `${baseUrl} ${request.body.model}`
    const applied: Fallback[] = (this.#learned.get(key) ?? []).filter(
      (known) => known.name in request.body && known.isPossible(request),
    )
    let body = applied.reduce((before, known) => known.apply(before), request.body)
    let hasLearned = false
    return {
      get body() {
        return body
      },
      fallBack: (refusal) => {
        const next = fallbacks.find(
          (each) =>
            !applied.includes(each) &&
            each.name in body &&
            each.isPossible(request) &&
            refusal.includes(each.name) &&
            (each.matches?.(refusal) ?? true),
        )
        if (next === undefined) return false
        applied.push(next)
        hasLearned = true
        body = next.apply(body)
        return true
      },
      accepted: () => {
        if (!hasLearned) return
        const lasting = applied.filter((each) => each.isLasting)
        this.#learned.set(key, lasting)
      },
    }
  }
}

function without(body: Body, name: string): Body {
  const { [name]: _dropped, ...rest } = body
  return rest as Body
}

/** `max_completion_tokens` wins where both are given (spec, «POST /compat/v1/chat/completions»). */
function renamed(body: Body, from: string, to: string): Body {
  return { ...without(body, from), [to]: body['max_completion_tokens'] ?? body['max_tokens'] }
}
