import type { saveResource } from '../../shared/contract/resources.ts'
import { isFolder } from '../../shared/domain/entry.ts'
import { AppError, codeOf } from '../../shared/domain/failure.ts'
import { matches } from '../http/answer/preconditions.ts'
import type { Answer, Asked } from '../http/route.ts'
import { look } from './look.ts'

/** Puts new bytes into a file that is there, through a link too; no bytes empty it (contract 3.7). */
export async function save(asked: Asked<typeof saveResource>): Promise<Answer> {
  const { caller, path, isFolder: endsWithSlash, bytes, sizeBytes, signal } = asked
  const standing = await look(caller.storage, path)
  if (endsWithSlash || (standing !== null && isFolder(standing))) throw new AppError('method-not-allowed')
  if (standing === null) throw new AppError('not-found')
  const ifMatch = conditionOf(asked.header('if-match'), standing.etag)
  try {
    const entry = await caller.storage.write(path, bytes, {
      overwrite: 'replace',
      ifMatch,
      sizeBytes,
      signal,
    })
    return { kind: 'status', status: 200, headers: { ETag: `"${entry.etag}"` } }
  } catch (error) {
    if (codeOf(error) === 'is-a-folder') throw new AppError('method-not-allowed', { cause: error })
    throw error
  }
}

/** The tag that the file must still have when its new bytes are put in place; none where nobody asked for one. */
function conditionOf(ifMatch: string | undefined, etag: string): string | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined
  if (!matches(ifMatch, etag, 'strong')) throw new AppError('changed-meanwhile')
  return etag
}
