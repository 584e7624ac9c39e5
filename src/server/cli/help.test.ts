import { expect, test } from 'vitest'
import { createCliContext } from '../../../test/kit/cli-context.ts'

const firstWords = (text: string): readonly (string | undefined)[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('  '))
    .map((line) => line.split(/ {2,}/)[1])

test.each([
  ['users', 'users add NAME PASSWORD', 'Changes a user, by id or name.'],
  ['rules', 'rules add EXPR', 'Shows the rules.'],
  ['cmds', 'cmds add EVENT COMMAND…', 'Removes a command of an event, or all from INDEX to END.'],
  ['completion', 'completion bash', 'fish'],
])('%s: the verbs of a group are shown, however the help is called', async (group, first, meaning) => {
  const { run } = createCliContext()
  const asked = await run('help', group)
  expect(asked).toMatchObject({ code: 0, err: '' })
  expect(asked.out).toContain(`Usage: stowage ${group} VERB`)
  expect(firstWords(asked.out)[0]).toBe(first)
  expect(firstWords(asked.out).every((verb) => verb?.startsWith(`${group} `))).toBe(true)
  expect(asked.out).toContain(meaning)
  for (const words of [[group, '--help'], ['-h', group], [group], [group, '-d', 'x.db']])
    expect(await run(...words)).toEqual(asked)
})

test('the help of a verb that is a group as well shows its meaning and the verbs', async () => {
  const { run } = createCliContext()
  const asked = await run('help', 'config')
  expect(asked).toEqual(await run('config', '--help'))
  expect(asked).toMatchObject({ code: 0, err: '' })
  expect(asked.out).toContain('the source of each value')
  expect(firstWords(asked.out)).toEqual(expect.arrayContaining(['config init', 'config export FILE']))
  expect((await run('config')).out).toContain('tokenExpirationTime')
})

test.each([
  [['help', 'frob']],
  [['help', 'users', 'frob']],
  [['users', 'frob', '--help']],
  [['users', '--frob']],
  [['completion', 'frob']],
  [['completion', 'bash', 'more']],
])('%s is refused as an invalid command line', async (words) => {
  const { code, out, err } = await createCliContext().run(...words)
  expect([code, out, err.trimEnd().split('\n').length]).toEqual([2, '', 1])
})
