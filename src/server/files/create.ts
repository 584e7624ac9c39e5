import type { createResource } from '../../shared/contract/resources.ts'
import { isFolder, type Entry } from '../../shared/domain/entry.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { root } from '../../shared/domain/path.ts'
import type { Answer, Asked } from '../http/route.ts'
import { look } from './look.ts'

type AskedFor = Asked<typeof createResource>

/** Makes the folder that a trailing slash asks for, or the file that the body is (contract 3.6). */
export async function create(asked: AskedFor): Promise<Answer> {
  if (!asked.isFolder && asked.path !== root) return upload(asked)
  await asked.caller.storage.makeFolder(asked.path, { parents: true, mayExist: true, signal: asked.signal })
  return { kind: 'status', status: 200 }
}

/** Everything that needs no body is judged before its first byte is asked for. */
async function upload({ caller, path, query, bytes, sizeBytes, signal }: AskedFor): Promise<Answer> {
  // Who does not want to replace anything needs no look: making it tells.
  const standing = query.override === 'true' ? await look(caller.storage, path) : null
  if (standing !== null) refuseStanding(standing, { mayModify: caller.may('modify') })
  const overwrite = standing === null ? 'create' : 'upsert'
  const entry = await caller.storage.write(path, bytes, { overwrite, sizeBytes, parents: true, signal })
  return { kind: 'status', status: 200, headers: { ETag: `"${entry.etag}"` } }
}

function refuseStanding(standing: Entry, { mayModify }: { readonly mayModify: boolean }): void {
  if (!mayModify) throw new AppError('forbidden')
  if (isFolder(standing)) throw new AppError('is-a-folder')
}
