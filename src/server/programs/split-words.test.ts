import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitWords } from './split-words.ts'

test.each([
  ['nothing', '', []],
  ['blanks', ' \t\r\n ', []],
  ['words', ' ls  -l\t/a ', ['ls', '-l', '/a']],
  ['single quotes', `echo 'a  "b" \\n'`, ['echo', 'a  "b" \\n']],
  ['double quotes', `echo "a 'b' \\"c\\" \\\\"`, ['echo', `a 'b' "c" \\`]],
  ['what a backslash keeps in double quotes', '"\\$a \\`b \\" \\\\"', ['$a `b " \\']],
  ['a backslash before anything else in them', `"C:\\new \\d+ \\'\\ä"`, [`C:\\new \\d+ \\'\\ä`]],
  ['a line that goes on in them', '"one\\\ntwo"', ['onetwo']],
  ['nothing but a line that goes on in them', 'a "\\\n"', ['a', '']],
  ['quotes in a word', `a"b c"d'e f'`, ['ab cde f']],
  ['an empty word', `a '' "" b`, ['a', '', '', 'b']],
  ['a backslash', 'a\\ b \\# \\"', ['a b', '#', '"']],
  ['a comment', 'ls -l # of all', ['ls', '-l']],
  ['a comment up to the end of its line', 'a #b\nc', ['a', 'c']],
  ['a hash in a word, or in quotes', `a#b '#c' "#d"`, ['a#b', '#c', '#d']],
  ['a quote behind a comment', `a # it's`, ['a']],
  [
    'what a shell would read',
    'echo $HOME *.txt | cat > x; `id` && y',
    ['echo', '$HOME', '*.txt', '|', 'cat', '>', 'x;', '`id`', '&&', 'y'],
  ],
  ['other letters', 'echo ä 𝄞', ['echo', 'ä', '𝄞']],
])('%s', (_case, line, words) => {
  expect(splitWords(line)).toEqual({ kind: 'words', words })
})

test.each([
  ["echo 'a", 'EOF found when expecting closing quote.'],
  ['echo "a', 'EOF found when expecting closing quote.'],
  [`"a\\"`, 'EOF found when expecting closing quote.'],
  ['a\\', 'EOF found after escape character'],
  ['"a\\', 'EOF found after escape character'],
])('%s has no words', (line, why) => {
  expect(splitWords(line)).toEqual({ kind: 'broken', why })
})

test('any words come back from a line in which each is quoted', () => {
  const ways = [
    (word: string) => `'${word.replaceAll("'", `'\\''`)}'`,
    (word: string) => `"${word.replaceAll(/["\\]/g, '\\$&')}"`,
    (word: string) => (word === '' ? '""' : Array.from(word, (it) => `\\${it}`).join('')),
  ]
  const word = fc.tuple(fc.string({ unit: 'binary', maxLength: 20 }), fc.constantFrom(...ways))
  fc.assert(
    fc.property(fc.array(word), fc.constantFrom(' ', '\t', ' \n '), (words, space) => {
      const line = words.map(([text, quote]) => quote(text)).join(space)
      expect(splitWords(line)).toEqual({ kind: 'words', words: words.map(([text]) => text) })
    }),
  )
})

test('whatever is typed, there is an answer', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...Array.from(` \t\n\\"'#ab`)) }), (line) => {
      expect(['words', 'broken']).toContain(splitWords(line).kind)
    }),
  )
})
