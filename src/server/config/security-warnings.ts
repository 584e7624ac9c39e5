import { statSync } from 'node:fs'
import { isDatabaseUrl } from '../../shared/domain/database-url.ts'
import type { Config } from './serving-options.ts'

/**
 * The configuration that is checked for security warnings. `isWithoutLogin` is a separate field, because it is not a
 * command-line option: the first run stores it in the database.
 */
export type SecurityCheckInput = { readonly config: Config; readonly isWithoutLogin: boolean }

/**
 * Returns a warning for each setting that makes the server less secure than the default. The warnings are logged when
 * the server starts (security 3.9).
 */
export function securityWarnings({ config, isWithoutLogin }: SecurityCheckInput): readonly string[] {
  const { followExternalSymlinks, unsafeExec, cert, key, database } = config
  const isEncrypted = cert !== '' && key !== ''
  return [
    ...(isWithoutLogin
      ? [`there is no authentication: everybody who reaches ${listenAddressText(config)} is signed in`]
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
