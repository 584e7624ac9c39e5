import { pathOf } from '../../../shared/domain/path.ts'
import type { Path } from '../../../shared/domain/path.ts'

/** Converts a string in a test to a `Path`. Throws when the string is not a valid path. */
export function p(text: string): Path {
  const path = pathOf(text)
  if (path === null) throw new Error(`no path: ${text}`)
  return path
}

/** Creates the body of an upload that consists of the given parts. */
export async function* bodyOf(...parts: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array, void> {
  for (const part of parts) yield typeof part === 'string' ? Buffer.from(part) : part
}

/** Yields a few bytes and then throws. The body of an upload behaves like this when its connection is lost. */
export async function* failingBody(): AsyncGenerator<Uint8Array, void> {
  yield Buffer.from('half of it')
  throw new Error('connection lost')
}

/** Yields a few bytes and then waits forever. */
export async function* hangingBody(): AsyncGenerator<Uint8Array, void> {
  yield Buffer.from('half of it')
  await new Promise(() => {})
}
