import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { isDatabaseUrl } from '../../shared/domain/database-url.ts'
import type { Config } from './serving-options.ts'

/**
 * The configuration that is checked for security warnings. The two methods of login are separate fields, because the
 * method is not a command-line option: the database contains it.
 */
export type SecurityCheckInput = {
  readonly config: Config
  readonly isWithoutLogin: boolean
  /** True when a proxy tells who a visitor is. */
  readonly isProxyLogin: boolean
}

/**
 * Returns a warning for each setting that makes the server less secure than the default. The warnings are logged when
 * the server starts (security 3.9).
 */
export function securityWarnings({
  config,
  isWithoutLogin,
  isProxyLogin,
}: SecurityCheckInput): readonly string[] {
  const { followExternalSymlinks, unsafeExec, cert, key, database } = config
  const isEncrypted = cert !== '' && key !== ''
  return [
    ...(isWithoutLogin
      ? [`there is no authentication: everybody who reaches ${listenAddressText(config)} is signed in`]
      : []),
    ...(isProxyLogin && isOpenSocket(config)
      ? [
          `every account of this machine can log in as every user: the login method "proxy" trusts whoever opens the socket ` +
            `${config.socket}; let only the group of the proxy open it, with --socketPerm 0660 or the mode of its folder`,
        ]
      : []),
    ...(isEncrypted && isReadByOthers(key) ? [`the TLS key ${key} can be read by others`] : []),
    ...(!isDatabaseUrl(database) && isReadByOthers(database)
      ? [`the database ${database} can be read by others`]
      : []),
    ...(followExternalSymlinks ? ['links are followed out of the folders of users'] : []),
    ...(unsafeExec ? ["people's commands run without a sandbox where there is none"] : []),
  ]
}

function listenAddressText({ socket, address, port }: Config): string {
  if (socket !== '') return `the socket ${socket}`
  const host = address === '' ? 'any address of this machine' : address
  return `${host} at port ${port}`
}

/** The permission bit that lets users outside the file's group read a file. */
const readableByOthers = 0o004

/** The permission bits that let users outside the file's group connect to a socket, and enter a folder. */
const connectableByOthers = 0o002
const enterableByOthers = 0o001

/** True when users outside the socket's group may connect to it. The socket does not exist yet, and its folder may not. */
function isOpenSocket({ socket, socketPerm }: Config): boolean {
  if (socket === '' || (socketPerm & connectableByOthers) === 0) return false
  try {
    return (statSync(dirname(socket)).mode & enterableByOthers) !== 0
  } catch {
    return true
  }
}

/**
 * True when users outside the file's group may read a file. Group permissions are accepted, since certificates are
 * often shared with a group on purpose. A file that cannot be examined counts as safe here, because opening it fails
 * later.
 */
function isReadByOthers(file: string): boolean {
  try {
    return ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & readableByOthers) !== 0
  } catch {
    return false
  }
}
