import { writeFile } from 'node:fs/promises'
import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { isRunning } from '../../../test/kit/is-running.ts'
import { eventually } from '../../../test/kit/start-http-server.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { servingOptions, type Config } from '../config/serving-options.ts'
import { createCommandRunner } from './command-runner.ts'
import { startProcess } from '../../../test/kit/start-process.ts'

const defaultConfig = Object.fromEntries(
  Object.entries(servingOptions).map(([key, option]) => [key, option.default]),
) as unknown as Config

/** Creates a command runner for a machine without a sandbox. */
function runnerIn(root: string, config: Partial<Config>) {
  let searches = 0
  const runner = createCommandRunner({
    start: startProcess,
    config: {
      ...defaultConfig,
      root,
      database: path.join(root, '..', 'stowage.db'),
      disableExec: false,
      ...config,
    },
    nowMs: Date.now,
    environment: { LANG: 'C.UTF-8', SECRET: 'secret' },
    findSandbox: async () => ({ isUsable: false, reason: `searched ${(searches += 1)} times` }),
  })
  return runner
}

function locationIn(realPath: string) {
  const { dev, ino } = statSync(realPath, { bigint: true })
  const folder = { realPath, dev, ino }
  return { folder, scope: { ...folder, mayWrite: true, hiddenNames: [], folder: '' } }
}

test('without a sandbox, commands only run with --unsafeExec, and disabled commands never run', async () => {
  const root = temporaryFolder()
  const runner = runnerIn(root, {})
  expect(await runner.disabledReason()).toBe(
    'there is no sandbox, and --unsafeExec was not given: searched 1 times',
  )
  expect(await runner.disabledReason()).toMatch('searched 1 times')
  expect(await runnerIn(root, { unsafeExec: true }).disabledReason()).toBe(null)
  const disabledRunner = runnerIn(root, { unsafeExec: true, disableExec: true })
  expect(await disabledRunner.disabledReason()).toMatch('switched off')
  const request = {
    words: ['/usr/bin/touch', path.join(root, 'ran')],
    timeMs: 20_000,
    signal: new AbortController().signal,
    onOutput: async () => {},
  }
  expect(await runner.run(locationIn(root), request)).toMatch('there is no sandbox')
  expect(await disabledRunner.run(locationIn(root), request)).toMatch('switched off')
  expect(existsSync(path.join(root, 'ran'))).toBe(false)
})

test('with --unsafeExec a command runs in its folder, with the same reduced environment as in a sandbox', async () => {
  const root = temporaryFolder()
  await writeFile(path.join(root, 'a.txt'), 'A')
  let output = ''
  const ended = await runnerIn(root, { unsafeExec: true }).run(locationIn(root), {
    words: ['/bin/sh', '-c', 'pwd; cat a.txt; echo; env; echo bad >&2; exit 4'],
    timeMs: 20_000,
    signal: new AbortController().signal,
    onOutput: async (bytes) => void (output += bytes),
  })
  expect(ended).toEqual({ ending: { kind: 'exited', status: 4 }, reason: null })
  expect(output).toMatch(`${root}\nA\n`)
  expect(output).toMatch(/bad\n$/)
  expect(output).not.toContain('SECRET')
})

test('processes that a command left in its process group are ended with the command', async () => {
  let output = ''
  const root = temporaryFolder()
  await runnerIn(root, { unsafeExec: true }).run(locationIn(root), {
    words: ['/bin/sh', '-c', 'sleep 60 >/dev/null 2>&1 & echo $!'],
    timeMs: 20_000,
    signal: new AbortController().signal,
    onOutput: async (bytes) => void (output += bytes),
  })
  expect(Number(output)).toBeGreaterThan(1)
  await eventually(() => !isRunning(Number(output)))
})
