import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createLineSplitter } from './line-splitter.ts'
import { createCommandOutput } from './command-output.ts'
import { createTokenBucket } from './token-bucket.ts'
import { createPlainText } from '../programs/plain-text.ts'

/** Passes the parts of a program's output to a line splitter one after the other, and returns all lines. */
function linesOf(...parts: readonly (string | readonly number[])[]): readonly string[] {
  const splitter = createLineSplitter()
  const bytes = parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part)))
  return [...bytes.flatMap((part) => splitter.push(part)), ...splitter.flush()]
}

test.each([
  ['an empty output', [''], []],
  ['line breaks', ['a\nb\r\n\nc\n'], ['a', 'b', '', 'c']],
  ['a last line without a line break', ['a\nb'], ['a', 'b']],
  ['a line in parts', ['a', 'b\nc', 'd\n'], ['ab', 'cd']],
  ['a character in parts', [[0xc3], [0xa4, 0x0a]], ['ä']],
  ['invalid UTF-8', [[0xff, 0x41, 0xc3, 0x28, 0x0a, 0xe2, 0x82]], ['\ufffdA\ufffd(', '\ufffd']],
  ['a byte order mark', ['\ufeffa\n'], ['\ufeffa']],
  ['a sequence in parts', ['a\x1b', '[3', '1mb\n'], ['ab']],
])('lines: %s', (_case, parts, lines) => {
  expect(linesOf(...parts)).toEqual(lines)
})

test('a line over 64 KiB is split between characters', () => {
  const lines = linesOf(`${'x'.repeat(200_000)}\ny`)
  expect(lines.map((line) => line.length)).toEqual([65_536, 65_536, 65_536, 3392, 1])
  for (const letter of ['ä', '€', '𝄞']) {
    const wide = linesOf(letter.repeat(50_000))
    expect(wide.join('')).toBe(letter.repeat(50_000))
    expect(Math.max(...wide.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(65_536)
    expect(wide.join('')).not.toContain('\ufffd')
  }
})

test('the lines of an output do not depend on the parts in which it arrives', () => {
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
  ['the 8-bit form', '\x9b1mred', 'red'],
  ['cursor movements', 'a\x1b[2J\x1b[10;5Hb\x1b7c\x1bMd\x1b(Be', 'abcde'],
  ['a window title', '\x1b]0;evil\x07a\x1b]2;evil\x1b\\b', 'ab'],
  ['other control strings', '\x1bPq#1\x1b\\a\x1b_x\x1b\\b\x1b^y\x9cc', 'abc'],
  ['an unterminated string', '\x1b]0;evil\nafter', '\nafter'],
  ['an unterminated sequence', '\x1b[31\nafter', '\nafter'],
  ['a cancelled sequence', '\x1b[3\x18a\x1b]x\x1ab', 'ab'],
  ['bells, backspaces, returns', 'a\x07\x08\rb\0\x7f', 'ab'],
  ['tabs stay', 'a\tb', 'a\tb'],
])('plain text: %s', (_case, text, plain) => {
  expect(createPlainText()(text)).toBe(plain)
})

/** Creates a clock that advances only while the code under test sleeps. */
const createClock = () => {
  const time = { nowMs: 0 }
  return {
    time,
    dependencies: {
      nowMs: () => time.nowMs,
      sleep: async (ms: number) => void (time.nowMs += ms),
    },
  }
}

describe('rate of the output', () => {
  test("the long-term rate is limited, and bursts of one second's worth are allowed", async () => {
    const { time, dependencies } = createClock()
    const bucket = createTokenBucket({ bytesPerSecond: 1000, ...dependencies })
    await bucket.take(1000)
    expect(time.nowMs).toBe(0)
    for (let n = 0; n < 100; n += 1) await bucket.take(100)
    expect(time.nowMs).toBeCloseTo(10_000)
    time.nowMs += 60_000
    await bucket.take(1500)
    expect(time.nowMs).toBeCloseTo(70_500)
  })

  test('no more output is read before the previous lines have been sent', async () => {
    const { dependencies } = createClock()
    const delivered = Promise.withResolvers<void>()
    const sent: string[] = []
    const output = createCommandOutput(dependencies, {
      deliver(text) {
        sent.push(text)
        return delivered.promise
      },
    })
    let isTaken = false
    const taking = output.write(Buffer.from('a\nb\n'.repeat(1000))).then(() => (isTaken = true))
    await new Promise(setImmediate)
    expect([isTaken, sent.length]).toEqual([false, 256])
    delivered.resolve()
    await taking
    expect([isTaken, sent.length]).toEqual([true, 2000])
  })
})
