import { AppError, type ErrorCode } from '../../shared/domain/failure.ts'

const sentences: Partial<Record<ErrorCode, string>> = {
  'name-taken': 'the name is taken',
  'not-found': 'there is no such thing',
}

/** What went wrong, on one line, for whoever sits at the terminal. */
export function failureLine(thrown: unknown): string {
  const text =
    thrown instanceof AppError
      ? (thrown.reason ?? sentences[thrown.code] ?? thrown.code)
      : thrown instanceof Error
        ? thrown.message
        : String(thrown)
  return `stowage: ${text.replaceAll(/[\u0000-\u001f\u007f]+/g, ' ')}`
}
