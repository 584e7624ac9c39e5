import { createHash } from 'node:crypto'

/** One answer about a folder: its own etag, and all the text that is sent. */
export type Visit = { readonly folderEtag: string; readonly pieces: AsyncIterable<string> }

/** Tags of whole answers that were sent before, so that the same one need not be sent again. */
export type Revisits = {
  /** Hands the pieces on and keeps their digest under the tag, once all of them were sent. */
  readonly remember: (etag: string, visit: Visit) => AsyncGenerator<string>
  /** Whether the visit would say what was sent under one of the tags of `If-None-Match`. Reads the pieces only if it may. */
  readonly isSame: (ifNoneMatch: string, visit: Visit) => Promise<boolean>
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
    async isSame(ifNoneMatch, { folderEtag, pieces }) {
      const before = tagsOf(ifNoneMatch).flatMap((etag) => known.get(etag) ?? [])
      if (!before.some((visit) => visit.folderEtag === folderEtag)) return false
      const hash = createHash('sha1')
      for await (const piece of pieces) hash.update(piece)
      const digest = hash.digest('base64')
      return before.some((visit) => visit.digest === digest)
    },
  }
}

const tagsOf = (ifNoneMatch: string): string[] =>
  ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
