import {
  createArchive,
  extractArchive,
  getArchiveMember,
  listArchive,
  progressMediaType,
} from '../../shared/contract/archives.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { limits } from '../../shared/domain/limits.ts'
import { pathOf, type Path } from '../../shared/domain/path.ts'
import { createKeyedLimiter } from '../concurrency/keyed-limiter.ts'
import { jsonResponse } from '../http/response/json-response.ts'
import { route, type Route, type RouteResponse } from '../http/route.ts'
import { create, type CreateDependencies } from './operations/create.ts'
import { extract, type ArchiveWorkDependencies } from './operations/extract.ts'
import { listMembers } from './operations/list-members.ts'
import { openMember } from './operations/open-member.ts'

/** Returns the routes that look into archives, extract them and create them (decision 58). */
export function archiveRoutes(dependencies: ArchiveWorkDependencies & CreateDependencies): readonly Route[] {
  const reading = {
    limiter: createKeyedLimiter({ maxConcurrent: limits.concurrentArchiveReads }),
    openArchive: dependencies.openArchive,
  }
  return [
    route(listArchive, async ({ caller, path, query, signal }) => {
      return jsonResponse(await listMembers(reading, caller, { path, encoding: query.encoding, signal }))
    }),
    route(getArchiveMember, async ({ caller, path, query, signal }) => {
      const { member, encoding, inline } = query
      const file = await openMember(reading, caller, { path, member, encoding, signal })
      return { kind: 'file', file, isInline: inline === 'true' }
    }),
    route(extractArchive, async ({ caller, path, query, signal }) => {
      const destination = destinationOf(query.destination)
      const work = { path, destination, encoding: query.encoding, signal }
      return progressResponse(await extract(dependencies, caller, work))
    }),
    route(createArchive, async ({ caller, path, body, signal }) => {
      const folder = pathOf(body.folder)
      if (folder === null) throw new AppError('bad-request', { reason: 'the folder is not a path' })
      return progressResponse(await create(dependencies, caller, { path, folder, names: body.names, signal }))
    }),
  ]
}

function destinationOf(text: string | undefined): Path | undefined {
  if (text === undefined) return undefined
  const path = pathOf(text)
  if (path === null) throw new AppError('bad-request', { reason: 'the destination is not a path' })
  return path
}

const progressResponse = (chunks: AsyncIterable<string>): RouteResponse => ({
  kind: 'stream',
  contentType: progressMediaType,
  chunks,
})
