import { errorCodes, type ErrorCode } from '../../shared/domain/failure.ts'

/**
 * Passes on the chunks of a response that reports its progress in lines. Calls `onFailure` with the error code in the
 * last line, and with `aborted` when the client left.
 */
export async function* withStreamEnd(
  chunks: AsyncIterable<string | Uint8Array>,
  onFailure: (code: ErrorCode) => void,
): AsyncGenerator<string | Uint8Array> {
  let last: string | Uint8Array = ''
  let failure: ErrorCode | null = 'aborted'
  try {
    for await (const chunk of chunks) {
      last = chunk
      yield chunk
    }
    failure = errorIn(String(last))
  } finally {
    if (failure !== null) onFailure(failure)
  }
}

function errorIn(line: string): ErrorCode | null {
  const { error } = JSON.parse(line === '' ? '{}' : line) as { readonly error?: unknown }
  return errorCodes.find((code) => code === error) ?? null
}
