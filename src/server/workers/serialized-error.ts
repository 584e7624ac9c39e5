import { AppError } from '../../shared/domain/failure.ts'
import type { SerializedError } from './messages.ts'

/**
 * Converts an error to a plain object that can be sent between threads. The code and the reason of an `AppError` are
 * kept.
 */
export function serializeError(error: unknown): SerializedError {
  if (error instanceof AppError) {
    return { code: error.code, message: error.message, reason: error.reason, stack: causeMessageOf(error) }
  }
  const fault = error instanceof Error ? error : new Error(String(error))
  return { code: null, message: fault.message, reason: undefined, stack: fault.stack }
}

const causeMessageOf = (error: AppError): string | undefined =>
  error.cause instanceof Error ? error.cause.message : undefined

/**
 * Converts a received object back to an error: an `AppError`, or a plain `Error` when the code is null.
 */
export function deserializeError({ code, message, reason, stack }: SerializedError): Error {
  if (code === null) return Object.assign(new Error(message), stack === undefined ? {} : { stack })
  return new AppError(code, {
    ...(reason === undefined ? {} : { reason }),
    ...(stack === undefined ? {} : { cause: new Error(stack) }),
  })
}
