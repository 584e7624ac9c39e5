/**
 * The file extensions of the archives that the server can read. An archive in one of these formats can be opened and
 * extracted. A copy may have its number inside of a double extension, as in `photos.tar(1).gz` (contract 3.8).
 */
const readable =
  /^(?<stem>.+?)(?<tar>\.tar)?(?<number>\(\d+\))?(?<last>\.(?:gz|zst|xz|br|bz2|lz4|sz|zip|tar|tgz|tzst|txz|tbz2?))$/isu

/** The last extensions that need `.tar` before them. */
const compressions: ReadonlySet<string> = new Set(['.gz', '.zst', '.xz', '.br', '.bz2', '.lz4', '.sz'])

export type ArchiveName = {
  /** The name without the extension. A number inside of the extension stays, as in `photos(1)`. */
  readonly stem: string
  /** The extension in lower case without a number, such as `.tar.gz`. */
  readonly extension: string
}

/** Divides the name of an archive that the server can read. Returns null for the name of another file. */
export function archiveNameOf(name: string): ArchiveName | null {
  const { stem, tar = '', number = '', last } = readable.exec(name)?.groups ?? {}
  if (stem === undefined || last === undefined) return null
  const extension = last.toLowerCase()
  if (!compressions.has(extension)) return { stem: `${stem}${tar}${number}`, extension }
  return tar === '' ? null : { stem: `${stem}${number}`, extension: `${tar.toLowerCase()}${extension}` }
}
