import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitWords } from './split-words.ts'

test.each([
  ['an empty line', '', []],
  ['whitespace only', ' \t\r\n ', []],
  ['words', ' ls  -l\t/a ', ['ls', '-l', '/a']],
  ['single quotes', `echo 'a  "b" \\n'`, ['echo', 'a  "b" \\n']],
  ['double quotes', `echo "a 'b' \\"c\\" \\\\"`, ['echo', `a 'b' "c" \\`]],
  ['characters that a backslash escapes in double quotes', '"\\$a \\`b \\" \\\\"', ['$a `b " \\']],
  ['a backslash before other characters in double quotes', `"C:\\new \\d+ \\'\\ä"`, [`C:\\new \\d+ \\'\\ä`]],
  ['a line break escaped in double quotes', '"one\\\ntwo"', ['onetwo']],
  ['only an escaped line break in double quotes', 'a "\\\n"', ['a', '']],
  ['quotes in a word', `a"b c"d'e f'`, ['ab cde f']],
  ['an empty word', `a '' "" b`, ['a', '', '', 'b']],
  ['a backslash', 'a\\ b \\# \\"', ['a b', '#', '"']],
  ['a comment', 'ls -l # of all', ['ls', '-l']],
  ['a comment up to the end of its line', 'a #b\nc', ['a', 'c']],
  ['a hash in a word, or in quotes', `a#b '#c' "#d"`, ['a#b', '#c', '#d']],
  ['a quote after a comment', `a # it's`, ['a']],
  [
    'characters that a shell would expand',
    'echo $HOME *.txt | cat > x; `id` && y',
    ['echo', '$HOME', '*.txt', '|', 'cat', '>', 'x;', '`id`', '&&', 'y'],
  ],
  ['letters outside of ASCII', 'echo ä 𝄞', ['echo', 'ä', '𝄞']],
])('%s', (_case, line, words) => {
  expect(splitWords(line)).toEqual({ kind: 'words', words })
})

test.each([
  ["echo 'a", 'open-quote', 'EOF found when expecting closing quote.'],
  ['echo "a', 'open-quote', 'EOF found when expecting closing quote.'],
  [`"a\\"`, 'open-quote', 'EOF found when expecting closing quote.'],
  ['a\\', 'open-escape', 'EOF found after escape character'],
  ['"a\\', 'open-escape', 'EOF found after escape character'],
])('the line %s cannot be split', (line, fault, reason) => {
  expect(splitWords(line)).toEqual({ kind: 'broken', fault, reason })
})

test('words that are quoted and joined to a line are split into the same words', () => {
  const quotings = [
    (word: string) => `'${word.replaceAll("'", `'\\''`)}'`,
    (word: string) => `"${word.replaceAll(/["\\]/g, '\\$&')}"`,
    (word: string) => (word === '' ? '""' : Array.from(word, (character) => `\\${character}`).join('')),
  ]
  const word = fc.tuple(fc.string({ unit: 'binary', maxLength: 20 }), fc.constantFrom(...quotings))
  fc.assert(
    fc.property(fc.array(word), fc.constantFrom(' ', '\t', ' \n '), (words, space) => {
      const line = words.map(([text, quote]) => quote(text)).join(space)
      expect(splitWords(line)).toEqual({ kind: 'words', words: words.map(([text]) => text) })
    }),
  )
})

test('every line is either split or reported as broken', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...Array.from(` \t\n\\"'#ab`)) }), (line) => {
      expect(['words', 'broken']).toContain(splitWords(line).kind)
    }),
  )
})
