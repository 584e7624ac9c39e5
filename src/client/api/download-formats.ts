import { config } from './config.ts'

/** The formats in which servers pack archives (specification 3), in the order of the buttons. */
const formats = ['zip', 'tar', 'tar.gz', 'tar.bz2', 'tar.xz', 'tar.lz4', 'tar.sz'] as const
export type DownloadFormat = (typeof formats)[number]

/** Returns the formats in which this server packs archives. */
export function downloadFormats(): readonly DownloadFormat[] {
  const missing: readonly DownloadFormat[] = config().MissingFormats ?? []
  return formats.filter((format) => !missing.includes(format))
}
