import {
  createArchive,
  extractArchive,
  getArchiveMember,
  listArchive,
} from '../../shared/contract/archives.ts'
import { limits } from '../../shared/domain/limits.ts'
import { createKeyedLimiter } from '../concurrency/keyed-limiter.ts'
import { route, type Route } from '../http/route.ts'
import { create, type CreateDependencies } from './operations/create.ts'
import { extract, type ArchiveWorkDependencies } from './operations/extract.ts'
import { listMembers } from './operations/list-members.ts'
import { sendMember } from './operations/send-member.ts'

/** Returns the routes that look into archives, extract them and create them (decision 58). */
export function archiveRoutes(dependencies: ArchiveWorkDependencies & CreateDependencies): readonly Route[] {
  const reading = {
    limiter: createKeyedLimiter({ maxConcurrent: limits.concurrentArchiveReads }),
    openArchive: dependencies.openArchive,
  }
  return [
    route(listArchive, (request) => listMembers(reading, request)),
    route(getArchiveMember, (request) => sendMember(reading, request)),
    route(extractArchive, (request) => extract(dependencies, request)),
    route(createArchive, (request) => create(dependencies, request)),
  ]
}
