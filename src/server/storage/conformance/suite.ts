import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest'
import { codeOf } from '../../../shared/domain/failure.ts'
import type { ListingOrder } from '../../../shared/domain/sorting.ts'
import type { OperationOptions } from '../change.ts'
import type { EntryPage, Storage, Volume } from '../port.ts'
import { adapters } from './adapters.ts'
import type { StorageAdapter } from './adapters.ts'
import { bodyOf, p } from './path-and-body.ts'

export { bodyOf, p }

/**
 * A tree of files as a literal: a string is a file, `{ link }` is a symbolic link, and any other object is a folder.
 */
export type FileTree = { readonly [name: string]: string | SymbolicLink | FileTree }
export type SymbolicLink = { readonly link: string }

/** The folder of one test case: its path on disk, and a storage that is confined to that folder. */
export type StorageFixture = { readonly disk: string; readonly storage: Storage }

/** The adapter under test, and functions that prepare a test case for this adapter. */
export type ConformanceSuite = {
  readonly adapter: StorageAdapter
  /** Returns the volume of the suite. */
  readonly volume: () => Volume
  /** Returns the path of the volume's folder on disk. */
  readonly top: () => string
  /** Creates a folder with this tree for one test case. */
  readonly fixture: (tree?: FileTree) => Promise<StorageFixture>
}

/** Registers the test cases of a chapter once for each adapter. All test cases of an adapter share one volume. */
export function conformance(chapter: string, cases: (suite: ConformanceSuite) => void): void {
  describe.each(adapters)(`${chapter}: $name`, (adapter) => {
    let top = ''
    let volume: Volume
    let fixtureCount = 0
    beforeAll(() => {
      top = mkdtempSync(join(tmpdir(), 'storage-'))
      volume = adapter.createVolume({ root: top })
    })
    afterAll(async () => {
      await volume.close()
      rmSync(top, { recursive: true, force: true })
    })
    cases({
      adapter,
      volume: () => volume,
      top: () => top,
      async fixture(tree = {}) {
        fixtureCount += 1
        const disk = join(top, `fixture-${fixtureCount}`)
        mkdirSync(disk)
        makeTree(disk, tree)
        return { disk, storage: await volume.narrow({ at: p(`/fixture-${fixtureCount}`) }) }
      },
    })
  })
}

/** Creates a volume for one test case and closes it at the end of the case. */
export function ownVolume(create: () => Volume): Volume {
  const volume = create()
  onTestFinished(async () => volume.close())
  return volume
}

/** Creates a folder outside of every volume and removes it at the end of the test case. */
export function outsideFolder(tree: FileTree = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'outside-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  makeTree(folder, tree)
  return folder
}

/**
 * Returns the code of the error that a call rejects with, or null when the call succeeds. Errors with the code
 * `internal` are thrown.
 */
export async function refusalCode(call: Promise<unknown>): Promise<string | null> {
  try {
    await call
    return null
  } catch (error) {
    if (codeOf(error) === 'internal') throw error
    return codeOf(error)
  }
}

/**
 * Makes calls of every kind on a path and on an entry below this path, and returns their error codes. The storage must
 * contain a file `/plain`.
 */
export function refusalCodes(storage: Storage, path: string): Promise<readonly (string | null)[]> {
  const calls = [
    storage.stat(p(path)),
    storage.open(p(path)),
    listAll(storage, path),
    walkAll(storage, path),
    storage.apply({ kind: 'write', path: p(path), body: bodyOf('x'), overwrite: 'upsert' }),
    storage.apply({ kind: 'write', path: p(path), body: bodyOf('x'), overwrite: 'create' }),
    storage.apply({ kind: 'begin', path: p(path), overwrite: 'upsert' }),
    storage.isPlaced({ path: p(path), token: '' }, { sizeBytes: 0, modifiedMs: 0 }),
    storage.apply({ kind: 'makeFolder', path: p(`${path}/made`), parents: true }),
    storage.apply({
      kind: 'write',
      path: p(`${path}/made`),
      body: bodyOf('x'),
      overwrite: 'create',
      parents: true,
    }),
    storage.apply({ kind: 'setFolderTime', path: p(path), modifiedMs: 0, ifMatch: '' }),
    storage.apply({ kind: 'remove', path: p(path), recursive: true }),
    storage.apply({ kind: 'move', path: p(path), to: p('/moved'), overwrite: 'upsert' }),
    storage.apply({ kind: 'copy', path: p(path), to: p('/copied'), overwrite: 'upsert' }),
    storage.apply({ kind: 'move', path: p('/plain'), to: p(path), overwrite: 'upsert' }),
    storage.apply({ kind: 'copy', path: p('/plain'), to: p(path), overwrite: 'upsert' }),
    storage.narrow({ at: p(path) }),
  ]
  return Promise.all(calls.map(refusalCode))
}

/** Creates the entries of a tree in a folder on disk. */
export function makeTree(folder: string, tree: FileTree): void {
  for (const [name, node] of Object.entries(tree)) {
    const path = join(folder, name)
    if (typeof node === 'string') writeFileSync(path, node)
    else if (isLink(node)) symlinkSync(node.link, path)
    else {
      mkdirSync(path)
      makeTree(path, node)
    }
  }
}

const isLink = (node: SymbolicLink | FileTree): node is SymbolicLink =>
  typeof node['link'] === 'string' && Object.keys(node).length === 1

/** Reads a folder on disk, including hidden and staged entries. Special files become the string `(special)`. */
export function treeOf(folder: string): FileTree {
  const tree: Record<string, FileTree[string]> = {}
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) tree[entry.name] = treeOf(path)
    else if (entry.isSymbolicLink()) tree[entry.name] = { link: readlinkSync(path) }
    else if (entry.isFile()) tree[entry.name] = readFileSync(path, 'utf8')
    else tree[entry.name] = '(special)'
  }
  return tree
}

/** The listing order of most test cases: by name, with folders first. */
export const byName: ListingOrder = { by: 'name', descending: false, folders: 'first' }

/** One row of a listing, with the values of all columns. */
export type ListedRow = {
  readonly name: string
  readonly flags: number
  readonly sizeBytes: number
  readonly modifiedMs: number
  readonly mode: number
  readonly type: number
}

/** A complete listing: its counts and the rows of all pages. */
export type FolderContents = {
  readonly total: number
  readonly folders: number
  readonly rows: readonly ListedRow[]
}

export async function listAll(
  storage: Storage,
  path: string,
  op: OperationOptions & { readonly order?: ListingOrder; readonly sniffs?: boolean } = {},
): Promise<FolderContents> {
  const listing = await storage.list(p(path), { order: byName, ...op })
  const rows: ListedRow[] = []
  for await (const page of listing.pages) rows.push(...rowsOf(page))
  return { total: listing.total, folders: listing.folders, rows }
}

const rowsOf = (page: EntryPage): ListedRow[] =>
  page.names.map((name, index) => ({
    name,
    flags: page.flags[index] ?? -1,
    sizeBytes: page.sizesBytes[index] ?? -1,
    modifiedMs: page.modifiedMs[index] ?? -1,
    mode: page.modes[index] ?? -1,
    type: page.types[index] ?? -1,
  }))

export const listNames = async (storage: Storage, path = '/', order = byName): Promise<string[]> =>
  (await listAll(storage, path, { order })).rows.map(({ name }) => name)

export async function walkAll(storage: Storage, path = '/'): Promise<string[]> {
  const paths: string[] = []
  for await (const batch of storage.walk(p(path))) paths.push(...batch.map((entry) => entry.path))
  return paths
}

export async function readAll(
  storage: Storage,
  path: string,
  range?: { start: number; end: number },
): Promise<string> {
  const file = await storage.open(p(path))
  try {
    const bytes = await collectBytes(file.bytes(range ?? { start: 0, end: file.entry.sizeBytes }))
    return bytes.toString('utf8')
  } finally {
    await file.close()
  }
}

/** Returns all chunks as one buffer. Each chunk is copied, because the source reuses its buffers. */
export async function collectBytes(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of bytes) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

/** Returns the number of open file descriptors of this process that refer to a path on disk. */
export const openDescriptors = (path: string): number =>
  readdirSync('/proc/self/fd').filter((descriptor) => targetOf(`/proc/self/fd/${descriptor}`) === path).length

/**
 * Returns the target of a link in `/proc/self/fd`, or an empty string when the descriptor was closed before this call.
 */
function targetOf(link: string): string {
  try {
    return readlinkSync(link)
  } catch {
    return ''
  }
}

/** Runs a program. Returns false when it fails or is missing. */
export function canRun(program: string, ...words: readonly string[]): boolean {
  try {
    execFileSync(program, words, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
