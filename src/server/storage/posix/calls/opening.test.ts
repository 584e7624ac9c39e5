import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { kindOf } from '../facts.ts'
import type { Calls } from './calls.ts'
import { hold, openAnywhere } from './descriptors.ts'
import { nodeCalls } from './node-calls.ts'
import { loadSystemCalls } from './system-calls.ts'

function folderOfKinds() {
  const disk = mkdtempSync(path.join(tmpdir(), 'opening-'))
  onTestFinished(() => rmSync(disk, { recursive: true }))
  writeFileSync(path.join(disk, 'file'), 'x')
  mkdirSync(path.join(disk, 'folder'))
  symlinkSync('file', path.join(disk, 'link'))
  symlinkSync('folder', path.join(disk, 'folder-link'))
  execFileSync('mkfifo', [path.join(disk, 'pipe')])
  const folder = hold(openAnywhere(disk))
  onTestFinished(() => folder[Symbol.dispose]())
  return folder.descriptor
}

/** What was opened, or the system's word for why it was not. */
function opened(calls: Calls, open: () => number): unknown {
  try {
    using held = hold(open())
    return kindOf(calls.facts(held.descriptor))
  } catch (error) {
    return (error as NodeJS.ErrnoException).code
  }
}

test.each(['kernel', 'walk'])('calls of the %s open no link, and wait for nobody', async (kind) => {
  const calls = kind === 'kernel' ? ((await loadSystemCalls()) ?? nodeCalls()) : nodeCalls()
  const folder = folderOfKinds()
  const asFile = (name: string) => opened(calls, () => calls.openFile({ folder, name }))
  const asFolder = (name: string) => opened(calls, () => calls.openFolder({ folder, name }))
  expect(['file', 'pipe', 'link', 'none'].map(asFile)).toEqual(['file', 'other', 'ELOOP', 'ENOENT'])
  expect([asFolder('folder'), asFolder('file')]).toEqual(['folder', 'ENOTDIR'])
  expect(['ELOOP', 'ENOTDIR']).toContain(asFolder('folder-link'))
})
