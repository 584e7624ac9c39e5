import { expect, test } from 'vitest'
import { splitWords } from '../../shared/domain/commands/split-words.ts'
import { parseHookLine, type HookValues } from './hook-command.ts'

const values: HookValues = {
  FILE: '/srv/a b/$USERNAME; rm -rf $(id) `id`.txt',
  SCOPE: '.',
  TRIGGER: 'before_copy',
  USERNAME: 'ann',
  DESTINATION: '/srv/$&/c',
}

const parse = (line: string, shell: readonly string[] = []) => parseHookLine(line, { shell, values })
const wordsOf = (line: string, shell?: readonly string[]): readonly string[] => {
  const command = parse(line, shell)
  return command.kind === 'program' ? [command.program, ...command.args] : [command.kind]
}
const asWritten = (line: string): readonly string[] => {
  const split = splitWords(line)
  return split.kind === 'words' ? split.words : [split.reason]
}

test.each<[string, string, readonly string[]]>([
  ['a value is one word, whatever it contains', 'put $FILE', ['put', values.FILE]],
  [
    'values are also inserted in braces and within a word',
    'put --to=${DESTINATION}/x',
    ['put', `--to=${values.DESTINATION}/x`],
  ],
  ['a value is not expanded a second time', 'put "$TRIGGER $USERNAME"', ['put', 'before_copy ann']],
  [
    'values are also inserted between single quotes, because the line is split before',
    "put '$SCOPE'",
    ['put', '.'],
  ],
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
  ['pipes, redirections and patterns stay plain words', 'put a|b >c *', ['put', 'a|b', '>c', '*']],
])('%s', (_case, line, words) => {
  expect(wordsOf(line)).toEqual(words)
})

test.each(['sh', 'bash', '/bin/dash', '/usr/bin/ash', './ksh', 'zsh'])(
  'no value is inserted into a script of %s',
  (shell) => {
    expect(wordsOf(`${shell} -c 'cat "$FILE"' $USERNAME`)).toEqual([shell, '-c', 'cat "$FILE"', '$USERNAME'])
  },
)

test.each(['env LANG=C sh -c', 'nice /bin/bash -ec', 'sudo -u ann sh -c', 'busybox ash -xc'])(
  'a shell after another program is recognized: %s',
  (start) => {
    expect(wordsOf(`${start} 'cat $FILE'`).at(-1)).toBe('cat $FILE')
  },
)

test.each([
  `env bash -e -c 'cat "$FILE"'`,
  `env bash -o pipefail -c 'cat "$FILE"'`,
  `env LANG=C bash -c -- $FILE`,
  `sudo -u x sh -x -c 'cat $FILE'`,
  `nice bash --norc -c 'cat $FILE'`,
  `nice bash +e -ec'cat $FILE'`,
  `nice bash --rcfile /etc/rc -c 'cat "$1"' x $FILE`,
  `nice fish --init-command='cat $FILE'`,
  `docker run --entrypoint /bin/sh alpine -c 'cat $FILE'`,
  `docker run --entrypoint=sh alpine -c 'cat $FILE'`,
  `find $DESTINATION -exec sh -c 'cat $FILE' ;`,
  `xargs -a list nice sh -e -c 'cat $FILE'`,
  `busybox sh -e -c 'cat $FILE'`,
  `env -S "bash -c 'cat $FILE'"`,
  `env -iS "bash -c 'cat $FILE'"`,
  `env --split-string="bash -c 'cat $FILE'"`,
  `env --sp="bash -c 'cat $FILE'"`,
  `su www -c 'cat $FILE'`,
  `su www --command='cat $FILE'`,
  `su --comm='cat $FILE' www`,
  `su www --session-command 'cat $FILE'`,
  `su -c $FILE`,
  `sudo su - www -lc 'cat $FILE'`,
  `runuser www -c 'cat $FILE'`,
  `runuser -l www -c 'cat $FILE'`,
  `sg www 'cat $FILE'`,
  `flock F -c 'cat $FILE'`,
  `flock -w 5 F --command 'cat $FILE'`,
  `script -qec 'cat $FILE' out`,
  `script --command='cat $FILE' out`,
  `script out -- cat $FILE`,
  `ssh host cat $FILE`,
  `timeout 5 /usr/bin/ssh host 'cat "$FILE"'`,
  `watch 'cat $FILE'`,
  `nice watch cat $FILE`,
  `parallel cat ::: $FILE`,
  `tmux new -d 'cat $FILE'`,
  `eval cat $FILE`,
  `cmd.exe /c type $FILE`,
  `systemd-run -p "ExecStart=/bin/sh -c 'cat $FILE'"`,
])('no value is inserted into the words of %s', (line) => {
  expect(wordsOf(line)).toEqual(asWritten(line))
})

const shellNames =
  'sh bash dash ash ksh mksh zsh fish rbash csh tcsh yash pwsh bash5 bash-5.2 ksh93 bash-static BASH pwsh.exe'

test.each(shellNames.split(' '))('%s is a shell', (shell) => {
  expect(wordsOf(`${shell} -c 'cat "$FILE"' $USERNAME`)).toEqual([shell, '-c', 'cat "$FILE"', '$USERNAME'])
  expect(wordsOf(`/opt/${shell} -x -c 'cat "$FILE"'`).at(-1)).toBe('cat "$FILE"')
  expect(wordsOf(`nice /opt/${shell} -x -c 'cat "$FILE"'`).at(-1)).toBe('cat "$FILE"')
  expect(wordsOf(`"C:\\bin\\${shell}" -c 'cat "$FILE"'`).at(-1)).toBe('cat "$FILE"')
})

test.each([
  'cp $SCOPE /opt/bash -v',
  'cp $SCOPE /srv/watch',
  '/opt/notify.sh $FILE',
  '/opt/notify.sh -c $FILE',
  '/opt/publish -c $FILE',
  '/opt/script $FILE',
  'python3 x.py --file=$FILE',
  'sudo -u www /bin/bash /opt/x.sh $FILE --file=$FILE',
  'env LANG=C bash -e -o pipefail --norc /opt/x.sh $FILE',
  'busybox cp -c $FILE /x',
  'env X=$FILE /opt/x',
  'flock /run/lock tar -czf /x.tgz $FILE',
  'runuser -u www -- tar -czf /x.tgz $FILE',
  'rsync -ae ssh $FILE host:/x',
  'scp -S /usr/bin/ssh $FILE host:/x',
  'borg create --rsh ssh repo $FILE',
  'curl -d \'{"file":"$FILE"}\' https://example.org/ssh',
  'logger "ssh and sh: $FILE"',
])('values are inserted where no shell reads them: %s', (line) => {
  const words = asWritten(line).map((word) =>
    word.replace(/\$(FILE|SCOPE)/g, (_, name: 'FILE' | 'SCOPE') => values[name]),
  )
  expect(words).not.toEqual(asWritten(line))
  expect(wordsOf(line)).toEqual(words)
})

test('the shell of the settings gets the line unchanged', () => {
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
])('the line %j is parsed', (line, command) => {
  expect(parse(line)).toMatchObject(command)
})
