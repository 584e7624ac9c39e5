import { expect, test } from 'vitest'
import { firstLineOf, refusalTextOf } from './refusal-text.ts'

const values = {
  FILE: '/srv/people/ann/my letter.txt',
  DESTINATION: '/srv/people/ann',
  servedFolder: '/srv',
}

test.each([
  ['', null],
  ['Only PDF files are allowed here.', 'Only PDF files are allowed here.'],
  [
    `cp: cannot stat '${values.FILE}': Permission denied`,
    "cp: cannot stat 'my letter.txt': Permission denied",
  ],
  [`${values.FILE} is too new`, 'my letter.txt is too new'],
  ['cannot open /etc/stowage/rules.conf: missing', 'cannot open rules.conf: missing'],
  ['log=/var/log/check.log', 'log=check.log'],
  [
    'See https://intranet.example/rules/names for the rules',
    'See https://intranet.example/rules/names for the rules',
  ],
  ['error:/srv/people/bob/x', 'error:x'],
  ['error:/srv/people', 'error:people'],
  ['a:/etc/b:/etc/c', 'a:b:c'],
  ['see file:///srv/people/bob/x.txt', 'see x.txt'],
  ['see FILE://localhost/etc/stowage/x', 'see x'],
  ['see unix:///run/stowage/x.sock', 'see unix:x.sock'],
  ['cannot read //etc//stowage//rules', 'cannot read rules'],
  ['cannot read /etc/stowage/', 'cannot read stowage'],
  ['no place in /srv.', 'no place in /.'],
  ['no place in "/srv"', 'no place in "/"'],
  ['no place in /mnt', 'no place in mnt'],
  ['/srv-old/people/x and /opt/srv/x', 'x and x'],
  ['/srv/people/anna/secret/x', 'x'],
  ['/srv/people/ann/sub is full', 'ann/sub is full'],
  ['http://localhost:8080/a/b', 'http://localhost:8080/a/b'],
  ['Use / or words', 'Use / or words'],
  ['Use and/or words, 1/2/2026', 'Use and/or words, 1/2/2026'],
  ['a\u202egnp.exe', 'agnp.exe'],
  ['x'.repeat(300), `${'x'.repeat(199)}…`],
  ['😀'.repeat(300), `${'😀'.repeat(199)}…`],
])('the line %j becomes the reason %j', (line, reason) => {
  expect(refusalTextOf(line, values)).toBe(reason)
})

test('a served folder whose name contains blanks is left out', () => {
  const root = '/mnt/my disk'
  const known = { FILE: `${root}/ann/a.txt`, DESTINATION: root, servedFolder: root }
  expect(refusalTextOf(`${root}/bob/b.txt is newer than ${root}/ann/a.txt`, known)).toBe(
    'b.txt is newer than a.txt',
  )
  expect(refusalTextOf(`${root} is full`, known)).toBe('/ is full')
})

test.each([
  ['', ''],
  ['\n \n\t\n', ''],
  ['\n  one   two\t three \r\nfour', 'one two three'],
  ['\u001b[31mred\u001b[0m\u001b]0;title\u0007\n', 'red'],
])('the first line of %j is %j', (output, line) => {
  expect(firstLineOf(output)).toBe(line)
})
