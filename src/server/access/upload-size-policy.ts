import { AppError } from '../../shared/domain/failure.ts'
import type { IntendedChange } from '../storage/change.ts'
import type { Policy } from '../storage/policy.ts'

/** The policy that no file larger than `maxBytes` is stored, whether or not its size is announced. */
export function uploadSizePolicy(maxBytes: number): Policy {
  const refuseLarger = (sizeBytes: number | undefined): void => {
    if (sizeBytes !== undefined && sizeBytes > maxBytes) throw new AppError('too-large')
  }
  const policy: Policy = {
    narrowed: () => policy,
    async check(storage, change) {
      refuseLarger(announcedBytesOf(change))
      return storage.check(change)
    },
    handlers: (next) => ({
      async write(change) {
        refuseLarger(change.sizeBytes)
        const body = Object.assign(limited(change.body, maxBytes), { whole: change.body.whole })
        return next('write')({ ...change, body })
      },
      async begin(change) {
        refuseLarger(change.sizeBytes)
        return next('begin')(change)
      },
      put: next('put'),
      commit: next('commit'),
      abort: next('abort'),
      makeFolder: next('makeFolder'),
      move: next('move'),
      copy: next('copy'),
      remove: next('remove'),
      setFolderTime: next('setFolderTime'),
    }),
  }
  return policy
}

/** Returns the size in bytes that a change announces for a file; undefined for a change that stores no received file. */
function announcedBytesOf(change: IntendedChange): number | undefined {
  switch (change.kind) {
    case 'write':
      return change.sizeBytes
    case 'makeFolder':
    case 'move':
    case 'copy':
    case 'remove':
      return undefined
    default:
      return change satisfies never
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
