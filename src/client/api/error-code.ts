import { errorCodes, type ErrorCode } from '../../shared/domain/failure.ts'

/** Returns the value of the header `X-Error` if it is a known error code, otherwise null. */
export const parseErrorCode = (value: string | null): ErrorCode | null =>
  errorCodes.find((code) => code === value) ?? null
