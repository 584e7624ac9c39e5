import { execFileSync } from 'node:child_process'
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { succeeds } from '../../../test/kit/mounts.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { loadConfig } from './load-config.ts'
import { createOwnFilesReader } from './own-files.ts'
import { realEnvironment } from './config-environment.ts'

/**
 * Creates a folder with a database inside a served folder, and two mount points at which that folder can be mounted
 * again.
 */
function twice() {
  const top = realpathSync(temporaryFolder())
  const [inside, again, alone] = ['served/inside', 'again', 'alone'].map((name) => path.join(top, name)) as [
    string,
    string,
    string,
  ]
  for (const folder of [inside, again, alone]) mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(inside, 'some.db'), 'theirs')
  writeFileSync(path.join(alone, 'some.db'), '')
  return { inside, again, alone }
}

function bind(from: string, to: string): boolean {
  if (!succeeds('mount', '--bind', from, to)) return false
  onTestFinished(() => void execFileSync('umount', ['-l', to]))
  return true
}

function foldersOf(database: string): readonly string[] {
  const { config } = loadConfig({ ...realEnvironment({}, path.dirname(database)), argv: ['-d', database] })
  return createOwnFilesReader(config, () => 0)().folders
}

test('a folder or file that is mounted a second time is found under all of its paths', ({ skip }) => {
  const { inside, again, alone } = twice()
  const isBound = bind(inside, again) && bind(path.join(inside, 'some.db'), path.join(alone, 'some.db'))
  if (!isBound) skip('nothing may be mounted here')
  expect(foldersOf(path.join(again, 'some.db'))).toEqual(expect.arrayContaining([again, inside]))
  expect(foldersOf(path.join(alone, 'some.db'))).toEqual(expect.arrayContaining([alone, inside]))
})
