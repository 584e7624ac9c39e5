import { createAdvisoryCheck, type AdvisoryCheck } from '../advisories/advisory-check.ts'
import type { Config } from '../config/serving-options.ts'
import { advisoryFileOf } from '../config/state-paths.ts'
import type { ServerRuntime } from './server-runtime.ts'

type AdvisoryDependencies = {
  readonly config: Config
  readonly runtime: Pick<ServerRuntime, 'version' | 'processNumber' | 'nowMs' | 'log'>
}

/** Creates the check for advisories, which is off unless an administrator has set the address of a list. */
export const composeAdvisories = ({ config, runtime }: AdvisoryDependencies): AdvisoryCheck =>
  createAdvisoryCheck({
    ...runtime,
    url: config.advisories,
    file: advisoryFileOf(config),
    isAsking: (runtime.processNumber ?? 1) === 1,
  })
