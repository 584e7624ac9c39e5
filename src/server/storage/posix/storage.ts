import { root, type Path } from '../../../shared/domain/path.ts'
import { applyWith, type ChangeHandlers, type OperationOptions } from '../change.ts'
import type { NarrowOptions, OpenFile, Storage, TreeStreamItem } from '../port.ts'
import { check } from './check.ts'
import { findNames } from './find-names.ts'
import { cachedReadRootOf, runTask, streamTask, type StorageContext } from './storage-context.ts'
import { startListing } from './listing/listing-stream.ts'
import { openFileFrom } from './content/open-file.ts'
import { narrowRules, refuseReading, refuseWriting } from './rules.ts'
import { unpackTreeItems } from './trees/packed-tree-items.ts'
import type { EntryAtPath } from './trees/walk-tree.ts'
import { uploadHandlersOf, uploadReadsOf } from './upload-sessions.ts'
import { createWriter } from './write-file.ts'
import { leaseDescriptors } from './content/lease-descriptors.ts'

/** A storage on a disk of this machine. */
type LocalStorage = Storage & Required<Pick<Storage, 'localDisk'>>

/**
 * Creates the `Storage` for one root. The main thread refuses calls that the rights do not allow, and calls for
 * requested paths that are denied. Worker threads do everything else.
 */
export function storageOf(context: StorageContext): LocalStorage {
  const { rules } = context
  return {
    localDisk: {
      folder: async (path, options) => runTask(context, { task: 'localFolder', input: { path }, options }),
    },
    narrow: async (to) => narrow(context, to),
    stat: async (path, options) => runTask(context, { task: 'stat', input: { path }, options }),
    list: async (path, { order, sniffs = false, ...options }) => {
      refuseReading(rules)
      return startListing(streamTask(context, { task: 'list', input: { path, order, sniffs }, options }))
    },
    walk: (path, options) => walk(context, path, options),
    find: (path, options) => findNames(context, path, options),
    open: async (path, options) => {
      refuseReading(rules)
      return openCached(context, path, options) ?? openFile(context, path, options)
    },
    readTree: (path, options) => readTree(context, path, options),
    checksum: async (path, { algorithm, ...options }) => {
      refuseReading(rules)
      return runTask(context, { task: 'checksum', input: { path, algorithm }, options })
    },
    measure: async (path, { follows = false, ...options } = {}) => {
      refuseReading(rules)
      return runTask(context, { task: 'measure', input: { path, follows }, options })
    },
    usage: async (path, options) => {
      refuseReading(rules)
      return runTask(context, { task: 'usage', input: { path }, options })
    },
    ...uploadReadsOf(context),
    apply: applyWith(handlersOf(context), () => refuseWriting(rules)),
    check: (change) => check(context, change),
  }
}

/** Returns the functions that make the changes of a storage. */
function handlersOf(context: StorageContext): ChangeHandlers {
  const { volume } = context
  return {
    write: createWriter(context),
    ...uploadHandlersOf(context),
    makeFolder: async ({ path, parents: hasParents = false, mayExist = false, signal }) => {
      const input = { path, hasParents, mayExist, dirMode: volume.dirMode }
      return runTask(context, { task: 'makeFolder', input, options: { signal } })
    },
    move: async ({ path: from, to, overwrite, signal }) => {
      const input = { from, to, overwrite, dirMode: volume.dirMode }
      return runTask(context, { task: 'move', input, options: { signal } })
    },
    copy: async ({ path: from, to, overwrite, maxBytes, signal }) => {
      refuseReading(context.rules)
      const input = { from, to, overwrite, maxBytes, dirMode: volume.dirMode }
      return runTask(context, { task: 'copy', input, options: { signal } })
    },
    remove: async ({ path, recursive, ifMatch, signal }) => {
      await runTask(context, { task: 'remove', input: { path, recursive, ifMatch }, options: { signal } })
    },
    setFolderTime: async ({ path, modifiedMs, ifMatch, signal }) => {
      await runTask(context, {
        task: 'setFolderTime',
        input: { path, modifiedMs, ifMatch },
        options: { signal },
      })
    },
  }
}

async function narrow(context: StorageContext, to: NarrowOptions): Promise<Storage> {
  const { volume, rules } = context
  const path = to.at ?? root
  if (path === root) return storageOf({ ...context, rules: narrowRules(rules, to, [path]) })
  const opened = await runTask(context, {
    task: 'openRoot',
    input: { path },
    onLate: closeLate(context),
  })
  const narrowedRoot = {
    root: volume.roots.keep(opened),
    volumeRoot: context.narrowedRoot?.volumeRoot ?? volume.volumeRoot,
  }
  return storageOf({ volume, narrowedRoot, rules: narrowRules(rules, to, [path, opened.path]) })
}

function openCached(context: StorageContext, path: Path, options: OperationOptions = {}): OpenFile | null {
  const { cachedReader, calls } = context.volume
  if (cachedReader === null || options.signal?.aborted === true) return null
  const cached = cachedReader.read(cachedReadRootOf(context, path), path)
  return cached === null ? null : openFileFrom(cached, { calls, signal: options.signal })
}

async function openFile(
  context: StorageContext,
  path: Path,
  options: OperationOptions = {},
): Promise<OpenFile> {
  const { cachedReader, calls } = context.volume
  const opened = await runTask(context, {
    task: 'openFile',
    input: { path },
    options,
    isShort: true,
    onLate: closeLate(context),
  })
  cachedReader?.confirmVolumeRoot()
  return openFileFrom(opened, { calls, signal: options.signal })
}

/**
 * Creates a function that closes the descriptor in the result of a task that ended after it was aborted or had timed
 * out. A result that contains the bytes of a small file has no open descriptor.
 */
const closeLate =
  ({ volume }: StorageContext) =>
  (late: { readonly descriptor: number } | { readonly bytes: Uint8Array }): void =>
    void leaseDescriptors(volume.calls, 'descriptor' in late ? [late.descriptor] : [])
      .release()
      .catch(() => {})

async function* walk(
  context: StorageContext,
  path: Path,
  { onUnreachable, ...options }: NonNullable<Parameters<Storage['walk']>[1]> = {},
): AsyncGenerator<readonly EntryAtPath[], void> {
  refuseReading(context.rules)
  for await (const sent of streamTask(context, { task: 'walk', input: { path }, options })) {
    if (!('unreachable' in sent)) yield sent
    else if (onUnreachable !== undefined) {
      onUnreachable(sent.unreachable)
      yield []
    }
  }
}

async function* readTree(
  context: StorageContext,
  path: Path,
  { sums = false, onLeftOut, ...options }: NonNullable<Parameters<Storage['readTree']>[1]> = {},
): AsyncGenerator<readonly TreeStreamItem[], void> {
  refuseReading(context.rules)
  for await (const sent of streamTask(context, { task: 'readTree', input: { path, sums }, options })) {
    if ('leftOut' in sent) onLeftOut?.(sent.leftOut, sent.path)
    else yield unpackTreeItems(sent)
  }
}
