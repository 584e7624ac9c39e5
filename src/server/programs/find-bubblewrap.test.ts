import { expect, test } from 'vitest'
import { startProcess } from '../../../test/kit/start-process.ts'
import { findBubblewrap } from './find-bubblewrap.ts'
import { findProgram } from './find-program.ts'
import type { ProcessStarter } from './process-starter.ts'

/** Starts `false` in place of a bubblewrap with one of these arguments, and otherwise `true`. */
const systemThatRefuses =
  (...refused: readonly string[]): ProcessStarter =>
  (request) =>
    startProcess({
      ...request,
      program: request.args.some((word) => refused.includes(word)) ? 'false' : 'true',
      args: [],
    })

const isInstalled = (await findProgram('bwrap')) !== null

test.skipIf(!isInstalled).each([
  [[], ['--unshare-cgroup-try', '--disable-userns']],
  [['--unshare-cgroup-try'], ['--disable-userns']],
  [['--disable-userns'], ['--unshare-cgroup-try']],
  [['--unshare-cgroup-try', '--disable-userns'], []],
])('where the system refuses %j, the sandbox has %j of the two', async (refused, expected) => {
  const found = await findBubblewrap(systemThatRefuses(...refused), {})
  const optional = ['--unshare-cgroup-try', '--disable-userns']
  expect(found.isUsable && found.args.filter((word) => optional.includes(word))).toEqual(expected)
})

test.skipIf(!isInstalled)('where the system refuses namespaces of users, there is no sandbox', async () => {
  expect((await findBubblewrap(systemThatRefuses('--unshare-user'), {})).isUsable).toBe(false)
})
