import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseArguments } from './arguments.ts'
import { UsageError } from './usage-error.ts'
import { servingOptionList } from './serving-options.ts'

const read = (...argv: readonly string[]) => {
  const { words, flags } = parseArguments(argv, servingOptionList)
  return { words, ...Object.fromEntries(flags) }
}

test.each<readonly [string, readonly string[], object]>([
  ['a separate value', ['--port', '80'], { words: [], port: '80' }],
  ['a value with =', ['--port=80'], { words: [], port: '80' }],
  ['a value with = in it', ['--log=a=b'], { words: [], log: 'a=b' }],
  ['an empty value', ['--address='], { words: [], address: '' }],
  ['short', ['-p', '80'], { words: [], port: '80' }],
  ['short and close', ['-p80'], { words: [], port: '80' }],
  ['short with =', ['-p=80'], { words: [], port: '80' }],
  ['a value that looks like a flag', ['-r', '-odd'], { words: [], root: '-odd' }],
  ['the last of two', ['-r', 'a', '--root=b', '-r', 'c'], { words: [], root: 'c' }],
  ['a switch alone', ['--disableExec'], { words: [], disableExec: 'true' }],
  ['a switch with =', ['--disableExec=false'], { words: [], disableExec: 'false' }],
  ['a switch with a word', ['--disableExec', 'false'], { words: [], disableExec: 'false' }],
  [
    'a switch before a word',
    ['--disableExec', 'users', 'ls'],
    { words: ['users', 'ls'], disableExec: 'true' },
  ],
  ['a switch before a number', ['--disableExec', '1'], { words: ['1'], disableExec: 'true' }],
  ['flags between words', ['users', '-d', 'x.db', 'ls'], { words: ['users', 'ls'], database: 'x.db' }],
  ['words after --', ['--', '-p', '--port'], { words: ['-p', '--port'] }],
  ['a dash', ['-'], { words: ['-'] }],
  [
    'hyphens',
    ['--disable-exec', '--socket-perm=0600'],
    { words: [], disableExec: 'true', socketPerm: '0600' },
  ],
  ['the old name of processors', ['--img-processors', '2'], { words: [], imageProcessors: '2' }],
  ['both spellings of the base', ['--baseurl', '/a', '--baseURL', '/b'], { words: [], baseURL: '/b' }],
  ['a dotted name', ['--auth.trustedProxies', '10.0.0.1'], { words: [], 'auth.trustedProxies': '10.0.0.1' }],
])('the command line is parsed: %s', (_case, argv, expected) => {
  expect(read(...argv)).toEqual(expected)
})

test.each([['--nope'], ['--nope=1'], ['-x'], ['-px', '-x'], ['-p'], ['--port']])(
  '%s is a usage error',
  (...argv) => {
    expect(() => read(...argv)).toThrow(UsageError)
  },
)

/** Returns the parsed arguments of a command line, or the error that the parser throws. */
const outcomeOf = (argv: readonly string[]): unknown => {
  try {
    return parseArguments(argv, servingOptionList).words
  } catch (error) {
    return error
  }
}

test('every command line is parsed, or refused with one line', () => {
  const word = fc.oneof(
    fc.string(),
    fc.constantFrom('-p', '--port', '--port=', '-r', '--noauth', '--', '-', 'true'),
  )
  fc.assert(
    fc.property(fc.array(word), (argv) => {
      const outcome = outcomeOf(argv)
      const isRefused = outcome instanceof UsageError && !/[\n\r]/.test(outcome.message)
      expect(
        isRefused || (Array.isArray(outcome) && outcome.every((word: string) => argv.includes(word))),
      ).toBe(true)
    }),
  )
})

test('a value is read unchanged in every notation', () => {
  fc.assert(
    fc.property(fc.string(), (value) => {
      expect(read('--log', value)).toEqual({ words: [], log: value })
      expect(read(`--log=${value}`)).toEqual({ words: [], log: value })
      expect(read('-l', value)).toEqual({ words: [], log: value })
    }),
  )
})
