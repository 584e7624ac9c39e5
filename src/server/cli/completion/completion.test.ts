import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createCliContext } from '../../../../test/kit/cli-context.ts'
import { verbs } from '../verbs.ts'

const isHere = (shell: string): boolean => spawnSync(shell, ['-c', 'exit 0']).status === 0

/** A bash program that prints the words that bash offers for a command line with an incomplete last word. */
const inBash = `
set -u
source "$0"
COMP_WORDS=(stowage "$@")
COMP_CWORD=$#
_stowage
echo "\${COMPREPLY[@]:-}"`

/**
 * A zsh program that prints the words that zsh offers. It replaces the completion builtins, which work only in an
 * interactive terminal.
 */
const inZsh = `
compdef() { :; }
compset() { [[ $PREFIX == -*=* ]]; }
_files() { :; }
compadd() { shift; print -r -- "\${(M)@:#$PREFIX*}"; }
source "$0"
words=(stowage "$@") CURRENT=$(($# + 1)) PREFIX="\${@[-1]}"
_stowage`

const inFish = `
set -l script $argv[1]
set -e argv[1]
source $script
complete -C "stowage $argv"`

const asked = { bash: ['-c', inBash], zsh: ['-f', '-c', inZsh], fish: ['--no-config', '-c', inFish] } as const

/** Returns the words that a shell offers for the last word in a folder without files, sorted. */
async function offeredWords(shell: keyof typeof asked, words: readonly string[]): Promise<readonly string[]> {
  const { cwd, run } = createCliContext()
  const [script, empty] = [path.join(cwd, 'script'), path.join(cwd, 'empty')]
  writeFileSync(script, (await run('completion', shell)).out)
  mkdirSync(empty)
  const shown = execFileSync(shell, [...asked[shell], script, ...words], {
    cwd: empty,
    env: { ...process.env, HOME: cwd, XDG_CONFIG_HOME: cwd, XDG_DATA_HOME: cwd },
    encoding: 'utf8',
  })
  return shown.split(/\s+/).filter(Boolean).toSorted()
}

const usersVerbs = ['add', 'export', 'find', 'import', 'ls', 'rm', 'update']

const lines: readonly (readonly [readonly string[], readonly string[]])[] = [
  [['ver'], ['version']],
  [['users', ''], usersVerbs],
  [['help', 'users', ''], usersVerbs],
  [
    ['completion', ''],
    ['bash', 'fish', 'powershell', 'zsh'],
  ],
  [['rules', 'r'], ['rm']],
  [
    ['users', 'add', '--sorting.'],
    ['--sorting.asc', '--sorting.by'],
  ],
  // A serving flag, and a flag of the verb.
  [['users', 'update', '--username'], ['--username']],
  [['users', 'ls', '--perm.'], []],
  [['users', 'ls', '--baseU'], ['--baseURL']],
  [['--he'], ['--help']],
  // The value of a flag is not a verb, but the word after the value is.
  [['-d', 'users', 'he'], ['help']],
  [['-d', ''], []],
  [['users', 'ls', '-r', ''], []],
  // With this verb, the short flag is a switch.
  [['rules', 'add', '-r', '--all'], ['--allow']],
  [['hash', ''], []],
]

for (const shell of ['bash', 'zsh', 'fish'] as const)
  test.skipIf(!isHere(shell)).each(lines)(`${shell} completes %j`, async (words, goal) => {
    expect(await offeredWords(shell, words)).toEqual(goal)
  })

test('bash separates the value of a flag from its name', async () => {
  expect(await offeredWords('bash', ['--database', '=', 'users', 'he'])).toEqual(['help'])
  expect(await offeredWords('bash', ['--database', '=', ''])).toEqual([])
})

test.each(['bash', 'zsh', 'fish', 'powershell'])(
  'the script of %s contains every verb and flag',
  async (shell) => {
    const { run } = createCliContext()
    const { code, out, err } = await run('completion', shell)
    expect([code, err]).toEqual([0, ''])
    const words = new Set(out.split(/[\s'=]+/))
    const wanted = verbs.flatMap(({ name, options }) => [
      ...name.split(' '),
      ...options.map((option) => `--${option.name}`),
    ])
    expect(wanted.filter((word) => !words.has(word))).toEqual([])
    expect([words.has('--baseURL'), words.has('-d'), out.includes('_stowage')]).toEqual([
      true,
      true,
      shell !== 'powershell',
    ])
  },
)

test('a shell gets its completion script even when the configuration is broken', async () => {
  const { cwd, run } = createCliContext()
  writeFileSync(path.join(cwd, '.stowage.json'), '{')
  expect((await run('version')).code).toBe(2)
  expect((await run('completion', 'bash')).code).toBe(0)
})
