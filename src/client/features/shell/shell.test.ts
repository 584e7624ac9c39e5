import { expect, test } from 'vitest'
import { root } from '../../../shared/domain/path.ts'
import { commandEndOf } from './run-command.ts'
import { sanitizeOutput, maxCharacters, withOutput, type ShellEntry } from './scrollback.ts'

const entry = (id: number, output = ''): ShellEntry => ({ id, folder: root, line: 'ls', output, end: null })

test.each([
  [1000, '0', { kind: 'exit', code: 0 }],
  [1000, '130', { kind: 'exit', code: 130 }],
  [1000, '', { kind: 'refused' }],
  [1000, 'not-allowed', { kind: 'not-allowed' }],
  [1000, 'not-listed', { kind: 'not-listed' }],
  [1000, 'unknown-word', { kind: 'refused' }],
  [1000, 'time-limit', { kind: 'time-limit' }],
  [4401, '', { kind: 'ended' }],
  [1006, '', { kind: 'lost' }],
  [1001, '0', { kind: 'lost' }],
])('a socket that closes with %i and "%s" is told', (code, reason, end) => {
  expect(commandEndOf(code, reason)).toEqual(end)
})

test('control characters and changes of direction are replaced, and tabs and other text stay', () => {
  expect(sanitizeOutput('a\u001b[31mb\tc\u202egnp\u0007 \u00e9\u{1f600}')).toBe(
    'a\ufffd[31mb\tc\ufffdgnp\ufffd \u00e9\u{1f600}',
  )
})

test('the oldest output is dropped from the beginning of a line, and the newest stays', () => {
  const long = `${'x'.repeat(999)}\n`.repeat(maxCharacters / 1000)
  const [first, second] = withOutput([entry(1, long), entry(2)], 2, ['new', 'lines'])
  expect(second?.output).toBe('new\nlines\n')
  expect(first?.output.length).toBe(maxCharacters - 1000)
})
