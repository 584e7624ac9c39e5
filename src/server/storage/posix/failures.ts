import { AppError } from '../../../shared/domain/failure.ts'
import type { ErrorCode } from '../../../shared/domain/failure.ts'
import { errnoOf } from './calls/descriptors.ts'

const codes: Readonly<Record<string, ErrorCode>> = {
  EACCES: 'forbidden',
  EAGAIN: 'busy',
  EBUSY: 'busy',
  EDQUOT: 'no-space',
  EEXIST: 'name-taken',
  EFBIG: 'too-large',
  EIO: 'unavailable',
  EISDIR: 'is-a-folder',
  ELOOP: 'link-loop',
  EMFILE: 'overloaded',
  EMLINK: 'unsupported',
  ENAMETOOLONG: 'bad-name',
  ENFILE: 'overloaded',
  ENODEV: 'unavailable',
  ENOENT: 'not-found',
  ENOSPC: 'no-space',
  ENOTCONN: 'unavailable',
  ENOTDIR: 'not-a-folder',
  ENOTEMPTY: 'not-empty',
  ENXIO: 'forbidden',
  EPERM: 'forbidden',
  EROFS: 'forbidden',
  ESTALE: 'unavailable',
  ETIMEDOUT: 'timeout',
  ETXTBSY: 'busy',
  EXDEV: 'cross-volume',
  EILSEQ: 'bad-name',
}

/** An error of the system as one that has a word; anything else stays what it is. */
export function asFailure(error: unknown): unknown {
  if (error instanceof AppError) return error
  const code = codes[errnoOf(error)]
  return code === undefined ? error : new AppError(code, { cause: error })
}

/** Does something that may throw the system's errors, and throws ours. */
export async function withFailures<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw asFailure(error)
  }
}
