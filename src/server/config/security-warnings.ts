import { statSync } from 'node:fs'
import { isDatabaseAddress } from '../../shared/domain/database-address.ts'
import type { Config } from './serving-options.ts'

/**
 * The configuration that is checked. `isWithoutLogin` is separate, because it is no option of serving: the first run
 * stores it in the database.
 */
export type ExposedConfig = { readonly config: Config; readonly isWithoutLogin: boolean }

/**
 * Returns one sentence for each setting that opens the server to more people than usual. The sentences go to the log at
 * start (security design 3.9).
 */
export function securityWarnings({ config, isWithoutLogin }: ExposedConfig): readonly string[] {
  const { followExternalSymlinks, unsafeExec, cert, key, database } = config
  const isEncrypted = cert !== '' && key !== ''
  return [
    ...(isWithoutLogin
      ? [`there is no authentication: everybody who reaches ${listenAddressText(config)} is signed in`]
      : []),
    ...(isEncrypted && isReadByOthers(key) ? [`the TLS key ${key} can be read by others`] : []),
    ...(!isDatabaseAddress(database) && isReadByOthers(database)
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

/** The permission bit of other users for reading. */
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
