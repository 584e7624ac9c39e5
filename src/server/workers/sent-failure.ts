import { AppError } from '../../shared/domain/failure.ts'
import type { SentFailure } from './messages.ts'

/** An error as it goes between threads. */
export function sentOf(error: unknown): SentFailure {
  if (error instanceof AppError) {
    return { code: error.code, message: error.message, reason: error.reason, stack: causeOf(error) }
  }
  const fault = error instanceof Error ? error : new Error(String(error))
  return { code: null, message: fault.message, reason: undefined, stack: fault.stack }
}

const causeOf = (error: AppError): string | undefined =>
  error.cause instanceof Error ? error.cause.message : undefined

/** What arrived, as an error again. */
export function errorOf({ code, message, reason, stack }: SentFailure): Error {
  if (code === null) return Object.assign(new Error(message), stack === undefined ? {} : { stack })
  return new AppError(code, {
    ...(reason === undefined ? {} : { reason }),
    ...(stack === undefined ? {} : { cause: new Error(stack) }),
  })
}
