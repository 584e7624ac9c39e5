import * as fc from 'fast-check'
import { RE2JS } from 're2js'
import { expect, test } from 'vitest'
import { regexSize } from './regex-size.ts'

test.each([
  ['', 0],
  ['abc', 3],
  ['a{3}', 3],
  ['a{3,7}b', 8],
  ['a{5,}', 5],
  ['a{0}', 1],
  [`{${'9'.repeat(400)}}a{1000}`, 1000],
  ['a{,3}', 5],
  ['(ab{3}){2}', 10],
  ['((a{10}){10}){10}', 1110],
  ['(?:a|b){4}', 16],
  ['(?P<name>a){4}', 8],
  ['(?i)a{4}', 5],
  ['(?i:a{4}){2}', 10],
  ['[abc]{4}', 4],
  ['[]abc]{4}[^]abc]', 5],
  ['[[:alpha:]{1]{4}', 4],
  ['[\\]{9}]{4}', 4],
  ['\\{9}', 3],
  ['\\pL{4}\\p{Greek}{4}\\x{10FFFF}{4}', 12],
  ['\\Qa{9}\\E', 8],
  [')a{4}', 5],
  ['(a{4}', 4],
])('the number of steps of the expression %s', (raw, size) => {
  expect(regexSize(raw)).toBe(size)
})

test('a compiled expression has at most a few instructions per estimated step', () => {
  const atom = fc.constantFrom('a', '.', '\\pL', '[a-z]', '[^]x]', '\\x{41}', '\\Q{9}\\E', '(?i)b', '\\d')
  const { expression } = fc.letrec<{ expression: string }>((tie) => ({
    expression: fc.oneof(
      { depthSize: 'small' },
      atom,
      fc.tuple(tie('expression'), tie('expression')).map(([one, other]) => `(${one})${other}`),
      fc.tuple(tie('expression'), tie('expression')).map(([one, other]) => `(?:${one}|${other})`),
      fc
        .tuple(tie('expression'), fc.constantFrom('?', '*', '+', '{7}', '{2,9}', '{3,}?', '{0,4}'))
        .map(([it, count]) => `(${it})${count}`),
    ),
  }))
  fc.assert(
    fc.property(expression, (raw) => {
      const size = regexSize(raw)
      fc.pre(size < 5000)
      expect(compiled(raw)?.programSize() ?? 0).toBeLessThanOrEqual(4 * size + 4)
    }),
  )
})

/** Compiles an expression. Returns null when it is invalid. */
function compiled(raw: string): RE2JS | null {
  try {
    return RE2JS.compile(raw)
  } catch {
    return null
  }
}
