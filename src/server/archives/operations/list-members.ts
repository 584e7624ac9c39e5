import {
  type ArchiveMemberRow,
  type ArchiveMembers,
  type listArchive,
  memberFlag,
} from '../../../shared/contract/archives.ts'
import { limits } from '../../../shared/domain/limits.ts'
import { type KeyedLimiter, runLimited } from '../../concurrency/keyed-limiter.ts'
import type { OperationRequest, RouteResponse } from '../../http/route.ts'
import type { ArchiveOpener, OpenArchive } from './open-archive.ts'

export type ArchiveReadDependencies = { readonly limiter: KeyedLimiter; readonly openArchive: ArchiveOpener }

/** Lists the members of an archive in their order. */
export function listMembers(
  { limiter, openArchive }: ArchiveReadDependencies,
  { caller, path, signal }: OperationRequest<typeof listArchive>,
): Promise<RouteResponse> {
  return runLimited({ limiter, key: caller.user.id, signal }, async () => {
    const archive = await openArchive(caller.storage, path, signal)
    try {
      return { kind: 'json', json: await readList(archive) }
    } finally {
      await archive.close()
    }
  })
}

async function readList(archive: OpenArchive): Promise<ArchiveMembers> {
  const members: ArchiveMemberRow[] = []
  let hidden = 0
  for await (const { path, kind, sizeBytes, modifiedMs, bytes } of archive.members()) {
    if (members.length >= limits.listedArchiveMembers) return { members, hidden, isTruncated: true }
    if (path === null) hidden += 1
    else if (path !== '') {
      const flags = kind === 'folder' ? memberFlag.folder : bytes === null ? memberFlag.unreadable : 0
      members.push([path, sizeBytes, modifiedMs, flags])
    }
  }
  return { members, hidden, isTruncated: false }
}
