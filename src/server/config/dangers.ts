import { statSync } from 'node:fs'
import { isDatabaseAddress } from '../../shared/domain/database-address.ts'
import type { Config } from './serving-options.ts'

/** Whether nobody logs in is no option of serving but what the first run has kept. */
export type Exposed = { readonly config: Config; readonly isWithoutLogin: boolean }

/** What is open to more people than usual, one sentence each, for whoever reads the log (security design 3.9). */
export function dangersOf({ config, isWithoutLogin }: Exposed): readonly string[] {
  const { followExternalSymlinks, unsafeExec, cert, key, database } = config
  const isEncrypted = cert !== '' && key !== ''
  return [
    ...(isWithoutLogin
      ? [`there is no authentication: everybody who reaches ${placeOf(config)} is signed in`]
      : []),
    ...(isEncrypted && isReadByOthers(key) ? [`the TLS key ${key} can be read by others`] : []),
    ...(!isDatabaseAddress(database) && isReadByOthers(database)
      ? [`the database ${database} can be read by others`]
      : []),
    ...(followExternalSymlinks ? ['links are followed out of the folders of users'] : []),
    ...(unsafeExec ? ["people's commands run without a sandbox where there is none"] : []),
  ]
}

function placeOf({ socket, address, port }: Config): string {
  if (socket !== '') return `the socket ${socket}`
  const host = address === '' ? 'any address of this machine' : address
  return `${host} at port ${port}`
}

const bitOfOthers = 0o004

/** The group doesn't count: certificates are often given to one on purpose. What cannot be looked at fails elsewhere. */
function isReadByOthers(file: string): boolean {
  try {
    return ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & bitOfOthers) !== 0
  } catch {
    return false
  }
}
