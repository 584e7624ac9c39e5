import { join } from 'node:path'
import type { Config } from './serving-options.ts'

/** Where previews are kept: in the folder that was named for it, below a name of ours; else beside the database. */
export const previewFolderOf = ({ cacheDir, database }: Pick<Config, 'cacheDir' | 'database'>): string =>
  cacheDir === '' ? `${database}.previews` : join(cacheDir, 'stowage-previews')
