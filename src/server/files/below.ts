import type { listBelow } from '../../shared/contract/resources.ts'
import { isFolder, type Entry } from '../../shared/domain/entry.ts'
import { AppError } from '../../shared/domain/failure.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { Answer, Asked } from '../http/route.ts'
import { createIsoWriter } from './json-text.ts'

/** Everything below a folder as one flat array, depth first; written as the storage gives it (contract 3.10). */
export async function below({ caller, path, signal }: Asked<typeof listBelow>): Promise<Answer> {
  const entry = await caller.storage.stat(path, { signal })
  if (entry.target?.kind === 'missing') throw new AppError('not-found')
  if (!isFolder(entry)) throw new AppError('bad-request', { reason: 'only a folder can be listed' })
  return {
    kind: 'pieces',
    contentType: 'application/json; charset=utf-8',
    pieces: entryPieces(caller.storage.walk(path, { signal })),
  }
}

type Walked = Entry & { readonly path: Path }

async function* entryPieces(batches: AsyncIterable<readonly Walked[]>): AsyncGenerator<string> {
  const iso = createIsoWriter()
  const write = (entry: Walked): string =>
    `{"path":${JSON.stringify(entry.path)},"name":${JSON.stringify(entry.name)},` +
    `"size":${entry.target?.sizeBytes ?? entry.sizeBytes},"modified":"${iso(entry.modifiedMs)}",` +
    `"isDir":${entry.kind === 'folder'}}`
  let opening = '['
  for await (const batch of batches) {
    const listed = batch.filter(isListed)
    if (listed.length === 0) continue
    yield opening + listed.map(write).join(',')
    opening = ','
  }
  yield opening === '[' ? '[]' : ']'
}

/** Links to nothing, and what is neither file nor folder, are left out (contract 5.2). */
const isListed = ({ kind, target }: Entry): boolean => !['other', 'missing'].includes(target?.kind ?? kind)
