import { chmodSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { transparentPng } from '../../../test/kit/images.ts'
import { startApp } from '../../../test/kit/start-app.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { findBubblewrap } from '../programs/find-bubblewrap.ts'
import { createConverterCommand } from './converter-command.ts'
import { searchRetryMs } from './retrying-search.ts'
import { startProcess } from '../../../test/kit/start-process.ts'

const machineSandbox = await findBubblewrap(startProcess, {})

/** Writes a program in the place of bubblewrap, which fails until the file `works` exists, and a program to convert images. */
function unreliableSandbox() {
  const folder = temporaryFolder()
  const program = path.join(folder, 'bwrap')
  writeFileSync(program, `#!/bin/sh\n[ -e ${folder}/works ] && exit 0\necho no namespaces left >&2\nexit 1\n`)
  chmodSync(program, 0o755)
  writeFileSync(path.join(folder, 'entry.mjs'), '')
  return {
    entry: pathToFileURL(path.join(folder, 'entry.mjs')),
    sandbox: { isUsable: true, program, args: [] } as const,
    repair: () => writeFileSync(path.join(folder, 'works'), ''),
  }
}

test('a sandbox that fails is reported, and tried again after five minutes', async () => {
  const { entry, sandbox, repair } = unreliableSandbox()
  const reasons: string[] = []
  let nowMs = 1000
  const findCommand = createConverterCommand({
    start: startProcess,
    entry,
    findSandbox: async () => sandbox,
    isMemorySmall: false,
    nowMs: () => nowMs,
    onUnsandboxed: (reason) => void reasons.push(reason),
  })
  const isSandboxed = async () => (await findCommand()).isSandboxed
  expect(await Promise.all([isSandboxed(), isSandboxed()])).toEqual([false, false])
  nowMs += searchRetryMs
  expect(await isSandboxed()).toBe(false)
  const reason = 'the image library does not start in it: no namespaces left'
  expect(reasons).toEqual([reason, reason])
  repair()
  nowMs += searchRetryMs - 1
  expect(await isSandboxed()).toBe(false)
  nowMs += 1
  expect(await isSandboxed()).toBe(true)
  nowMs += searchRetryMs
  expect((await findCommand()).words[0]).toBe(sandbox.program)
})

test.skipIf(machineSandbox.isUsable)(
  'the log says once, with the reason, that there is no sandbox',
  async () => {
    const image = await transparentPng()
    const app = await startApp({ files: { 'a.png': '', 'b.png': '' } })
    for (const name of ['a.png', 'b.png']) {
      writeFileSync(path.join(app.disk, name), image)
      expect((await app.call('preview.get', { path: `/${name}`, size: 'thumb' })).status).toBe(200)
    }
    expect(app.lines.filter((line) => line.includes('without a sandbox'))).toHaveLength(1)
  },
)
