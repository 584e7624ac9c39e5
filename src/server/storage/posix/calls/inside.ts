import { AppError } from '../../../../shared/domain/failure.ts'
import { root, type Path } from '../../../../shared/domain/path.ts'
import { realPathOf } from './descriptors.ts'

export const pathOfNames = (names: readonly string[]): Path => `/${names.join('/')}` as Path

/** Where an open entry is now, seen from the root; outside is refused (it was moved there meanwhile). */
export function insidePath(rootDescriptor: number, descriptor: number): Path {
  const path = belowRoot(realPathOf(rootDescriptor), realPathOf(descriptor))
  if (path === null) throw new AppError('forbidden')
  return path
}

/** An absolute path of the disk as one inside the root, or null. */
export function belowRoot(rootPath: string, path: string): Path | null {
  if (path === rootPath) return root
  const start = rootPath === '/' ? '/' : `${rootPath}/`
  return path.startsWith(start) ? pathOfNames(path.slice(start.length).split('/').filter(Boolean)) : null
}
