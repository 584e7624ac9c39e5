import { diskPathOf } from '../../disk-path.ts'
import {
  closeSync,
  constants,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../../../test/kit/temporary-folder.ts'
import { createLossCollector } from '../../../../shared/domain/losses.ts'
import { pathOf, type Path } from '../../../../shared/domain/path.ts'
import { etagOf } from '../calls/file-stat.ts'
import type { FileSystemCalls } from '../calls/file-system-calls.ts'
import { loadKernelCalls } from '../calls/kernel-calls.ts'
import { nodeCalls } from '../calls/node-calls.ts'
import type { MainThreadRequest, TaskContext } from '../resolution/task-context.ts'
import { deleteEntry } from './remove.ts'

const asideName = '.0123456789abcdef0123456789abcdef.stowage-part'

/**
 * Creates the context of a task in a folder with the file `made.txt`. `onStat` is called after the metadata of a name was
 * read, so that a test can change the folder between two system calls.
 */
function taskIn(disk: string, calls: FileSystemCalls, onStat: (name: string) => void) {
  const descriptor = openSync(disk, constants.O_RDONLY | constants.O_DIRECTORY)
  onTestFinished(() => closeSync(descriptor))
  const { dev, ino } = statSync(disk, { bigint: true })
  const journal: string[] = []
  const context: TaskContext = {
    calls: {
      ...calls,
      statAt(location) {
        const stat = calls.statAt(location)
        onStat(location.name)
        return stat
      },
    },
    link: {
      sendRequest: async (request) =>
        void journal.push((request as MainThreadRequest & { path: string }).path),
      emit: async () => {},
      requestHelp: () => {},
      isAborted: () => false,
      reportProgress: () => {},
      throwIfAborted: () => {},
      transferWithResult: () => {},
      context: null,
    },
    rootContext: {
      descriptor,
      volumeRoot: { descriptor, dev, ino, realPath: diskPathOf(disk), mountPoint: null, mayRenew: false },
      reservedNames: [],
      followsExternal: false,
      hasRules: false,
      reservedFiles: { files: [], prefixes: [] },
    },
    newStagedName: () => asideName,
    losses: createLossCollector(),
  }
  const remove = (etag: string) =>
    deleteEntry(context, { path: pathOf('/made.txt') as Path, recursive: false, ifMatch: etag })
  const etag = etagOf(calls.statAt({ folder: descriptor, name: 'made.txt' }))
  return { remove, journal, etag }
}

/** Creates a task that removes `made.txt`, and returns the folder, the task, and the functions that a test needs. */
async function removalOf(
  kind: FileSystemCalls['kind'],
  onStat: (name: string, disk: string) => void = () => {},
) {
  // Without kernel calls on this machine, the other implementation is tested twice.
  const calls = (kind === 'kernel' ? await loadKernelCalls() : null) ?? nodeCalls()
  const disk = temporaryFolder()
  writeFileSync(path.join(disk, 'made.txt'), 'made')
  const { remove, journal, etag } = taskIn(disk, calls, (name) => onStat(name, disk))
  const contents = (): Readonly<Record<string, string>> =>
    Object.fromEntries(readdirSync(disk).map((name) => [name, readFileSync(path.join(disk, name), 'utf8')]))
  return { remove: () => remove(etag), journal, contents }
}

const save = (disk: string, text: string): void => {
  writeFileSync(path.join(disk, 'new'), text)
  renameSync(path.join(disk, 'new'), path.join(disk, 'made.txt'))
}

/** Calls a function the first time that the metadata of a name was read. */
function onFirstStat(name: string, change: (disk: string) => void): (name: string, disk: string) => void {
  let hasRun = false
  return (read, disk) => {
    if (read !== name || hasRun) return
    hasRun = true
    change(disk)
  }
}

describe.each(['kernel', 'walk'] as const)('a removal with an etag, %s', (kind) => {
  test('removes an unchanged file, whose hidden name is in the journal before', async () => {
    const removal = await removalOf(kind)
    await removal.remove()
    expect(removal.contents()).toEqual({})
    expect(removal.journal.map((at) => path.basename(at))).toEqual([asideName])
  })

  test('keeps what somebody saves right after the etag was compared', async () => {
    const removal = await removalOf(
      kind,
      onFirstStat('made.txt', (disk) => save(disk, 'saved')),
    )
    await expect(removal.remove()).rejects.toMatchObject({ code: 'changed-meanwhile' })
    expect(removal.contents()).toEqual({ 'made.txt': 'saved' })
  })

  test('keeps what another program writes to the file then', async () => {
    const removal = await removalOf(
      kind,
      onFirstStat('made.txt', (disk) => writeFileSync(path.join(disk, 'made.txt'), 'edited')),
    )
    await expect(removal.remove()).rejects.toMatchObject({ code: 'changed-meanwhile' })
    expect(removal.contents()).toEqual({ 'made.txt': 'edited' })
  })

  test('keeps both files when the name is taken again meanwhile', async () => {
    const first = onFirstStat('made.txt', (disk) => save(disk, 'saved'))
    const second = onFirstStat(asideName, (disk) => save(disk, 'saved later'))
    const removal = await removalOf(kind, (name, disk) => {
      first(name, disk)
      second(name, disk)
    })
    await expect(removal.remove()).rejects.toMatchObject({ code: 'changed-meanwhile' })
    expect(removal.contents()).toEqual({ 'made.txt': 'saved later', 'made(1).txt': 'saved' })
  })
})
