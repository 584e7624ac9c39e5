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
import type { Order } from '../../../shared/domain/sorting.ts'
import type { EntryPage, Op, Storage, Volume } from '../port.ts'
import { adapters } from './adapters.ts'
import type { Adapter } from './adapters.ts'
import { body, p } from './paths.ts'

export { body, p }

/** A tree as a literal: text is a file, `{ link }` a link, any other object a folder. */
export type Tree = { readonly [name: string]: string | Link | Tree }
export type Link = { readonly link: string }

/** What a case has: a folder of its own on disk, and the storage that is confined to it. */
export type World = { readonly disk: string; readonly storage: Storage }

export type Suite = {
  readonly adapter: Adapter
  /** The volume of the suite, and where it lies. */
  readonly volume: () => Volume
  readonly top: () => string
  /** A folder with this tree in it, which no other case touches. */
  readonly world: (tree?: Tree) => Promise<World>
}

/** Registers the cases once for each adapter, all on one volume. */
export function conformance(chapter: string, cases: (suite: Suite) => void): void {
  describe.each(adapters)(`${chapter}: $name`, (adapter) => {
    let top = ''
    let volume: Volume
    let worlds = 0
    beforeAll(() => {
      top = mkdtempSync(join(tmpdir(), 'storage-'))
      volume = adapter.make({ root: top })
    })
    afterAll(async () => {
      await volume.close()
      rmSync(top, { recursive: true, force: true })
    })
    cases({
      adapter,
      volume: () => volume,
      top: () => top,
      async world(tree = {}) {
        worlds += 1
        const disk = join(top, `world-${worlds}`)
        mkdirSync(disk)
        makeTree(disk, tree)
        return { disk, storage: await volume.narrow({ at: p(`/world-${worlds}`) }) }
      },
    })
  })
}

/** A volume of one case's own, closed at its end. */
export function ownVolume(make: () => Volume): Volume {
  const volume = make()
  onTestFinished(async () => volume.close())
  return volume
}

/** A folder outside every volume, removed at the case's end. */
export function outside(tree: Tree = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'outside-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  makeTree(folder, tree)
  return folder
}

/** The code that a call is refused with; null when it is not refused. */
export async function refusal(call: Promise<unknown>): Promise<string | null> {
  try {
    await call
    return null
  } catch (error) {
    if (codeOf(error) === 'internal') throw error
    return codeOf(error)
  }
}

/** What every call that names a path, or one below it, is refused with. `/plain` is a file beside it. */
export function refusals(storage: Storage, path: string): Promise<readonly (string | null)[]> {
  const calls = [
    storage.stat(p(path)),
    storage.open(p(path)),
    listAll(storage, path),
    walkAll(storage, path),
    storage.write(p(path), body('x'), { overwrite: 'upsert' }),
    storage.write(p(path), body('x'), { overwrite: 'create' }),
    storage.begin(p(path), { overwrite: 'upsert' }),
    storage.isPlaced({ path: p(path), token: '' }, { sizeBytes: 0, modifiedMs: 0 }),
    storage.makeFolder(p(`${path}/made`), { parents: true }),
    storage.write(p(`${path}/made`), body('x'), { overwrite: 'create', parents: true }),
    storage.remove(p(path), { recursive: true }),
    storage.move(p(path), p('/moved'), { overwrite: 'upsert' }),
    storage.copy(p(path), p('/copied'), { overwrite: 'upsert' }),
    storage.move(p('/plain'), p(path), { overwrite: 'upsert' }),
    storage.copy(p('/plain'), p(path), { overwrite: 'upsert' }),
    storage.narrow({ at: p(path) }),
  ]
  return Promise.all(calls.map(refusal))
}

export function makeTree(folder: string, tree: Tree): void {
  for (const [name, it] of Object.entries(tree)) {
    const at = join(folder, name)
    if (typeof it === 'string') writeFileSync(at, it)
    else if (isLink(it)) symlinkSync(it.link, at)
    else {
      mkdirSync(at)
      makeTree(at, it)
    }
  }
}

const isLink = (it: Link | Tree): it is Link => typeof it['link'] === 'string' && Object.keys(it).length === 1

/** All there is, hidden and staged names too. */
export function treeOf(folder: string): Tree {
  const tree: Record<string, Tree[string]> = {}
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const at = join(folder, entry.name)
    if (entry.isDirectory()) tree[entry.name] = treeOf(at)
    else if (entry.isSymbolicLink()) tree[entry.name] = { link: readlinkSync(at) }
    else if (entry.isFile()) tree[entry.name] = readFileSync(at, 'utf8')
    else tree[entry.name] = '(special)'
  }
  return tree
}

export const byName: Order = { by: 'name', descending: false, folders: 'first' }

export type Row = {
  readonly name: string
  readonly flags: number
  readonly sizeBytes: number
  readonly modifiedMs: number
  readonly mode: number
  readonly type: number
}

export type Listed = { readonly total: number; readonly folders: number; readonly rows: readonly Row[] }

export async function listAll(
  storage: Storage,
  path: string,
  op: Op & { readonly order?: Order; readonly sniffs?: boolean } = {},
): Promise<Listed> {
  const listing = await storage.list(p(path), { order: byName, ...op })
  const rows: Row[] = []
  for await (const page of listing.pages) rows.push(...rowsOf(page))
  return { total: listing.total, folders: listing.folders, rows }
}

const rowsOf = (page: EntryPage): Row[] =>
  page.names.map((name, at) => ({
    name,
    flags: page.flags[at] ?? -1,
    sizeBytes: page.sizesBytes[at] ?? -1,
    modifiedMs: page.modifiedMs[at] ?? -1,
    mode: page.modes[at] ?? -1,
    type: page.types[at] ?? -1,
  }))

export const namesIn = async (storage: Storage, path = '/', order = byName): Promise<string[]> =>
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
    const bytes = await gathered(file.bytes(range ?? { start: 0, end: file.entry.sizeBytes }))
    return bytes.toString('utf8')
  } finally {
    await file.close()
  }
}

/** All chunks, copied: their buffers are used again. */
export async function gathered(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of bytes) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

/** How many descriptors this process has open of what lies at a path of the disk. */
export const openDescriptors = (path: string): number =>
  readdirSync('/proc/self/fd').filter((descriptor) => targetOf(`/proc/self/fd/${descriptor}`) === path).length

/** Another descriptor may close at any moment. */
function targetOf(link: string): string {
  try {
    return readlinkSync(link)
  } catch {
    return ''
  }
}

/** Runs a program of the machine; false when it fails or is missing. */
export function can(program: string, ...words: readonly string[]): boolean {
  try {
    execFileSync(program, words, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
