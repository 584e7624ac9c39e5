import { AppError } from '../../shared/domain/failure.ts'
import type { Member, MemberBytes, MemberPiece } from './member.ts'

/** A member with its bytes; they are to be taken before the next member is asked for. */
export type MemberFile = { readonly member: Member; readonly bytes: AsyncGenerator<MemberBytes, void> }

/** Members one after the other, each with the bytes that belong to it. */
export async function* filesOf(pieces: AsyncIterable<MemberPiece>): AsyncGenerator<MemberFile, void> {
  const iterator = pieces[Symbol.asyncIterator]()
  try {
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
      if (next.value.kind === 'bytes') throw new AppError('internal', { reason: 'bytes of no member' })
      const { member } = next.value
      yield { member, bytes: bytesOf(iterator, member.sizeBytes) }
    }
  } finally {
    await iterator.return?.()
  }
}

async function* bytesOf(
  iterator: AsyncIterator<MemberPiece>,
  sizeBytes: number,
): AsyncGenerator<MemberBytes, void> {
  for (let at = 0; at < sizeBytes;) {
    const next = await iterator.next()
    if (next.done === true || next.value.kind !== 'bytes') throw new AppError('truncated')
    at += next.value.bytes.length
    yield next.value
  }
}
