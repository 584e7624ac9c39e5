import { writeFile } from 'node:fs/promises'
import { statSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { isRunning } from '../../../test/kit/is-running.ts'
import { eventually } from '../../../test/kit/open-door.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { servingOptions, type Config } from '../config/serving-options.ts'
import { createCommandRunner } from './command-runner.ts'

const plain = Object.fromEntries(
  Object.entries(servingOptions).map(([key, option]) => [key, option.default]),
) as unknown as Config

/** A machine without a sandbox. */
function runnerIn(root: string, config: Partial<Config>) {
  let asked = 0
  const runner = createCommandRunner({
    config: { ...plain, root, database: path.join(root, '..', 'stowage.db'), disableExec: false, ...config },
    nowMs: Date.now,
    environment: { LANG: 'C.UTF-8', SECRET: 'secret' },
    findSandbox: async () => ({ isUsable: false, why: `asked ${(asked += 1)} times` }),
  })
  return runner
}

function placeIn(realPath: string) {
  const { dev, ino } = statSync(realPath, { bigint: true })
  const folder = { realPath, dev, ino }
  return { folder, scope: { ...folder, mayWrite: true, hiddenNames: [], folder: '' } }
}

test('without a sandbox nothing is run, unless that was asked for; switched off nothing in any case', async () => {
  const root = temporaryFolder()
  const careful = runnerIn(root, {})
  expect(await careful.whyOff()).toBe('there is no sandbox, and --unsafeExec was not given: asked 1 times')
  expect(await careful.whyOff()).toMatch('asked 1 times')
  expect(await runnerIn(root, { unsafeExec: true }).whyOff()).toBe(null)
  expect(await runnerIn(root, { unsafeExec: true, disableExec: true }).whyOff()).toMatch('switched off')
})

test('asked for, it is run in its folder, with no more surroundings than in a sandbox', async () => {
  const root = temporaryFolder()
  await writeFile(path.join(root, 'a.txt'), 'A')
  let said = ''
  const ended = await runnerIn(root, { unsafeExec: true }).run(placeIn(root), {
    words: ['/bin/sh', '-c', 'pwd; cat a.txt; echo; env; echo bad >&2; exit 4'],
    timeMs: 20_000,
    signal: new AbortController().signal,
    onOutput: async (bytes) => void (said += bytes),
  })
  expect(ended).toEqual({ ending: { kind: 'exited', status: 4 }, why: null })
  expect(said).toMatch(`${root}\nA\n`)
  expect(said).toMatch(/bad\n$/)
  expect(said).not.toContain('SECRET')
})

test('what it left in its group ends with it', async () => {
  let said = ''
  const root = temporaryFolder()
  await runnerIn(root, { unsafeExec: true }).run(placeIn(root), {
    words: ['/bin/sh', '-c', 'sleep 60 >/dev/null 2>&1 & echo $!'],
    timeMs: 20_000,
    signal: new AbortController().signal,
    onOutput: async (bytes) => void (said += bytes),
  })
  expect(Number(said)).toBeGreaterThan(1)
  await eventually(() => !isRunning(Number(said)))
})
