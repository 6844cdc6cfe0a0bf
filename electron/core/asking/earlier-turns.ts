import type { MessageRow } from '../../../shared/contract-platform.ts'

export type Turn = { role: 'user' | 'assistant'; content: string }

/** Well below the 2 MB of a request (spec, Limits, Proxy), and more than any model reads. */
const mostBytes = 256 * 1024

/**
 * What was said before the last question, oldest first, in pairs of question and answer, so that roles alternate. A pair
 * without a word of answer is left out; what a person stopped or what broke off was still read. The oldest pairs go when
 * all of them would be more than 256 KB. Pure.
 */
export function earlierTurns(messages: MessageRow[]): Turn[] {
  const pairs: Turn[][] = []
  for (const [index, answer] of messages.entries()) {
    const question = messages[index - 1]
    if (answer.role !== 'assistant' || answer.state === 'writing' || answer.text === '' || question?.role !== 'user') continue
    pairs.push([
      { role: 'user', content: question.text },
      { role: 'assistant', content: answer.text },
    ])
  }
  let bytes = 0
  const kept = pairs.reverse().filter((pair) => {
    bytes += pair.reduce((sum, turn) => sum + Buffer.byteLength(turn.content), 0)
    return bytes <= mostBytes
  })
  return kept.reverse().flat()
}
