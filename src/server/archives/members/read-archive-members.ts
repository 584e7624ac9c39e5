import { isFolder, type Entry } from '../../../shared/domain/entry.ts'
import { codeOf } from '../../../shared/domain/failure.ts'
import { namesOf, parentOf, root, type Path } from '../../../shared/domain/path.ts'
import type { Storage, TreeStreamItem } from '../../storage/port.ts'
import type { MemberPiece } from './member.ts'
import { createMemberNames, type MemberNamer } from './member-names.ts'

/**
 * The content of an archive: entries of a storage in byte order, none inside another, with names relative to `base`.
 */
export type ArchiveContent = {
  readonly storage: Storage
  readonly base: Path
  readonly tops: readonly Path[]
  /** True when the CRC-32 of each member's bytes is required. */
  readonly sums: boolean
  readonly signal: AbortSignal
}

type PackingState = ArchiveContent & {
  readonly nameOf: MemberNamer
  /**
   * Etags of the folders above the entry that is being read, by their paths. A link to one of these folders is not
   * followed, because the archive would never end.
   */
  readonly above: Map<Path, string>
}

/**
 * Yields the members of an archive with their bytes, in the batches in which the storage reads them. Entries that no
 * longer exist, are denied, are broken links, or are neither file nor folder are skipped.
 */
export async function* readArchiveMembers(
  packing: ArchiveContent,
): AsyncGenerator<readonly MemberPiece[], void> {
  const packer: PackingState = { ...packing, nameOf: createMemberNames(), above: new Map() }
  for (const top of packing.tops) {
    const entry = await entryOrNone(packing, top)
    if (entry === null) continue
    packer.above.clear()
    await rememberAbove(packer, top)
    if (isFolder(entry)) {
      yield folderMember(packer, entry, top)
      // A requested entry that is a link is replaced by its target.
      yield* contentOf(packer, top, { entersLinks: true })
    } else if (entry.target?.kind !== 'missing') {
      yield* contentOf(packer, top, { entersLinks: false })
    }
  }
}

async function entryOrNone({ storage, signal }: ArchiveContent, path: Path): Promise<Entry | null> {
  try {
    return await storage.stat(path, { signal })
  } catch (error) {
    if (isAbsence(error)) return null
    throw error
  }
}

const isAbsence = (error: unknown): boolean =>
  ['not-found', 'not-a-folder', 'forbidden', 'link-loop'].includes(codeOf(error))

async function rememberAbove(packer: PackingState, top: Path): Promise<void> {
  for (let path = top; ; path = parentOf(path)) {
    const entry = await entryOrNone(packer, path)
    if (entry !== null && isFolder(entry)) packer.above.set(path, entry.etag)
    if (path === root) return
  }
}

type LinkPolicy = { readonly entersLinks: boolean }

async function* contentOf(
  packer: PackingState,
  path: Path,
  entering: LinkPolicy,
): AsyncGenerator<readonly MemberPiece[], void> {
  const { storage, sums, signal } = packer
  let hasBegun = false
  try {
    for await (const pieces of storage.readTree(path, { sums, signal })) {
      hasBegun = true
      yield* piecesMembers(packer, pieces, entering)
    }
  } catch (error) {
    if (hasBegun || !isAbsence(error)) throw error
  }
}

/**
 * Converts the pieces of a tree to pieces of an archive. Bytes are valid until the next pieces of the same tree are
 * requested; the target of a link is a separate tree.
 */
async function* piecesMembers(
  packer: PackingState,
  pieces: readonly TreeStreamItem[],
  { entersLinks }: LinkPolicy,
): AsyncGenerator<readonly MemberPiece[], void> {
  let members: MemberPiece[] = []
  for (const piece of pieces) {
    if (piece.kind === 'bytes') {
      members.push(piece)
      continue
    }
    const { entry } = piece
    members.push(...entryMembers(packer, entry))
    if (!entersLinks || entry.target?.kind !== 'folder' || leadsUp(packer, entry)) continue
    yield [...members, ...folderMember(packer, entry, entry.path)]
    members = []
    yield* contentOf({ ...packer, above: new Map() }, entry.path, { entersLinks: false })
  }
  yield members
}

type ArchivedEntry = Entry & { readonly path: Path }

function entryMembers(packer: PackingState, entry: ArchivedEntry): readonly MemberPiece[] {
  const { kind, path, etag } = entry
  if (kind === 'file') return [fileMember(packer, entry, path)]
  if (kind !== 'folder') return []
  enter(packer, path, etag)
  return folderMember(packer, entry, path)
}

/**
 * Records a folder as being read. Trees are read depth first, so recorded folders that are not parents of this folder
 * are complete and are removed.
 */
function enter({ above }: PackingState, path: Path, etag: string): void {
  const parents = new Set([root, ...parentsOf(path)])
  for (const known of above.keys()) if (!parents.has(known)) above.delete(known)
  above.set(path, etag)
}

function parentsOf(path: Path): Path[] {
  const parents: Path[] = []
  for (let at = parentOf(path); at !== root; at = parentOf(at)) parents.push(at)
  return parents
}

/** Returns true when a link leads to one of the folders above it. A link has the etag of its target. */
function leadsUp({ above }: PackingState, link: ArchivedEntry): boolean {
  const parents = new Set([root, ...parentsOf(link.path)])
  return [...above].some(([path, etag]) => parents.has(path) && etag === link.etag)
}

/** Returns the member of a folder. The base folder has no member, because its content is the root of the archive. */
function folderMember(packer: PackingState, entry: Entry, path: Path): readonly MemberPiece[] {
  if (path === packer.base) return []
  const { modifiedMs, mode } = entry.target ?? entry
  const name = packer.nameOf(relativeTo(packer.base, path), 'folder')
  const member = { name, kind: 'folder', sizeBytes: 0, modifiedMs, permissions: mode & 0o777 } as const
  return [{ kind: 'member', member }]
}

function fileMember(packer: PackingState, entry: Entry, path: Path): MemberPiece {
  const { sizeBytes, modifiedMs, mode } = entry
  const name = packer.nameOf(relativeTo(packer.base, path), 'file')
  const member = { name, kind: 'file', sizeBytes, modifiedMs, permissions: mode & 0o777 } as const
  return { kind: 'member', member }
}

/** Returns a path relative to the base. A file that is the base itself keeps its own name. */
function relativeTo(base: Path, path: Path): string {
  if (path === base) return namesOf(path).at(-1) ?? ''
  return path.slice(base === root ? 1 : base.length + 1)
}
