import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createOutputLines } from './output-lines.ts'
import { outputTo } from './output-to.ts'
import { createPace } from './pace.ts'
import { createPlainText } from './plain-text.ts'

/** The lines of an output that comes in these parts. */
function linesOf(...parts: readonly (string | readonly number[])[]): readonly string[] {
  const lines = createOutputLines()
  const bytes = parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part)))
  return [...bytes.flatMap((it) => lines.take(it)), ...lines.end()]
}

test.each([
  ['nothing', [''], []],
  ['ends of lines', ['a\nb\r\n\nc\n'], ['a', 'b', '', 'c']],
  ['a last line without an end', ['a\nb'], ['a', 'b']],
  ['a line in parts', ['a', 'b\nc', 'd\n'], ['ab', 'cd']],
  ['a character in parts', [[0xc3], [0xa4, 0x0a]], ['ä']],
  ['no text', [[0xff, 0x41, 0xc3, 0x28, 0x0a, 0xe2, 0x82]], ['\ufffdA\ufffd(', '\ufffd']],
  ['a mark of byte order', ['\ufeffa\n'], ['\ufeffa']],
  ['a sequence in parts', ['a\x1b', '[3', '1mb\n'], ['ab']],
])('lines: %s', (_case, parts, lines) => {
  expect(linesOf(...parts)).toEqual(lines)
})

test('a line over 64 KiB comes in pieces, cut between characters', () => {
  const pieces = linesOf(`${'x'.repeat(200_000)}\ny`)
  expect(pieces.map((piece) => piece.length)).toEqual([65_536, 65_536, 65_536, 3392, 1])
  for (const letter of ['ä', '€', '𝄞']) {
    const wide = linesOf(letter.repeat(50_000))
    expect(wide.join('')).toBe(letter.repeat(50_000))
    expect(Math.max(...wide.map((piece) => Buffer.byteLength(piece)))).toBeLessThanOrEqual(65_536)
    expect(wide.join('')).not.toContain('\ufffd')
  }
})

test('however an output is cut into parts, its lines are the same', () => {
  const byte = fc.oneof(
    fc.constantFrom(0x0a, 0x0d, 0x1b, 0x5b, 0x5d, 0x6d, 0x07, 0xc3, 0xa4),
    fc.integer({ min: 0, max: 255 }),
  )
  fc.assert(
    fc.property(fc.array(byte, { maxLength: 60 }), fc.nat(60), (bytes, at) => {
      const whole = linesOf(bytes)
      expect(linesOf(bytes.slice(0, at), bytes.slice(at))).toEqual(whole)
      expect(whole.join('')).not.toMatch(/[\x00-\x08\x0a-\x1f\x7f-\x9f]/)
    }),
  )
})

test.each([
  ['colours', '\x1b[1;31mred\x1b[0m', 'red'],
  ['the other spelling', '\x9b1mred', 'red'],
  ['moves', 'a\x1b[2J\x1b[10;5Hb\x1b7c\x1bMd\x1b(Be', 'abcde'],
  ['a title', '\x1b]0;evil\x07a\x1b]2;evil\x1b\\b', 'ab'],
  ['other strings', '\x1bPq#1\x1b\\a\x1b_x\x1b\\b\x1b^y\x9cc', 'abc'],
  ['a string without an end', '\x1b]0;evil\nafter', '\nafter'],
  ['a sequence without an end', '\x1b[31\nafter', '\nafter'],
  ['one that is broken off', '\x1b[3\x18a\x1b]x\x1ab', 'ab'],
  ['bells, backspaces, returns', 'a\x07\x08\rb\0\x7f', 'ab'],
  ['tabs stay', 'a\tb', 'a\tb'],
])('plain text: %s', (_case, text, plain) => {
  expect(createPlainText()(text)).toBe(plain)
})

/** A clock that only sleeping moves on. */
const clock = () => {
  const time = { nowMs: 0 }
  return {
    time,
    needs: {
      nowMs: () => time.nowMs,
      sleep: async (ms: number) => void (time.nowMs += ms),
    },
  }
}

describe('pace', () => {
  test('in the long run so many bytes a second, and a second of them at once', async () => {
    const { time, needs } = clock()
    const pace = createPace({ bytesPerSecond: 1000, ...needs })
    await pace.take(1000)
    expect(time.nowMs).toBe(0)
    for (let n = 0; n < 100; n += 1) await pace.take(100)
    expect(time.nowMs).toBeCloseTo(10_000)
    time.nowMs += 60_000
    await pace.take(1500)
    expect(time.nowMs).toBeCloseTo(70_500)
  })

  test('nothing more is taken before what was sent has left', async () => {
    const { needs } = clock()
    const held = Promise.withResolvers<void>()
    const sent: string[] = []
    const output = outputTo(needs, {
      deliver(text) {
        sent.push(text)
        return held.promise
      },
    })
    let isTaken = false
    const taking = output.take(Buffer.from('a\nb\n'.repeat(1000))).then(() => (isTaken = true))
    await new Promise(setImmediate)
    expect([isTaken, sent.length]).toEqual([false, 256])
    held.resolve()
    await taking
    expect([isTaken, sent.length]).toEqual([true, 2000])
  })
})
