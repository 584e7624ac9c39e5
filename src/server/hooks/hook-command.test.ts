import { expect, test } from 'vitest'
import { commandOf, type HookValues } from './hook-command.ts'

const values: HookValues = {
  FILE: '/srv/a b/$USERNAME; rm -rf $(id) `id`.txt',
  SCOPE: '.',
  TRIGGER: 'before_copy',
  USERNAME: 'ann',
  DESTINATION: '/srv/$&/c',
}

const read = (line: string, shell: readonly string[] = []) => commandOf(line, { shell, values })
const wordsOf = (line: string, shell?: readonly string[]): readonly string[] => {
  const command = read(line, shell)
  return command.kind === 'program' ? [command.program, ...command.args] : [command.kind]
}

test.each<[string, string, readonly string[]]>([
  ['a value is one word, whatever is in it', 'put $FILE', ['put', values.FILE]],
  ['also in braces, and within a word', 'put --to=${DESTINATION}/x', ['put', `--to=${values.DESTINATION}/x`]],
  ['values are put in once', 'put "$TRIGGER $USERNAME"', ['put', 'before_copy ann']],
  ['also between single quotes, since the line is cut before', "put '$SCOPE'", ['put', '.']],
  [
    'a longer name is another name',
    'put $FILENAME $FILE_ ${FILES}',
    ['put', '$FILENAME', '$FILE_', '${FILES}'],
  ],
  ['no other variable is replaced', 'put $HOME ${PATH} $1 $$', ['put', '$HOME', '${PATH}', '$1', '$$']],
  [
    'no other form is replaced',
    'put ${FILE%.txt} $(FILE) %FILE%',
    ['put', '${FILE%.txt}', '$(FILE)', '%FILE%'],
  ],
  ['the first word is never replaced', '$FILE $SCOPE', ['$FILE', '.']],
  ['what a line is cut into is nobody else’s', 'put a|b >c *', ['put', 'a|b', '>c', '*']],
])('%s', (_case, line, words) => {
  expect(wordsOf(line)).toEqual(words)
})

test.each(['sh', 'bash', '/bin/dash', '/usr/bin/ash', './ksh', 'zsh'])(
  'what %s reads, no value is put into',
  (shell) => {
    expect(wordsOf(`${shell} -c 'cat "$FILE"' $USERNAME`)).toEqual([shell, '-c', 'cat "$FILE"', '$USERNAME'])
  },
)

test.each(['env LANG=C sh -c', 'nice /bin/bash -ec', 'sudo -u ann sh -c', 'busybox ash -xc'])(
  'a shell behind another program is one: %s',
  (start) => {
    expect(wordsOf(`${start} 'cat $FILE'`).at(-1)).toBe('cat $FILE')
  },
)

test('a file or folder that is called like a shell is none', () => {
  expect(wordsOf('cp $SCOPE /opt/bash -v')).toEqual(['cp', '.', '/opt/bash', '-v'])
})

test('the shell of the settings gets the line as it is', () => {
  expect(wordsOf('  cat "$FILE" | wc # all & ', ['bash', '-c'])).toEqual([
    'bash',
    '-c',
    'cat "$FILE" | wc # all',
  ])
  expect(wordsOf('put $SCOPE', ['', '-c'])).toEqual(['put', '.'])
})

test.each<[string, object]>([
  ['', { kind: 'empty' }],
  [' & ', { kind: 'empty' }],
  ['# only said', { kind: 'empty' }],
  ['put a', { kind: 'program', waits: true, args: ['a'] }],
  ['put a&', { kind: 'program', waits: false, args: ['a'] }],
  ['put a & ', { kind: 'program', waits: false, args: ['a'] }],
  ['put "a &"', { kind: 'program', waits: true, args: ['a &'] }],
  ['put "a', { kind: 'broken', waits: true }],
  ['put "a &', { kind: 'broken', waits: false }],
])('the line %j is understood', (line, command) => {
  expect(read(line)).toMatchObject(command)
})
