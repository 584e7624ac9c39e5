import { Type } from 'typebox'
import { operationPermissions } from '../domain/access.ts'
import { bytes, fileResponse } from './file-response.ts'
import { lossHeaderDeclaration, modifiedHeader } from './entry-headers.ts'
import { endpoint, type HeaderDeclaration } from './endpoint.ts'
import { optionText, writtenPathText, type WireType } from './wire.ts'

export const checksumAlgorithms = ['md5', 'sha1', 'sha256', 'sha512'] as const
export type ChecksumAlgorithm = (typeof checksumAlgorithms)[number]

/**
 * The media type with which a client requests the row stream: NDJSON whose first line is a `RowStreamHead` and whose
 * other lines are arrays of `ListingRow`.
 */
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
  /**
   * The paths of a video's subtitles, from the root of the user's scope. JSON listings contain this field. The row stream and the responses to
   * guests do not.
   */
  subtitles: Type.Optional(Type.Array(text)),
}

export const itemSchema = Type.Object(itemMembers, { title: 'Entry' })

/** One file or folder in a response of the API, alone or in a listing (contract 3.1). */
export type ResourceItem = WireType<typeof itemSchema>

const folderSchema = Type.Object(
  {
    ...itemMembers,
    items: Type.Array(itemSchema),
    numDirs: count,
    numFiles: count,
    sorting: Type.Object({ by: text, asc: Type.Boolean() }),
  },
  { title: 'Folder' },
)

export type FolderResource = WireType<typeof folderSchema>

/** The size of an image in pixels, as stored in the file: an orientation in the metadata is not applied. */
export const resolutionSchema = Type.Object({ width: count, height: count })

const fileSchema = Type.Object(
  {
    ...itemMembers,
    content: Type.Optional(text),
    resolution: Type.Optional(resolutionSchema),
    /** The requested checksum, as a member that is named after its algorithm. */
    checksums: Type.Optional(
      Type.Partial(Type.Object({ md5: text, sha1: text, sha256: text, sha512: text })),
    ),
  },
  { title: 'File' },
)

export type FileResource = WireType<typeof fileSchema>
export type Resource = FolderResource | FileResource

const entryBelowSchema = Type.Object(
  {
    path: text,
    name: text,
    size: count,
    modified: text,
    isDir: Type.Boolean(),
    /** True for an entry that cannot be reached, and for a folder that cannot be read. Missing for other entries. */
    unreachable: Type.Optional(Type.Literal(true)),
  },
  { title: 'EntryBelow' },
)

/** One item of the flat list of all files and folders below a folder (contract 3.10). */
export type DescendantEntry = WireType<typeof entryBelowSchema>

/** The description of a body in the row format. */
export const rowsAsLines = Type.String({
  description:
    'JSON on each line: first the folder without its items and with `total`, then arrays of rows: name, size in bytes, modified in ' +
    'ms since 1970, type, and flags (1 folder, 2 link, 4 broken link, 8 neither file nor folder, 16 not reachable)',
})

const { items: _items, ...headMembers } = folderSchema.properties

const rowsHeadSchema = Type.Object({ ...headMembers, total: count }, { title: 'RowsHead' })

/** The first line of the row stream: the folder without its items, and the number of rows that follow. */
export type RowStreamHead = WireType<typeof rowsHeadSchema>

export const rowSchema = Type.Tuple([text, count, Type.Number(), text, count], { title: 'Row' })

/**
 * One row of the row stream: the name, the size in bytes, the time of the last change in ms since 1970, the type, and
 * flags (1 folder, 2 link, 4 broken link, 8 neither file nor folder, 16 not reachable).
 */
export type ListingRow = WireType<typeof rowSchema>

const etagHeader: HeaderDeclaration = {
  name: 'ETag',
  description: 'The tag of the written file; folders have none',
}

const flagText = Type.Optional(optionText)

export const getResource = endpoint({
  route: 'resources.get',
  summary: 'Lists a folder (as JSON, or as rows if the client accepts NDJSON) or describes a file',
  audience: 'session',
  body: 'none',
  ...fileResponse,
  requestHeaders: [
    {
      name: 'X-Encoding',
      description:
        'With `true`, the response to a text file is its raw bytes. Ranges and conditions apply to raw bytes; `If-None-Match` also ' +
        'applies to rows',
    },
    ...fileResponse.requestHeaders,
  ],
  responses: {
    'application/json': Type.Union([folderSchema, fileSchema]),
    [rowsMediaType]: rowsAsLines,
    'application/octet-stream': bytes,
  },
  lineSchemas: { [rowsMediaType]: Type.Union([rowsHeadSchema, Type.Array(rowSchema)]) },
  failures: [...fileResponse.failures, 'too-many-tries', 'broken-link'],
  query: Type.Object({
    by: Type.Optional(optionText),
    asc: flagText,
    checksum: Type.Optional(optionText),
    /** With `true`, only the entry itself is described, without the items of a folder and without the content of a file. */
    describe: flagText,
  }),
})

export const listBelow = endpoint({
  route: 'resources.recursive',
  summary: 'Lists all entries below a folder in one flat array',
  audience: 'session',
  body: 'none',
  responses: { 'application/json': Type.Array(entryBelowSchema) },
})

export const createResource = endpoint({
  route: 'resources.create',
  summary: 'Creates a folder (path with a trailing slash) or uploads a file',
  audience: 'session',
  needs: operationPermissions.create[0],
  body: 'bytes',
  requestHeaders: [modifiedHeader],
  responseHeaders: [etagHeader, lossHeaderDeclaration],
  failures: ['is-a-folder', 'too-many-tries'],
  query: Type.Object({ override: flagText }),
})

export const saveResource = endpoint({
  route: 'resources.save',
  summary: 'Replaces the content of an existing file; `If-Match` prevents overwriting the changes of others',
  audience: 'session',
  needs: operationPermissions.save[0],
  body: 'bytes',
  requestHeaders: [
    {
      name: 'If-Match',
      description:
        'The tag of the version to replace, or `*`; 412 when another version has been saved meanwhile',
    },
  ],
  responseHeaders: [etagHeader, lossHeaderDeclaration],
  failures: ['changed-meanwhile', 'method-not-allowed', 'is-a-folder', 'too-many-tries'],
})

export const transferResource = endpoint({
  route: 'resources.transfer',
  summary: 'Copies, renames or moves an entry',
  audience: 'session',
  body: 'none',
  responseHeaders: [
    { name: 'Content-Location', description: 'The new path of the entry, percent-encoded' },
    lossHeaderDeclaration,
  ],
  failures: ['into-itself', 'is-a-folder', 'cross-volume', 'unsupported'],
  query: Type.Object({
    action: Type.Optional(optionText),
    destination: Type.Optional(writtenPathText),
    override: flagText,
    rename: flagText,
    /** With `rename`, the number stands before a double extension and after the name of a hidden file. */
    wholeExtension: flagText,
  }),
})

export const removeResource = endpoint({
  route: 'resources.remove',
  summary: 'Deletes an entry with everything below it',
  audience: 'session',
  needs: operationPermissions.delete[0],
  body: 'none',
  query: Type.Object({ permanent: flagText }),
})

export type TransferQuery = WireType<typeof transferResource.query>
