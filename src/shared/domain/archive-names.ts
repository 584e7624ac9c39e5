/**
 * The file extensions of the archives that the server can read. An archive in one of these formats can be opened and
 * extracted.
 */
const readable = /^(?<stem>.+)\.(?:zip|tar|tgz|tzst|txz|tbz2?|tar\.(?:gz|zst|xz|br|bz2|lz4|sz))$/isu

/** Returns the name of an archive without its extension, or null for the name of another file. */
export const archiveStemOf = (name: string): string | null => readable.exec(name)?.groups?.['stem'] ?? null
