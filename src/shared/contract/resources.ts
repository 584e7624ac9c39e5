import { Type, type Static } from 'typebox'
import { bytes, fileAnswer } from './answers/bytes.ts'
import { schemaOf } from './answers/schema-of.ts'
import { endpoint, type NamedHeader } from './endpoint.ts'

export const checksumAlgorithms = ['md5', 'sha1', 'sha256', 'sha512'] as const
export type ChecksumAlgorithm = (typeof checksumAlgorithms)[number]

/** One resource or item of a listing, as on the wire (contract 3.1). */
export type ResourceItem = {
  readonly path: string
  readonly name: string
  readonly size: number
  readonly extension: string
  readonly modified: string
  readonly mode: number
  readonly isDir: boolean
  readonly isSymlink: boolean
  readonly type: string
  /** Of a video: absolute paths. In listings, too, but neither in rows nor to guests. */
  readonly subtitles?: readonly string[]
}

export type FolderResource = ResourceItem & {
  readonly items: readonly ResourceItem[]
  readonly numDirs: number
  readonly numFiles: number
  readonly sorting: { readonly by: string; readonly asc: boolean }
}

export type FileResource = ResourceItem & {
  readonly content?: string
  /** Of an image, as stored in it. */
  readonly resolution?: { readonly width: number; readonly height: number }
  /** By algorithm, the one that was asked for. */
  readonly checksums?: Readonly<Partial<Record<ChecksumAlgorithm, string>>>
}
export type Resource = FolderResource | FileResource

/** First line of the row stream: the folder without its items, and how many rows follow. */
export type RowsHead = Omit<FolderResource, 'items'> & { readonly total: number }

/** One row of the stream; flags: 1 folder, 2 link, 4 broken link, 8 neither file nor folder. `modified` is in ms since 1970. */
export type Row = readonly [name: string, sizeBytes: number, modifiedMs: number, type: string, flags: number]

/** One entry of the flat list (contract 3.10). */
export type EntryBelow = Pick<ResourceItem, 'path' | 'name' | 'size' | 'modified' | 'isDir'>

/** The media type that asks for the row stream: NDJSON, first `RowsHead`, then arrays of `Row`. */
export const rowsMediaType = 'application/x-ndjson'

const text = Type.String()
const count = Type.Integer()

export const itemMembers = {
  path: text,
  name: text,
  size: count,
  extension: text,
  modified: text,
  mode: count,
  isDir: Type.Boolean(),
  isSymlink: Type.Boolean(),
  type: text,
  subtitles: Type.Optional(Type.Array(text)),
}

export const itemSchema = schemaOf<ResourceItem>()(Type.Object(itemMembers, { title: 'Entry' }))

const folderSchema = schemaOf<FolderResource>()(
  Type.Object(
    {
      ...itemMembers,
      items: Type.Array(itemSchema),
      numDirs: count,
      numFiles: count,
      sorting: Type.Object({ by: text, asc: Type.Boolean() }),
    },
    { title: 'Folder' },
  ),
)

const fileSchema = schemaOf<FileResource>()(
  Type.Object(
    {
      ...itemMembers,
      content: Type.Optional(text),
      resolution: Type.Optional(Type.Object({ width: count, height: count })),
      checksums: Type.Optional(
        Type.Partial(Type.Object({ md5: text, sha1: text, sha256: text, sha512: text })),
      ),
    },
    { title: 'File' },
  ),
)

const entryBelowSchema = schemaOf<EntryBelow>()(
  Type.Object(
    { path: text, name: text, size: count, modified: text, isDir: Type.Boolean() },
    { title: 'EntryBelow' },
  ),
)

const rowsAsLines = Type.String({
  description:
    'JSON on each line: first the folder without its items and with `total`, then arrays of rows: name, size in bytes, modified in ' +
    'ms since 1970, type, and flags (1 folder, 2 link, 4 broken link, 8 neither file nor folder)',
})

const { items: _items, ...headMembers } = folderSchema.properties

const rowsHeadSchema = schemaOf<RowsHead>()(
  Type.Object({ ...headMembers, total: count }, { title: 'RowsHead' }),
)

const rowsSchema = Type.Array(Type.Tuple([text, count, Type.Number(), text, count], { title: 'Row' }))

const etagTold: NamedHeader = { name: 'ETag', says: 'The tag of what was written; not of a folder' }

const flagText = Type.Optional(Type.String())

export const getResource = endpoint({
  route: 'resources.get',
  summary: 'Lists a folder (JSON, or rows when asked for NDJSON) or describes a file',
  who: 'session',
  body: 'none',
  ...fileAnswer,
  takes: [
    {
      name: 'X-Encoding',
      says:
        'With `true`, a text is answered as the bytes that it is; ranges and conditions count for those and, of the conditions, ' +
        '`If-None-Match` for rows',
    },
    ...fileAnswer.takes,
  ],
  gives: {
    'application/json': Type.Union([folderSchema, fileSchema]),
    [rowsMediaType]: rowsAsLines,
    'application/octet-stream': bytes,
  },
  lines: { [rowsMediaType]: Type.Union([rowsHeadSchema, rowsSchema]) },
  fails: [...fileAnswer.fails, 'too-many-tries'],
  query: Type.Object({
    by: Type.Optional(Type.String()),
    asc: flagText,
    checksum: Type.Optional(Type.String()),
  }),
})

export const listBelow = endpoint({
  route: 'resources.recursive',
  summary: 'Everything below a folder, in one flat array',
  who: 'session',
  body: 'none',
  gives: { 'application/json': Type.Array(entryBelowSchema) },
})

export const createResource = endpoint({
  route: 'resources.create',
  summary: 'Makes a folder (path with a trailing slash) or uploads a file',
  who: 'session',
  needs: 'create',
  body: 'bytes',
  tells: [etagTold],
  fails: ['is-a-folder', 'too-many-tries'],
  query: Type.Object({ override: flagText }),
})

export const saveResource = endpoint({
  route: 'resources.save',
  summary: 'Saves new bytes into a file that is there; `If-Match` keeps from overwriting what others saved',
  who: 'session',
  needs: 'modify',
  body: 'bytes',
  takes: [
    {
      name: 'If-Match',
      says: 'The tag of what is to be replaced, or `*`; 412 when others have saved meanwhile',
    },
  ],
  tells: [etagTold],
  fails: ['changed-meanwhile', 'method-not-allowed', 'is-a-folder', 'too-many-tries'],
})

export const transferResource = endpoint({
  route: 'resources.transfer',
  summary: 'Copies, renames or moves an entry',
  who: 'session',
  body: 'none',
  tells: [{ name: 'Content-Location', says: 'Where it is now, as a percent-encoded path' }],
  fails: ['into-itself', 'is-a-folder', 'cross-volume', 'unsupported'],
  query: Type.Object({
    action: Type.Optional(Type.String()),
    destination: Type.Optional(Type.String()),
    override: flagText,
    rename: flagText,
  }),
})

export const removeResource = endpoint({
  route: 'resources.remove',
  summary: 'Deletes an entry with everything below it',
  who: 'session',
  needs: 'delete',
  body: 'none',
  query: Type.Object({ permanent: flagText }),
})

export type TransferQuery = Static<typeof transferResource.query>
