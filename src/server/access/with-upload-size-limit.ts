import { AppError } from '../../shared/domain/failure.ts'
import type { Storage } from '../storage/port.ts'

/**
 * Wraps a storage so that it refuses files larger than `maxBytes`, whether or not their size is announced. Null means
 * that there is no limit.
 */
export function withUploadSizeLimit(storage: Storage, maxBytes: number | null): Storage {
  if (maxBytes === null) return storage
  const refuseLarger = (sizeBytes: number | undefined): void => {
    if (sizeBytes !== undefined && sizeBytes > maxBytes) throw new AppError('too-large')
  }
  return {
    ...storage,
    narrow: async (to) => withUploadSizeLimit(await storage.narrow(to), maxBytes),
    async write(path, body, options) {
      refuseLarger(options.sizeBytes)
      const { whole } = body
      return storage.write(path, Object.assign(limited(body, maxBytes), { whole }), options)
    },
    async check(change, options) {
      if (change.kind === 'write') refuseLarger(change.sizeBytes)
      return storage.check(change, options)
    },
    async begin(path, options) {
      refuseLarger(options.sizeBytes)
      return storage.begin(path, options)
    },
  }
}

async function* limited(
  body: AsyncIterable<Uint8Array>,
  maxFileBytes: number,
): AsyncGenerator<Uint8Array, void> {
  let sizeBytes = 0
  for await (const chunk of body) {
    sizeBytes += chunk.length
    if (sizeBytes > maxFileBytes) throw new AppError('too-large')
    yield chunk
  }
}
