import { AppError } from '../../../../shared/domain/failure.ts'

/**
 * Yields chunks until the signal aborts, and throws `aborted` instead of the next one. Bytes that no member needs are read, too,
 * so that looking at the signal between two members is not enough.
 */
export async function* untilAborted(
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of chunks) {
    if (signal.aborted) throw new AppError('aborted')
    yield chunk
  }
}
