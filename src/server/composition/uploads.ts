import type { CallerFactoryModule } from './caller-factory.ts'
import type { Config } from '../config/serving-options.ts'
import type { ServerRecords } from '../records/port.ts'
import type { Volume } from '../storage/port.ts'
import { startUploads } from '../uploads/routes.ts'

type UploadModuleDependencies = {
  readonly config: Pick<Config, 'baseURL'>
  readonly runtime: { readonly nowMs: () => number }
  readonly records: Pick<ServerRecords, 'uploads'>
  readonly volume: Pick<Volume, 'discard'>
  readonly callerFactory: Pick<CallerFactoryModule, 'releaseUploads'>
  readonly onFault: (error: unknown) => void
}

/** Creates the routes of uploads in parts, and the task that discards those that nobody continues. */
export const composeUploads = ({
  config,
  runtime,
  records,
  volume,
  callerFactory,
  onFault,
}: UploadModuleDependencies) =>
  startUploads({
    uploads: records.uploads,
    async discard(tokens) {
      const count = await volume.discard(tokens)
      callerFactory.releaseUploads(tokens)
      return count
    },
    basePath: config.baseURL,
    nowMs: runtime.nowMs,
    onFault,
  })
