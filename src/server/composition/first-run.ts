import { isPasswordHash, type PasswordHasher } from '../auth/passwords.ts'
import type { Config } from '../config/serving-options.ts'
import type { ServerRecords } from '../records/port.ts'
import { performFirstRun } from '../users/first-run.ts'
import type { ServerRuntime } from './server-runtime.ts'

type FirstRunDependencies = {
  readonly config: Pick<Config, 'username' | 'password' | 'noauth' | 'disableExec'>
  readonly runtime: Pick<ServerRuntime, 'optionsToStore' | 'randomBytes'>
  readonly records: ServerRecords
  readonly passwords: Pick<PasswordHasher, 'hash'>
}

/** Sets up a new database. Returns the generated password of the first user, or null when there is none to show. */
export const composeFirstRun = ({
  config,
  runtime,
  records,
  passwords,
}: FirstRunDependencies): Promise<string | null> =>
  performFirstRun({
    records,
    username: config.username,
    passwordHash: config.password,
    isWithoutLogin: config.noauth,
    toStore: runtime.optionsToStore ?? {},
    isExecOn: !config.disableExec,
    isPasswordHash,
    hashPassword: (password) => passwords.hash(password),
    randomBytes: runtime.randomBytes,
  })
