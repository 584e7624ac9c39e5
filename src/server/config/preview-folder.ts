import { join } from 'node:path'
import { ownFilesBase } from './database-place.ts'
import type { Config } from './serving-options.ts'

/** Where previews are kept: in the folder that was named for it, below a name of ours; else beside the server's other own files. */
export const previewFolderOf = (config: Pick<Config, 'cacheDir' | 'stateDir' | 'database'>): string =>
  config.cacheDir === '' ? `${ownFilesBase(config)}.previews` : join(config.cacheDir, 'stowage-previews')
