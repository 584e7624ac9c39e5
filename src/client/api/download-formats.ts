/** The formats in which the server packs archives (specification 3), in the order of the buttons. */
export const downloadFormats = ['zip', 'tar', 'tar.gz', 'tar.bz2', 'tar.xz', 'tar.lz4', 'tar.sz'] as const
export type DownloadFormat = (typeof downloadFormats)[number]
