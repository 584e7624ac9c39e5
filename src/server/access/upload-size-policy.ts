import { AppError } from '../../shared/domain/failure.ts'
import type { Policy } from '../storage/policy.ts'

/** The policy that no file larger than `maxBytes` is stored, whether or not its size is announced. */
export function uploadSizePolicy(maxBytes: number): Policy {
  const refuseLarger = (sizeBytes: number | undefined): void => {
    if (sizeBytes !== undefined && sizeBytes > maxBytes) throw new AppError('too-large')
  }
  const policy: Policy = {
    narrowed: () => policy,
    async check(storage, change) {
      if (change.kind === 'write') refuseLarger(change.sizeBytes)
      return storage.check(change)
    },
    handlers: ({ apply }) => ({
      async write(change) {
        refuseLarger(change.sizeBytes)
        const body = Object.assign(limited(change.body, maxBytes), { whole: change.body.whole })
        return apply({ ...change, body })
      },
      async begin(change) {
        refuseLarger(change.sizeBytes)
        return apply(change)
      },
      put: apply,
      commit: apply,
      abort: apply,
      makeFolder: apply,
      move: apply,
      copy: apply,
      remove: apply,
      setFolderTime: apply,
    }),
  }
  return policy
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
