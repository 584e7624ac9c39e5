import { mkdirSync, statSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { sandbox } from '../../../test/kit/command-socket.ts'
import { isSomewhere } from '../../../test/kit/is-running.ts'
import { eventually } from '../../../test/kit/open-door.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { findProgram } from './find-program.ts'
import { runInSandbox, type CommandPlace } from './run-in-sandbox.ts'
import { isShown } from './sandbox.ts'
import { withLimits } from './with-limits.ts'

const identity = (place: string) => {
  const { dev, ino } = statSync(place, { bigint: true })
  return { dev, ino }
}

/** A place in a folder, and what was judged to lie there. */
function placeIn(top: string, folder: string, judged: { top?: string; folder?: string } = {}): CommandPlace {
  const realPath = path.join(top, folder)
  return {
    scope: { realPath: top, mayWrite: true, hiddenNames: [], folder, ...identity(judged.top ?? top) },
    folder: { realPath, ...identity(judged.folder ?? realPath) },
  }
}

type Wish = { readonly processes?: number; readonly memoryBytes?: number; readonly signal?: AbortSignal }

async function heard(place: CommandPlace, words: readonly string[], wish: Wish = {}) {
  if (!sandbox.isUsable) throw new Error(sandbox.why)
  const { processes = 64, memoryBytes = 1e9, signal = new AbortController().signal } = wish
  const needs = { bubblewrap: sandbox, withLimits: (it: readonly string[]) => it, processes, memoryBytes }
  let said = ''
  const onOutput = async (bytes: Buffer) => void (said += bytes)
  const ended = await runInSandbox(needs, place, { words, timeMs: 20_000, signal, onOutput })
  return { said, ...ended }
}

test.skipIf(!sandbox.isUsable)('a command begins in the folder that was judged', async () => {
  const top = temporaryFolder()
  mkdirSync(path.join(top, 'docs'))
  const ran = await heard(placeIn(top, 'docs'), ['/bin/pwd'])
  expect(ran).toEqual({ said: '/scope/docs\n', ending: { kind: 'exited', status: 0 }, why: null })
})

test.skipIf(!sandbox.isUsable)('nothing is run where another folder has come into its place', async () => {
  const [top, other] = [temporaryFolder(), temporaryFolder()]
  for (const name of ['docs', 'other']) mkdirSync(path.join(top, name))
  const swapped = await heard(placeIn(top, 'docs', { top: other }), ['/bin/pwd'])
  expect(swapped).toEqual({ said: '', ending: { kind: 'aborted' }, why: 'its folders are others by now' })
  const below = await heard(placeIn(top, 'docs', { folder: path.join(top, 'other') }), ['/bin/pwd'])
  expect(below).toMatchObject({ said: '', ending: { kind: 'aborted' } })
  // A link leads to nothing inside, though from outside it would lead to what was judged.
  symlinkSync(other, path.join(top, 'link'))
  const linked = await heard(placeIn(top, 'link'), ['/bin/pwd'])
  expect(linked).toMatchObject({ said: '', ending: { kind: 'exited', status: 1 } })
})

test.skipIf(!sandbox.isUsable)('too many processes, or too much memory of all together, end it', async () => {
  const top = temporaryFolder()
  const words = ['/bin/sh', '-c', 'sleep 60 & sleep 60 & sleep 60 & wait']
  const many = await heard(placeIn(top, ''), words, { processes: 3 })
  expect(many).toMatchObject({ ending: { kind: 'aborted' }, why: 'it has too many processes' })
  const large = await heard(placeIn(top, ''), words, { memoryBytes: 1000 })
  expect(large).toMatchObject({ ending: { kind: 'aborted' }, why: 'it has too much memory' })
})

test('a program is found by its name alone, in folders that nobody sets', async () => {
  expect(await findProgram('true')).toMatch(/^(\/usr)?\/bin\/true$/)
  for (const name of ['', '.', '..', 'bin/true', '/bin/true', 'no-such-program', 'a\0b'])
    expect(await findProgram(name)).toBe(null)
})

test('limits are words in front of the program, where there is something that sets them', () => {
  const most = { cpuSeconds: 1, memoryBytes: 2, fileBytes: 3, processes: 4, openFiles: 5 }
  expect(withLimits(null, most)(['/bin/ls', '-l'])).toEqual(['/bin/ls', '-l'])
  expect(withLimits('/usr/bin/prlimit', { ...most, processes: null })(['/bin/ls'])).toEqual([
    '/usr/bin/prlimit',
    '--cpu=1',
    '--data=2',
    '--fsize=3',
    '--nofile=5',
    '--core=0',
    '--',
    '/bin/ls',
  ])
})

test.each([
  ['/srv/files', true],
  ['/srv/files/a/b', true],
  ['/srv/filesystem', false],
  ['/srv', false],
  ['/usr/lib/x', true],
])('%s can be seen: %s', (folder, isSeen) => {
  expect(isShown(folder, ['/usr', '/srv/files'])).toBe(isSeen)
})

test.skipIf(!sandbox.isUsable)('whenever it is stopped, nothing is left of it', async () => {
  const top = temporaryFolder()
  for (let waits = 0; waits < 40; waits += 1) {
    const stop = new AbortController()
    const running = heard(placeIn(top, ''), ['/bin/sleep', '3600'], { signal: stop.signal })
    for (let n = 0; n < waits; n += 1) await new Promise(setImmediate)
    stop.abort()
    expect((await running).ending).toEqual({ kind: 'aborted' })
  }
  await eventually(() => !isSomewhere(top))
})
