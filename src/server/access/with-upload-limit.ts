import { AppError } from '../../shared/domain/failure.ts'
import type { Storage } from '../storage/port.ts'

/** A storage that takes no file above a size, announced or not; null for any size. */
export function withUploadLimit(storage: Storage, mostBytes: number | null): Storage {
  if (mostBytes === null) return storage
  const refuseLarger = (sizeBytes: number | undefined): void => {
    if (sizeBytes !== undefined && sizeBytes > mostBytes) throw new AppError('too-large')
  }
  return {
    ...storage,
    narrow: async (to) => withUploadLimit(await storage.narrow(to), mostBytes),
    async write(path, body, op) {
      refuseLarger(op.sizeBytes)
      const { whole } = body
      return storage.write(path, Object.assign(limited(body, mostBytes), { whole }), op)
    },
    async check(meant, op) {
      if (meant.kind === 'write') refuseLarger(meant.sizeBytes)
      return storage.check(meant, op)
    },
    async begin(path, op) {
      refuseLarger(op.sizeBytes)
      return storage.begin(path, op)
    },
  }
}

async function* limited(
  body: AsyncIterable<Uint8Array>,
  mostBytes: number,
): AsyncGenerator<Uint8Array, void> {
  let sizeBytes = 0
  for await (const chunk of body) {
    sizeBytes += chunk.length
    if (sizeBytes > mostBytes) throw new AppError('too-large')
    yield chunk
  }
}
