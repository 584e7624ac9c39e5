import { AppError, type ErrorCode } from '../../../../shared/domain/failure.ts'
import { errnoOf, unavailableErrnos } from './descriptors.ts'

const codes: Readonly<Record<string, ErrorCode>> = {
  ...Object.fromEntries(unavailableErrnos.map((errno) => [errno, 'unavailable'])),
  EACCES: 'forbidden',
  EAGAIN: 'busy',
  EBUSY: 'busy',
  EDQUOT: 'no-space',
  EEXIST: 'name-taken',
  EFBIG: 'too-large',
  EISDIR: 'is-a-folder',
  ELOOP: 'link-loop',
  EMFILE: 'overloaded',
  EMLINK: 'unsupported',
  ENAMETOOLONG: 'bad-name',
  ENFILE: 'overloaded',
  ENOENT: 'not-found',
  ENOSPC: 'no-space',
  ENOTDIR: 'not-a-folder',
  ENOTEMPTY: 'not-empty',
  ENXIO: 'forbidden',
  EPERM: 'forbidden',
  EROFS: 'forbidden',
  ETIMEDOUT: 'timeout',
  ETXTBSY: 'busy',
  EXDEV: 'cross-volume',
  EILSEQ: 'bad-name',
}

/** Converts a system error to an AppError with the matching error code. Any other error is returned unchanged. */
export function asFailure(error: unknown): unknown {
  if (error instanceof AppError) return error
  const code = codes[errnoOf(error)]
  return code === undefined ? error : new AppError(code, { cause: error })
}

/** Runs `work` and converts system errors that it throws to AppErrors. */
export async function withFailures<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw asFailure(error)
  }
}
