import { createHash } from 'node:crypto'

/** The answer to a request for a folder: the etag of the folder itself, and the pieces of text that are sent. */
export type FolderResponse = { readonly folderEtag: string; readonly pieces: AsyncIterable<string> }

/** Etags of complete answers that were sent earlier, so that an unchanged answer need not be sent again. */
export type ResponseTags = {
  /** Passes the pieces on and, once all of them were consumed, stores their digest under the tag. */
  readonly remember: (etag: string, response: FolderResponse) => AsyncGenerator<string>
  /**
   * Returns the tag of `If-None-Match` under which the same answer was sent earlier, or null when there is none. Reads
   * the pieces only when one of the tags belongs to the folder as it is now.
   */
  readonly matchingTag: (ifNoneMatch: string, response: FolderResponse) => Promise<string | null>
  /** Returns a tag that was never used before. */
  readonly newTag: () => string
}

/**
 * Creates an empty set of response tags, which keeps the last `capacity` digests. The modification time of a folder
 * tells which names came and went, but not that a file in it grew, so a tag made of that time would keep old sizes on
 * screen. A tag therefore names one answer, whose digest is stored: a repeated request costs the server a reading of
 * the folder and saves the transfer, the parsing and the painting.
 */
export function createResponseTags(randomId: () => string, capacity = 1000): ResponseTags {
  const known = new Map<string, { readonly folderEtag: string; readonly digest: string }>()
  const processId = randomId()
  let tagCount = 0

  return {
    newTag: () => `"${processId}-${(tagCount += 1)}"`,
    async *remember(etag, { folderEtag, pieces }) {
      const hash = createHash('sha1')
      for await (const piece of pieces) {
        hash.update(piece)
        yield piece
      }
      known.set(etag, { folderEtag, digest: hash.digest('base64') })
      const [oldest] = known.keys()
      if (known.size > capacity && oldest !== undefined) known.delete(oldest)
    },
    async matchingTag(ifNoneMatch, { folderEtag, pieces }) {
      const candidates = tagsOf(ifNoneMatch).filter((etag) => known.get(etag)?.folderEtag === folderEtag)
      if (candidates.length === 0) return null
      const hash = createHash('sha1')
      for await (const piece of pieces) hash.update(piece)
      const digest = hash.digest('base64')
      return candidates.find((etag) => known.get(etag)?.digest === digest) ?? null
    },
  }
}

const tagsOf = (ifNoneMatch: string): string[] =>
  ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
