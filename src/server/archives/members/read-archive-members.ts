import { isFolder, type Entry } from '../../../shared/domain/entry.ts'
import { AppError, codeOf } from '../../../shared/domain/failure.ts'
import type { LossCollector, LossKind } from '../../../shared/domain/losses.ts'
import { namesOf, parentOf, root, type Path } from '../../../shared/domain/path.ts'
import type { Storage, TreeStreamItem } from '../../storage/port.ts'
import type { MemberChunk } from './member.ts'
import { createMemberNames, type MemberNamer } from './member-names.ts'
import { leftOutMember } from './left-out-member.ts'

/**
 * The entries of a storage that an archive contains: `topPaths` in byte order, none of them inside another. Their names
 * in the archive are relative to `base`.
 */
export type ArchiveReadRequest = {
  readonly storage: Storage
  readonly base: Path
  readonly topPaths: readonly Path[]
  /** True when the archive format requires the CRC-32 of each member's bytes. */
  readonly needsCrc: boolean
  /** Collects the entries that cannot be packed, as paths relative to `base`. */
  readonly losses: LossCollector
  /** True when an archive that lacks entries ends with a text that lists them. */
  readonly listsLosses: boolean
  readonly signal: AbortSignal
}

type PackingState = ArchiveReadRequest & {
  readonly nameOf: MemberNamer
  /**
   * The etags of all parent folders of the entry that is being read, keyed by path. A link to one of these folders is
   * not followed, because the archive would never end.
   */
  readonly ancestorEtags: Map<Path, string>
}

/**
 * Yields the members of an archive with their bytes, in the batches in which the storage reads them. Entries that no
 * longer exist, are denied or are broken links are skipped. Entries that cannot be read, or are neither file nor folder, are
 * losses.
 */
export async function* readArchiveMembers(
  content: ArchiveReadRequest,
): AsyncGenerator<readonly MemberChunk[], void> {
  const state: PackingState = { ...content, nameOf: createMemberNames(), ancestorEtags: new Map() }
  for (const top of content.topPaths) {
    const entry = await entryOrNull(content, top, () => addLoss(state, 'unreadable', top))
    if (entry === null) continue
    state.ancestorEtags.clear()
    await recordAncestors(state, top)
    if (isFolder(entry)) {
      yield folderMember(state, entry, top)
      // A requested entry that is a link is replaced by its target.
      yield* contentOf(state, top, { followsLinks: true })
    } else if ((entry.target ?? entry).kind === 'other') {
      addLoss(state, 'special', top)
    } else if (entry.target?.kind !== 'missing') {
      yield* contentOf(state, top, { followsLinks: false })
    }
  }
  if (content.listsLosses) yield leftOutMember(content.losses.list(), state.nameOf)
}

const addLoss = ({ losses, base }: PackingState, kind: LossKind, path: Path): void =>
  losses.add(kind, relativeTo(base, path))

async function entryOrNull(
  { storage, signal }: ArchiveReadRequest,
  path: Path,
  onUnreachable?: () => void,
): Promise<Entry | null> {
  try {
    return await storage.stat(path, { signal })
  } catch (error) {
    if (isUnreachableEntry(error)) onUnreachable?.()
    else if (!isAbsence(error)) throw error
    return null
  }
}

/**
 * Returns true when the system refused to read an entry. When a rule denies an entry, the error has no cause, and nothing
 * about the entry may be said.
 */
const isUnreachableEntry = (error: unknown): boolean =>
  error instanceof AppError &&
  error.cause !== undefined &&
  ['forbidden', 'unavailable', 'timeout'].includes(error.code)

const isAbsence = (error: unknown): boolean =>
  ['not-found', 'not-a-folder', 'forbidden', 'link-loop'].includes(codeOf(error))

async function recordAncestors(state: PackingState, top: Path): Promise<void> {
  for (let path = top; ; path = parentOf(path)) {
    const entry = await entryOrNull(state, path)
    if (entry !== null && isFolder(entry)) state.ancestorEtags.set(path, entry.etag)
    if (path === root) return
  }
}

type LinkPolicy = { readonly followsLinks: boolean }

async function* contentOf(
  state: PackingState,
  path: Path,
  linkPolicy: LinkPolicy,
): AsyncGenerator<readonly MemberChunk[], void> {
  const { storage, needsCrc, signal } = state
  let hasYielded = false
  const onLeftOut = (kind: LossKind, leftOut: Path): void => addLoss(state, kind, leftOut)
  try {
    for await (const treeChunks of storage.readTree(path, { sums: needsCrc, onLeftOut, signal })) {
      hasYielded = true
      yield* membersOfTree(state, treeChunks, linkPolicy)
    }
  } catch (error) {
    if (hasYielded) throw error
    if (isUnreachableEntry(error)) addLoss(state, 'unreadable', path)
    else if (!isAbsence(error)) throw error
  }
}

/**
 * Converts the items of a tree stream to member chunks. The bytes are valid until the next items of the same tree are
 * requested. The target of a link is a separate tree.
 */
async function* membersOfTree(
  state: PackingState,
  treeChunks: readonly TreeStreamItem[],
  { followsLinks }: LinkPolicy,
): AsyncGenerator<readonly MemberChunk[], void> {
  let members: MemberChunk[] = []
  for (const treeChunk of treeChunks) {
    if (treeChunk.kind === 'bytes') {
      members.push(treeChunk)
      continue
    }
    const { entry } = treeChunk
    if ((entry.target ?? entry).kind === 'other') addLoss(state, 'special', entry.path)
    members.push(...entryMembers(state, entry))
    if (!followsLinks || entry.target?.kind !== 'folder' || linksToAncestor(state, entry)) continue
    yield [...members, ...folderMember(state, entry, entry.path)]
    members = []
    yield* contentOf({ ...state, ancestorEtags: new Map() }, entry.path, { followsLinks: false })
  }
  yield members
}

type ArchivedEntry = Entry & { readonly path: Path }

function entryMembers(state: PackingState, entry: ArchivedEntry): readonly MemberChunk[] {
  const { kind, path, etag } = entry
  if (kind === 'file') return [fileMember(state, entry, path)]
  if (kind !== 'folder') return []
  recordFolder(state, path, etag)
  return folderMember(state, entry, path)
}

/**
 * Records that a folder is being read, and removes the recorded folders that are not its parents. Those folders are
 * complete, because trees are read depth first.
 */
function recordFolder({ ancestorEtags }: PackingState, path: Path, etag: string): void {
  const parents = new Set([root, ...parentsOf(path)])
  for (const known of ancestorEtags.keys()) if (!parents.has(known)) ancestorEtags.delete(known)
  ancestorEtags.set(path, etag)
}

function parentsOf(path: Path): Path[] {
  const parents: Path[] = []
  for (let at = parentOf(path); at !== root; at = parentOf(at)) parents.push(at)
  return parents
}

/** Returns true when the target of a link is one of the folders above the link. A link has the etag of its target. */
function linksToAncestor({ ancestorEtags }: PackingState, link: ArchivedEntry): boolean {
  const parents = new Set([root, ...parentsOf(link.path)])
  return [...ancestorEtags].some(([path, etag]) => parents.has(path) && etag === link.etag)
}

/** Returns the member of a folder. The base folder has no member, because its content is the root of the archive. */
function folderMember(state: PackingState, entry: Entry, path: Path): readonly MemberChunk[] {
  if (path === state.base) return []
  const { modifiedMs, mode } = entry.target ?? entry
  const name = state.nameOf(relativeTo(state.base, path), 'folder')
  const member = { name, kind: 'folder', sizeBytes: 0, modifiedMs, permissions: mode & 0o777 } as const
  return [{ kind: 'member', member }]
}

function fileMember(state: PackingState, entry: Entry, path: Path): MemberChunk {
  const { sizeBytes, modifiedMs, mode } = entry
  const name = state.nameOf(relativeTo(state.base, path), 'file')
  const member = { name, kind: 'file', sizeBytes, modifiedMs, permissions: mode & 0o777 } as const
  return { kind: 'member', member }
}

/** Returns a path relative to the base. When the path is the base itself, returns its name. */
function relativeTo(base: Path, path: Path): string {
  if (path === base) return namesOf(path).at(-1) ?? ''
  return path.slice(base === root ? 1 : base.length + 1)
}
