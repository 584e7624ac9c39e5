import { type Path, isWithin } from '../../shared/domain/path.ts'
import { registerPersonal } from './personal.ts'

/** The requests that rename entries and have no response yet, by the new path of the entry. */
const pending = new Map<Path, Promise<unknown>>()
registerPersonal({ drop: () => pending.clear() })

export type OrderedRename<T> = {
  readonly source: Path
  readonly destination: Path
  /** Sends the request to the server. */
  readonly send: () => Promise<T>
}

/** Sends a request that renames an entry after the earlier renames of this entry, and remembers it until it has ended. */
export function renameInOrder<T>({ source, destination, send }: OrderedRename<T>): Promise<T> {
  const request = waitForRenames(source).then(send)
  const forget = (): void => {
    if (pending.get(destination) === request) pending.delete(destination)
  }
  pending.set(destination, request)
  request.then(forget, forget)
  return request
}

/**
 * Waits until no rename is in flight that gives an entry this path, or that gives this name to a folder around it. A row
 * has its new name before the server has responded, and the next operation on it could otherwise arrive first, and find
 * nothing. Returns the error of a rename that failed, or null.
 */
export async function waitForRenames(path: Path): Promise<unknown> {
  const around = Array.from(pending).filter(([newPath]) => isWithin(path, newPath))
  const outcomes = await Promise.allSettled(around.map(([, request]) => request))
  return outcomes.find((outcome) => outcome.status === 'rejected')?.reason ?? null
}
