import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')

/** Runs a program of the repository in a Node that names another processor. */
function runOn(processor: string, program: string) {
  const rename = `data:text/javascript,Object.defineProperty(process, 'arch', { value: '${processor}' })`
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', rename, path.join(root, program), 'version'],
    { encoding: 'utf8' },
  )
  return { status, stdout, errorLines: stderr.trim().split('\n') }
}

test.each(['arm', 'riscv64'])('on %s, both ways to start say in one line what is needed', (processor) => {
  for (const program of ['bin/stowage.js', 'scripts/start.js']) {
    const { status, stdout, errorLines } = runOn(processor, program)
    expect(status).toBe(1)
    expect(stdout).toBe('')
    expect(errorLines).toEqual([expect.stringMatching(/x64 and arm64, and this Node is for \w+\./)])
  }
})

test('on a supported processor, the program runs', () => {
  expect(runOn(process.arch, 'bin/stowage.js')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('v0.1'),
  })
})
