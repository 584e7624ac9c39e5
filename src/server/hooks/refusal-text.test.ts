import { expect, test } from 'vitest'
import { firstLineOf, refusalTextOf } from './refusal-text.ts'

const values = { FILE: '/srv/people/ann/my letter.txt', DESTINATION: '/srv/people/ann' }

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
  ['Use and/or words, 1/2/2026', 'Use and/or words, 1/2/2026'],
  ['a\u202egnp.exe', 'agnp.exe'],
  ['x'.repeat(300), `${'x'.repeat(199)}…`],
  ['😀'.repeat(300), `${'😀'.repeat(199)}…`],
])('the line %j becomes the reason %j', (line, reason) => {
  expect(refusalTextOf(line, values)).toBe(reason)
})

test.each([
  ['', ''],
  ['\n \n\t\n', ''],
  ['\n  one   two\t three \r\nfour', 'one two three'],
  ['\u001b[31mred\u001b[0m\u001b]0;title\u0007\n', 'red'],
])('the first line of %j is %j', (output, line) => {
  expect(firstLineOf(output)).toBe(line)
})
