import { constants, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { accessCode } from '../../records/file/access-code.ts'

/**
 * Returns advice for the operator about a failed access to a path, as the end of a sentence. Empty when the cause is
 * neither a missing permission nor a read-only mount. Containers of File Browser often ran as another user.
 */
export function accessHint(code: string | null | undefined, path: string): string {
  if (code === 'EROFS') return `; ${path} is mounted read-only`
  const isPermission = code === 'EACCES' || code === 'EPERM'
  const [uid, gid] = [process.getuid?.(), process.getgid?.()]
  if (!isPermission || uid === undefined || gid === undefined) return ''
  const target = blockingPath(path)
  const owner = statSync(target, { throwIfNoEntry: false })?.uid
  const owners = owner === undefined || owner === uid ? '' : ` belongs to the user ${owner}, and`
  const command = target === '/' ? '' : `; as root, try: chown -R ${uid}:${gid} ${quoted(target)}`
  return `; ${target}${owners === '' ? ' is closed to' : `${owners} Stowage runs as`} the user ${uid}${command}`
}

/** Returns the nearest folder above a path that this process cannot search; the path itself when there is none. */
function blockingPath(path: string): string {
  let nearest = path
  while (nearest !== '/' && accessCode(nearest, constants.F_OK) !== null) nearest = dirname(nearest)
  return nearest
}

/** Returns a path as one word of a shell's command line. */
const quoted = (path: string): string =>
  /^[\w./@:+-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`
