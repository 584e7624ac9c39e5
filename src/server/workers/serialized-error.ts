import { AppError, type FailureOptions } from '../../shared/domain/failure.ts'
import type { SerializedError } from './messages.ts'

/**
 * Converts an error to a plain object that can be sent between threads. The code and the details of an `AppError` are
 * kept.
 */
export function serializeError(error: unknown): SerializedError {
  if (error instanceof AppError) {
    return {
      code: error.code,
      message: error.message,
      details: detailsOf(error),
      stack: causeMessageOf(error),
    }
  }
  const fault = error instanceof Error ? error : new Error(String(error))
  return { code: null, message: fault.message, details: {}, stack: fault.stack }
}

const detailsOf = (error: AppError): Omit<FailureOptions, 'cause'> => ({
  ...(error.reason !== undefined && { reason: error.reason }),
  ...(error.retryAfterSeconds !== undefined && { retryAfterSeconds: error.retryAfterSeconds }),
  ...(error.permission !== undefined && { permission: error.permission }),
  ...(error.refused !== undefined && { refused: error.refused }),
  ...(error.minimumLength !== undefined && { minimumLength: error.minimumLength }),
  ...(error.receivedHost !== undefined && { receivedHost: error.receivedHost }),
})

const causeMessageOf = (error: AppError): string | undefined =>
  error.cause instanceof Error ? error.cause.message : undefined

/**
 * Converts a received object back to an error: an `AppError`, or a plain `Error` when the code is null.
 */
export function deserializeError({ code, message, details, stack }: SerializedError): Error {
  if (code === null) return Object.assign(new Error(message), stack === undefined ? {} : { stack })
  return new AppError(code, { ...details, ...(stack === undefined ? {} : { cause: new Error(stack) }) })
}
