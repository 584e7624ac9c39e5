import { diskPathOf } from '../../disk-path.ts'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { kindOf } from './file-stat.ts'
import type { FileSystemCalls } from './file-system-calls.ts'
import { disposable, openAnywhere } from './descriptors.ts'
import { nodeCalls } from './node-calls.ts'
import { loadKernelCalls } from './kernel-calls.ts'

function folderOfKinds() {
  const disk = mkdtempSync(path.join(tmpdir(), 'opening-'))
  onTestFinished(() => rmSync(disk, { recursive: true }))
  writeFileSync(path.join(disk, 'file'), 'x')
  mkdirSync(path.join(disk, 'folder'))
  symlinkSync('file', path.join(disk, 'link'))
  symlinkSync('folder', path.join(disk, 'folder-link'))
  execFileSync('mkfifo', [path.join(disk, 'pipe')])
  const folder = disposable(openAnywhere(diskPathOf(disk)))
  onTestFinished(() => folder[Symbol.dispose]())
  return folder.descriptor
}

/** Returns the kind of the opened entry, or the system's error code when it could not be opened. */
function opened(calls: FileSystemCalls, open: () => number): unknown {
  try {
    using entry = disposable(open())
    return kindOf(calls.stat(entry.descriptor))
  } catch (error) {
    return (error as NodeJS.ErrnoException).code
  }
}

test.each(['kernel', 'walk'])('calls of kind "%s" open no link and do not block on a pipe', async (kind) => {
  const calls = kind === 'kernel' ? ((await loadKernelCalls()) ?? nodeCalls()) : nodeCalls()
  const folder = folderOfKinds()
  const asFile = (name: string) => opened(calls, () => calls.openFile({ folder, name }))
  const asFolder = (name: string) => opened(calls, () => calls.openFolder({ folder, name }))
  expect(['file', 'pipe', 'link', 'none'].map(asFile)).toEqual(['file', 'other', 'ELOOP', 'ENOENT'])
  expect([asFolder('folder'), asFolder('file')]).toEqual(['folder', 'ENOTDIR'])
  expect(['ELOOP', 'ENOTDIR']).toContain(asFolder('folder-link'))
})
