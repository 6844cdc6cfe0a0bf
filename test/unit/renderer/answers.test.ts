import { describe, expect, it } from 'vitest'
import { catchUp, forgetAnswer, addToAnswer, answerText } from '../../../renderer/client/answers.ts'
import { hrefOf, parseRoute } from '../../../renderer/client/route.ts'
import { addresseeFor } from '../../../renderer/screens/ask/use-addressee.ts'
import { blocksOf } from '../../../renderer/screens/ask/message.tsx'

const piece = (messageId: number, offset: number, text: string) => ({ conversationId: 1, messageId, offset, text })

describe('an answer that is being written', () => {
  it('grows by each piece that fits', () => {
    expect(addToAnswer(piece(1, 0, 'The notice '))).toBe(true)
    expect(addToAnswer(piece(1, 11, 'period'))).toBe(true)
    expect(answerText(1)).toBe('The notice period')
  })

  it('says when something before a piece was missed, and puts the piece in its place once that came', () => {
    expect(addToAnswer(piece(2, 4, 'long '))).toBe(false)
    expect(addToAnswer(piece(2, 9, 'way.'))).toBe(false)
    expect(answerText(2)).toBe('')
    catchUp(2, 'It’s')
    expect(answerText(2)).toBe('It’slong way.')
  })

  it('keeps a piece that is still ahead of what core had stored', () => {
    addToAnswer(piece(3, 6, 'three'))
    catchUp(3, 'one')
    expect(answerText(3)).toBe('one')
    catchUp(3, 'one tw')
    expect(answerText(3)).toBe('one twthree')
  })

  it('never loses what was heard to an older text, nor says a piece twice', () => {
    addToAnswer(piece(4, 0, 'three months'))
    catchUp(4, 'three')
    addToAnswer(piece(4, 6, 'mon'))
    expect(answerText(4)).toBe('three months')
  })

  it('is forgotten when it is no longer written', () => {
    addToAnswer(piece(5, 0, 'done'))
    forgetAnswer(5)
    expect(answerText(5)).toBe('')
  })
})

describe('a long answer', () => {
  it('is cut at line ends, and stays cut in the same places when it grows', () => {
    const line = `${'x'.repeat(999)}\n`
    const text = line.repeat(10)
    const blocks = blocksOf(text)
    expect(blocks.length).toBeGreaterThan(1)
    expect(blocks.join('\n')).toBe(text)
    expect(blocksOf(`${text}and more`).slice(0, blocks.length - 1)).toEqual(blocks.slice(0, -1))
  })

  it('is one block without a line end', () => {
    expect(blocksOf('y'.repeat(20_000))).toHaveLength(1)
    expect(blocksOf('')).toEqual([''])
  })
})

describe('whom a question goes to', () => {
  it('is an agent, a model, or the identifier that was typed', () => {
    expect(addresseeFor(7, 'agent:hand:book', '')).toEqual({
      connectionId: 7,
      kind: 'documentalist',
      agentReference: 'hand:book',
      model: null,
    })
    expect(addresseeFor(7, 'model:svc-large', '')).toEqual({
      connectionId: 7,
      kind: 'chat',
      agentReference: null,
      model: 'svc-large',
    })
    expect(addresseeFor(7, 'typed', ' contracts ')).toEqual({
      connectionId: 7,
      kind: 'documentalist',
      agentReference: 'contracts',
      model: null,
    })
  })

  it('is nobody while nothing is chosen or typed', () => {
    expect(addresseeFor(7, null, '')).toBeNull()
    expect(addresseeFor(7, 'typed', '  ')).toBeNull()
  })
})

describe('the address of a conversation', () => {
  it('leads there and back', () => {
    for (const route of [
      { screen: 'ask', id: null },
      { screen: 'ask', id: 12 },
      { screen: 'agents' },
      { screen: 'usage' },
    ] as const)
      expect(parseRoute(hrefOf(route))).toEqual(route)
    expect(parseRoute('#/ask/<b>')).toEqual({ screen: 'ask', id: null })
  })
})
