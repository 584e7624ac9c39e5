import { createHash } from 'node:crypto'

/** One answer about a folder: its own etag, and all the text that is sent. */
export type Visit = { readonly folderEtag: string; readonly pieces: AsyncIterable<string> }

/** Tags of whole answers that were sent before, so that the same one need not be sent again. */
export type Revisits = {
  /** Hands the pieces on and keeps their digest under the tag, once all of them were sent. */
  readonly remember: (etag: string, visit: Visit) => AsyncGenerator<string>
  /** The tag of `If-None-Match` under which the same was sent; null when there is none. Reads the pieces only if there may be. */
  readonly sameAs: (ifNoneMatch: string, visit: Visit) => Promise<string | null>
  readonly newTag: () => string
}

/**
 * A folder's own time tells of names that came and went, never of a file that grew; a tag made of it would keep old sizes on
 * screen. So a tag names an answer, whose digest is kept: revisiting costs the reading, and spares sending, parsing and painting.
 */
export function createRevisits(randomId: () => string, most = 1000): Revisits {
  const known = new Map<string, { readonly folderEtag: string; readonly digest: string }>()
  const process = randomId()
  let serial = 0

  return {
    newTag: () => `"${process}-${(serial += 1)}"`,
    async *remember(etag, { folderEtag, pieces }) {
      const hash = createHash('sha1')
      for await (const piece of pieces) {
        hash.update(piece)
        yield piece
      }
      known.set(etag, { folderEtag, digest: hash.digest('base64') })
      const [oldest] = known.keys()
      if (known.size > most && oldest !== undefined) known.delete(oldest)
    },
    async sameAs(ifNoneMatch, { folderEtag, pieces }) {
      const before = tagsOf(ifNoneMatch).filter((etag) => known.get(etag)?.folderEtag === folderEtag)
      if (before.length === 0) return null
      const hash = createHash('sha1')
      for await (const piece of pieces) hash.update(piece)
      const digest = hash.digest('base64')
      return before.find((etag) => known.get(etag)?.digest === digest) ?? null
    },
  }
}

const tagsOf = (ifNoneMatch: string): string[] =>
  ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
