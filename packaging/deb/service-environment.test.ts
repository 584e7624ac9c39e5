import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { shownVariables, variablesIn } from './service-environment.js'

test.each([
  ['A=postgres://u@h/db?host=/run/postgresql&user=x', 'postgres://u@h/db?host=/run/postgresql&user=x'],
  ['A=$(touch /tmp/x) `id` $HOME', '$(touch /tmp/x) `id` $HOME'],
  ['A=two words  ', 'two words'],
  [' A = spaced', 'spaced'],
  ['A=', ''],
  ['A="two words  "', 'two words  '],
  [String.raw`A="a\"b\$c\\d\e"`, String.raw`a"b$c\d\e`],
  [`A='a"b$c\\d'`, `a"b$c\\d`],
  [`A="one"'two'three`, 'onetwothree'],
  [`A=it's`, `it's`],
  ['A=a=b#c', 'a=b#c'],
  [String.raw`A=a\ \$b`, 'a $b'],
  ['A=one\\\ntwo', 'onetwo'],
  ['A="one\ntwo"', 'one\ntwo'],
  ['A=first\nA=second', 'second'],
])('%j sets a variable as systemd reads it', (line, value) => {
  expect(variablesIn(`# A comment\n${line}\n`)).toEqual({ A: value })
  expect(variablesIn(line)).toEqual({ A: value })
})

test('comments, empty lines and lines without an equals sign set nothing', () =>
  expect(variablesIn('#A=1\n; B=2\n\n  # C=3\nexport D=4\nE\n')).toEqual({}))

test('the settings of the package are those of the service', () => {
  const file = path.join(import.meta.dirname, '../systemd/stowage.env')
  expect(variablesIn(readFileSync(file, 'utf8'))).toEqual({
    STOWAGE_ROOT: '/srv/stowage',
    STOWAGE_ADDRESS: '127.0.0.1',
    STOWAGE_PORT: '8080',
  })
})

test('what systemctl shows is split into variables', () =>
  expect(shownVariables('XDG_STATE_HOME=/var/lib "A=two words" B=x=y "C=\\$d\\"" "E=it\'s"\n')).toEqual({
    XDG_STATE_HOME: '/var/lib',
    A: 'two words',
    B: 'x=y',
    C: '$d"',
    E: "it's",
  }))
