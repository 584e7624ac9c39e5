import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import type { WireType } from './wire.ts'

const usageSchema = Type.Object({ total: Type.Number(), used: Type.Number() }, { title: 'Usage' })

/**
 * The total and the used size in bytes of the file system that contains a folder. Both sizes are 0 for a path that is
 * not a folder (contract 8.2). For a user with a quota, `used` is the size of the user's scope, and `total` is the
 * quota, or the size that the scope can reach on the disk if that size is smaller.
 */
export type FileSystemUsage = WireType<typeof usageSchema>

export const getUsage = endpoint({
  route: 'usage.get',
  summary: 'Returns the used and the total size of the file system of a folder, or of the caller’s quota',
  audience: 'session',
  body: 'none',
  responses: { 'application/json': usageSchema },
})

/** The media type of the folder totals: one JSON object on each line. */
export const totalsMediaType = 'application/x-ndjson'

const totalsSchema = Type.Object(
  {
    size: Type.Number(),
    numDirs: Type.Integer(),
    numFiles: Type.Integer(),
    complete: Type.Boolean(),
    /** The number of entries that cannot be reached and are not counted. Missing when everything was counted. */
    unreachable: Type.Optional(Type.Integer()),
  },
  { title: 'FolderTotals' },
)

/**
 * The total size in bytes of the files below a folder, and the numbers of its folders and files at any depth. While the
 * folder is being read, `complete` is false and the totals cover the part that has been read.
 */
export type FolderTotals = WireType<typeof totalsSchema>

export const getFolderTotals = endpoint({
  route: 'du.get',
  summary:
    'Counts everything below a folder. Each line replaces the line before, and the last line is complete',
  audience: 'session',
  body: 'none',
  responses: {
    [totalsMediaType]: Type.String({ description: 'Totals as JSON on each line' }),
  },
  lineSchemas: { [totalsMediaType]: totalsSchema },
  failures: ['broken-link'],
})
