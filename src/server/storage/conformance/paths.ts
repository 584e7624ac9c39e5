import { pathOf } from '../../../shared/domain/path.ts'
import type { Path } from '../../../shared/domain/path.ts'

export function p(text: string): Path {
  const path = pathOf(text)
  if (path === null) throw new Error(`no path: ${text}`)
  return path
}

/** A body of these parts. */
export async function* body(...parts: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array, void> {
  for (const part of parts) yield typeof part === 'string' ? Buffer.from(part) : part
}
