import {
  checksumAlgorithms,
  type ChecksumAlgorithm,
  type FileResource,
  type getResource,
} from '../../shared/contract/resources.ts'
import type { Entry } from '../../shared/domain/entry.ts'
import { AppError } from '../../shared/domain/failure.ts'
import type { Pacer } from '../turns/pacer.ts'
import type { Turns } from '../turns/turns.ts'
import type { Answer, Asked } from '../http/route.ts'
import { describeFile, insideOf } from './describe-file.ts'

type AskedFor = Asked<typeof getResource>

export type ShowingFile = {
  /** Checksums are heavy work. */
  readonly checksumTurns: Turns
  /** Where people who ask for large texts wait, all in one line: each is in memory several times while it is made ready. */
  readonly textTurns: Turns
  readonly pace: Pacer
}

/** A file as JSON, with what is in it or the checksum that was asked for; or text as the bytes that it is (contract 3.2). */
export async function showFile(showing: ShowingFile, asked: AskedFor, entry: Entry): Promise<Answer> {
  const { caller, path, query, signal } = asked
  if (query.checksum !== undefined) {
    const algorithm = checksumAsked(asked, query.checksum)
    const checksums = { [algorithm]: await checksumOf(showing, asked, algorithm) }
    const described: FileResource = { ...(await describeFile(asked, entry)), checksums }
    return { kind: 'json', json: described }
  }
  const described = await describeFile(asked, entry)
  if (asked.header('x-encoding') === 'true' && described.type === 'text') {
    if (!caller.may('download')) throw new AppError('forbidden')
    return { kind: 'file', file: await caller.storage.open(path, { signal }), isInline: false }
  }
  return { kind: 'json', json: { ...described, ...(await insideOf(showing, asked, described)) } }
}

async function checksumOf(
  { checksumTurns }: ShowingFile,
  { caller, path, signal }: AskedFor,
  algorithm: ChecksumAlgorithm,
): Promise<string> {
  const leave = await checksumTurns.take(caller.user.id, signal)
  try {
    return await caller.storage.checksum(path, { algorithm, signal })
  } finally {
    leave()
  }
}

/** The algorithm of `?checksum=`; whoever may not download may not have it told either (contract 1.6, 3.2). */
function checksumAsked({ caller }: AskedFor, name: string): ChecksumAlgorithm {
  if (!caller.may('download')) throw new AppError('forbidden')
  const algorithm = checksumAlgorithms.find((known) => known === name)
  if (algorithm === undefined) throw new AppError('bad-request', { reason: 'the checksum is unknown' })
  return algorithm
}
