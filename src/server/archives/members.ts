import { isFolder, type Entry } from '../../shared/domain/entry.ts'
import { codeOf } from '../../shared/domain/failure.ts'
import { namesOf, parentOf, root, type Path } from '../../shared/domain/path.ts'
import type { Storage, TreePiece } from '../storage/port.ts'
import type { MemberPiece } from './member.ts'
import { createMemberNames, type MemberNames } from './member-names.ts'

/** What goes into an archive: entries of a storage, none inside another, in byte order, with names relative to `base`. */
export type Packing = {
  readonly storage: Storage
  readonly base: Path
  readonly tops: readonly Path[]
  /** Whether bytes come with the CRC-32 of their member. */
  readonly sums: boolean
  readonly signal: AbortSignal
}

type Packer = Packing & {
  readonly nameOf: MemberNames
  /** Etags of the folders that hold what is being read, by their paths: a link that leads to one of them is not followed. */
  readonly above: Map<Path, string>
}

/**
 * The members of an archive with their bytes, as many at a time as come at a time. What has gone, is denied, leads nowhere or is no
 * file is left out.
 */
export async function* membersOf(packing: Packing): AsyncGenerator<readonly MemberPiece[], void> {
  const packer: Packer = { ...packing, nameOf: createMemberNames(), above: new Map() }
  for (const top of packing.tops) {
    const entry = await entryOrNone(packing, top)
    if (entry === null) continue
    packer.above.clear()
    await rememberAbove(packer, top)
    if (isFolder(entry)) {
      yield folderMember(packer, entry, top)
      // Whoever asks for a link as the top of an archive asks for what is behind it.
      yield* contentOf(packer, top, { entersLinks: true })
    } else if (entry.target?.kind !== 'missing') {
      yield* contentOf(packer, top, { entersLinks: false })
    }
  }
}

async function entryOrNone({ storage, signal }: Packing, path: Path): Promise<Entry | null> {
  try {
    return await storage.stat(path, { signal })
  } catch (error) {
    if (isAbsence(error)) return null
    throw error
  }
}

const isAbsence = (error: unknown): boolean =>
  ['not-found', 'not-a-folder', 'forbidden', 'link-loop'].includes(codeOf(error))

async function rememberAbove(packer: Packer, top: Path): Promise<void> {
  for (let path = top; ; path = parentOf(path)) {
    const entry = await entryOrNone(packer, path)
    if (entry !== null && isFolder(entry)) packer.above.set(path, entry.etag)
    if (path === root) return
  }
}

type Entering = { readonly entersLinks: boolean }

async function* contentOf(
  packer: Packer,
  path: Path,
  entering: Entering,
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

/** Bytes are good until more is asked for of where they came from: what lies behind a link comes from elsewhere. */
async function* piecesMembers(
  packer: Packer,
  pieces: readonly TreePiece[],
  { entersLinks }: Entering,
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

type Placed = Entry & { readonly path: Path }

function entryMembers(packer: Packer, entry: Placed): readonly MemberPiece[] {
  const { kind, path, etag } = entry
  if (kind === 'file') return [fileMember(packer, entry, path)]
  if (kind !== 'folder') return []
  enter(packer, path, etag)
  return folderMember(packer, entry, path)
}

/** Depth first: whatever is no parent of this folder is behind us. */
function enter({ above }: Packer, path: Path, etag: string): void {
  const parents = new Set([root, ...parentsOf(path)])
  for (const known of above.keys()) if (!parents.has(known)) above.delete(known)
  above.set(path, etag)
}

function parentsOf(path: Path): Path[] {
  const parents: Path[] = []
  for (let at = parentOf(path); at !== root; at = parentOf(at)) parents.push(at)
  return parents
}

/** The etag of a link is that of what it leads to. */
function leadsUp({ above }: Packer, link: Placed): boolean {
  const parents = new Set([root, ...parentsOf(link.path)])
  return [...above].some(([path, etag]) => parents.has(path) && etag === link.etag)
}

/** None for the folder whose content the archive is. */
function folderMember(packer: Packer, entry: Entry, path: Path): readonly MemberPiece[] {
  if (path === packer.base) return []
  const { modifiedMs, mode } = entry.target ?? entry
  const name = packer.nameOf(relativeTo(packer.base, path), 'folder')
  const member = { name, kind: 'folder', sizeBytes: 0, modifiedMs, permissions: mode & 0o777 } as const
  return [{ kind: 'member', member }]
}

function fileMember(packer: Packer, entry: Entry, path: Path): MemberPiece {
  const { sizeBytes, modifiedMs, mode } = entry
  const name = packer.nameOf(relativeTo(packer.base, path), 'file')
  const member = { name, kind: 'file', sizeBytes, modifiedMs, permissions: mode & 0o777 } as const
  return { kind: 'member', member }
}

/** A file that is the base itself has its own name. */
function relativeTo(base: Path, path: Path): string {
  if (path === base) return namesOf(path).at(-1) ?? ''
  return path.slice(base === root ? 1 : base.length + 1)
}
