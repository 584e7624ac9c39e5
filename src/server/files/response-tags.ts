import { createBoundedMap } from '../concurrency/bounded-map.ts'
import { createHash } from 'node:crypto'

/** The response to a request for a folder: the etag of the folder itself, and the text in chunks. */
export type FolderResponse = {
  readonly folderEtag: string
  readonly chunks: AsyncIterable<string | Uint8Array>
}

/** A cache of the etags of complete responses, which avoids sending a response to a client that already has it. */
export type ResponseTags = {
  /** Yields the chunks unchanged. After the last chunk, stores the digest of the whole text under the tag. */
  readonly remember: (etag: string, response: FolderResponse) => AsyncGenerator<string | Uint8Array>
  /**
   * Returns the tag in `If-None-Match` under which an identical response was sent earlier, or null. Reads the chunks
   * only when at least one tag was given out for the folder's current etag, and lists the folder only when a tag was given
   * out at all.
   */
  readonly matchingTag: (
    ifNoneMatch: string,
    readFolder: () => Promise<FolderResponse>,
  ) => Promise<string | null>
  /** Returns a tag that was never used before. */
  readonly newTag: () => string
}

/**
 * Creates an empty cache, which keeps the latest `capacity` digests. The modification time of a folder changes when
 * names are added or removed, but not when a file in the folder grows. An etag derived from that time would let clients
 * show outdated sizes. Each tag therefore identifies one response by a digest of its text. For a repeated request, the
 * server reads the folder again, but the text need not be transferred, parsed and rendered again.
 */
export function createResponseTags(randomId: () => string, capacity = 1000): ResponseTags {
  const known = createBoundedMap<string, { readonly folderEtag: string; readonly digest: string }>(capacity)
  const processId = randomId()
  let tagCount = 0

  return {
    newTag: () => `"${processId}-${(tagCount += 1)}"`,
    async *remember(etag, { folderEtag, chunks }) {
      const hash = createHash('sha1')
      for await (const chunk of chunks) {
        hash.update(chunk)
        yield chunk
      }
      known.set(etag, { folderEtag, digest: hash.digest('base64') })
    },
    async matchingTag(ifNoneMatch, readFolder) {
      const given = tagsOf(ifNoneMatch).filter((etag) => known.has(etag))
      if (given.length === 0) return null
      const { folderEtag, chunks } = await readFolder()
      const candidates = given.filter((etag) => known.get(etag)?.folderEtag === folderEtag)
      if (candidates.length === 0) return null
      const hash = createHash('sha1')
      for await (const chunk of chunks) hash.update(chunk)
      const digest = hash.digest('base64')
      return candidates.find((etag) => known.get(etag)?.digest === digest) ?? null
    },
  }
}

const tagsOf = (ifNoneMatch: string): string[] =>
  ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
