import type { CompletionRequest } from './upstream.ts'

type Body = CompletionRequest['body']

/** One change that makes a request acceptable to a server that refused the parameter `name` in the words `refusal`. */
type Concession = {
  name: string
  possible: (query: CompletionRequest) => boolean
  /** Whether it is what the words ask for; without it their naming the parameter is enough. */
  answers?: (refusal: string) => boolean
  make: (body: Body) => Body
  /** Holds for the model and not only for this request. */
  lasting: boolean
}

const ofValue = /too (?:large|big|high|long|many)|at most|maximum|exceed|less than/i
const ofName = /unsupported|unknown|unrecogni[sz]ed|unexpected|(?:not|n't) (?:supported|permitted|allowed|recogni[sz]ed)|forbidden/i

/**
 * Whether a server does not know the name of a bound, and not only finds its value too large: under a name that it does not
 * know, and silently ignores, no later request to the model would be bounded.
 */
const refusesName = (other: string) => (refusal: string): boolean => !ofValue.test(refusal) && (ofName.test(refusal) || refusal.includes(other))

const isOwn = (query: CompletionRequest, name: string): boolean => query.own.includes(name)

/**
 * In the order in which they are made. The bound on output tokens is sent as `max_tokens`, which every server knows; newer
 * models take it as `max_completion_tokens` only. A bound that nobody asked for is left out when it is larger than the model
 * can give, since the model's own is then smaller.
 */
const concessions: readonly Concession[] = [
  { name: 'chat_template_kwargs', possible: (query) => isOwn(query, 'chat_template_kwargs'), make: (body) => without(body, 'chat_template_kwargs'), lasting: true },
  { name: 'stream_options', possible: (query) => isOwn(query, 'stream_options'), make: (body) => without(body, 'stream_options'), lasting: true },
  { name: 'max_tokens', possible: () => true, answers: refusesName('max_completion_tokens'), make: (body) => renamed(body, 'max_tokens', 'max_completion_tokens'), lasting: true },
  { name: 'max_completion_tokens', possible: () => true, answers: refusesName('max_tokens'), make: (body) => renamed(body, 'max_completion_tokens', 'max_tokens'), lasting: true },
  { name: 'max_tokens', possible: (query) => isOwn(query, 'max_tokens'), make: (body) => without(body, 'max_tokens'), lasting: false },
]

/** What each model of a server does not take, learned from its refusals: a refused request costs nothing, asking every time costs time. */
export class Dialects {
  readonly #learned = new Map<string, readonly Concession[]>()

  /** `body` is what to send; after a refusal `concede` changes it, or gives false when there is nothing left to change. */
  attempt(baseUrl: string, query: CompletionRequest): { readonly body: Body; concede(refusal: string): boolean; accepted(): void } {
    const key = `${baseUrl} ${query.body.model}`
    const made: Concession[] = (this.#learned.get(key) ?? []).filter((known) => known.name in query.body && known.possible(query))
    let body = made.reduce((before, known) => known.make(before), query.body)
    let learnedMore = false
    return {
      get body() {
        return body
      },
      concede: (refusal) => {
        const next = concessions.find((each) => !made.includes(each) && each.name in body && each.possible(query) && refusal.includes(each.name) && (each.answers?.(refusal) ?? true))
        if (next === undefined) return false
        made.push(next)
        learnedMore = true
        body = next.make(body)
        return true
      },
      accepted: () => {
        if (learnedMore) this.#learned.set(key, made.filter((each) => each.lasting))
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
