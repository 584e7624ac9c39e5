import { Type } from 'typebox'
import { limits } from '../domain/limits.ts'
import { bytes, fileResponse, remuxResponse } from './file-response.ts'
import { endpoint } from './endpoint.ts'
import { storingFailures } from './errors.ts'
import {
  guestNameHeader,
  guestNoteHeader,
  modifiedHeader,
  sharePasswordDeclaration,
  shareTermsHeaders,
  uploadIdHeader,
} from './entry-headers.ts'
import {
  itemMembers,
  itemSchema,
  resolutionSchema,
  rowsAsLines,
  rowSchema,
  rowsMediaType,
} from './resources.ts'
import { entryNamesText, optionText, passwordText, nullish, type WireType } from './wire.ts'

/**
 * The modes of a share, which decide what guests may do. `download`: see and download. `view-only`: see; the server sends files only inline
 * and no archives (decision 71). `upload-only`: add files to a folder, and see nothing (decision 72).
 */
export const shareModes = ['download', 'view-only', 'upload-only'] as const
export type ShareMode = (typeof shareModes)[number]

const readableModeSchema = Type.Union([Type.Literal('download'), Type.Literal('view-only')])
const modeSchema = Type.Union([...readableModeSchema.anyOf, Type.Literal('upload-only')])

const shareSchema = Type.Object(
  {
    hash: Type.String(),
    /** The path of the shared entry in its owner's scope. The path of a folder ends with a slash. */
    path: Type.String(),
    userID: Type.Integer(),
    /** The time at which the share ends, in seconds since 1970. 0 for a share that never ends. */
    expire: Type.Integer(),
    /** The time from which the share can be opened, in seconds since 1970. 0 when it can be opened immediately. */
    availableFrom: Type.Integer(),
    hasPassword: Type.Boolean(),
    mode: modeSchema,
    /**
     * True for a link that was taken over while its entry was away. It does not work until there is an entry at its path. Missing
     * for all others.
     */
    isAwaited: Type.Optional(Type.Literal(true)),
    /** The name that guests see as the sender of this link. Missing when the owner has typed none. */
    senderName: Type.Optional(Type.String()),
    /** The address that the owner has chosen, which works beside the hash. Missing when the owner has chosen none. */
    alias: Type.Optional(Type.String()),
    /** The number of downloads that the share allows in total. Missing when there is no limit. */
    maxDownloads: Type.Optional(Type.Integer()),
    /** The number of times that guests have opened the share, and of their downloads. Missing while it is 0. */
    visits: Type.Optional(Type.Integer()),
    downloads: Type.Optional(Type.Integer()),
    /** The limits of an upload-only share and what guests have sent to it. Shares with other modes have none. */
    drop: Type.Optional(
      Type.Object({
        /** The number of files and of bytes that the share accepts in total. 0 when the owner set no limit. */
        maxFiles: Type.Integer(),
        maxBytes: Type.Integer(),
        receivedFiles: Type.Integer(),
        receivedBytes: Type.Integer(),
        /** The number of files that this server is receiving now. */
        runningFiles: Type.Integer(),
        /** The number of files that the owner has not looked at. Missing when the owner does not want to be told. */
        newFiles: Type.Optional(Type.Integer()),
      }),
    ),
  },
  { title: 'Share' },
)

/**
 * A share in a response to a user who is allowed to see it (contract 9.1). It contains neither the hash of the password
 * nor the token.
 */
export type ShareResource = WireType<typeof shareSchema>

const publicSchema = Type.Object(
  {
    ...itemMembers,
    items: Type.Optional(Type.Array(itemSchema)),
    resolution: Type.Optional(resolutionSchema),
    numDirs: Type.Optional(Type.Integer()),
    numFiles: Type.Optional(Type.Integer()),
    sorting: Type.Optional(Type.Object({ by: Type.String(), asc: Type.Boolean() })),
    /**
     * A token that replaces the password where a client can only send a URL and no headers. Only shares with a password
     * have a token.
     */
    token: Type.Optional(Type.String()),
    /** The mode of the share, unless guests may download from it. */
    shareMode: Type.Optional(readableModeSchema),
  },
  { title: 'PublicEntry' },
)

const { items: _items, resolution: _resolution, ...publicHeadMembers } = publicSchema.properties

/** The first line of the rows of a shared folder: the folder without its items, and the number of rows that follow. */
const publicRowsHeadSchema = Type.Object(
  { ...publicHeadMembers, total: Type.Integer() },
  { title: 'PublicRowsHead' },
)

const publicDropSchema = Type.Object(
  {
    shareMode: Type.Literal('upload-only'),
    /** The name of the shared folder; empty when a whole scope is shared. */
    name: Type.String(),
    /** The time at which the share ends, in seconds since 1970. 0 for a share that never ends. */
    expire: Type.Integer(),
    /** The limits that the owner has set for all guests together. 0 when there is no limit. */
    maxFiles: Type.Integer(),
    maxBytes: Type.Integer(),
    /** The number of files that guests have sent so far. Present only when the owner has limited the number of files. */
    receivedFiles: Type.Optional(Type.Integer()),
    /** The maximum size of one file on this server, in bytes. 0 when there is no limit. */
    maxFileBytes: Type.Integer(),
    /** As in a public entry. */
    token: Type.Optional(Type.String()),
  },
  { title: 'PublicDrop' },
)

/** An upload-only share as a guest sees it. It says nothing about what is in the folder (decision 72). */
export type PublicDrop = WireType<typeof publicDropSchema>

/**
 * A shared entry as a guest sees it: paths are relative to the shared entry, and no field reveals its owner (contract
 * 9.6).
 */
export type PublicResource = WireType<typeof publicSchema>

const numberOrText = Type.Optional(
  Type.Union([
    optionText,
    Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
    Type.Null(),
  ]),
)

const termsSchema = Type.Object({
  /** An empty string stands for no password. */
  password: nullish(passwordText),
  /** The time from now until the share ends, as a multiple of `unit`. The share never ends with an empty string or 0. */
  expires: numberOrText,
  unit: nullish(optionText),
  /**
   * The time from which the share can be opened: seconds since 1970, or a date and time in ISO 8601. Empty or 0 when it
   * can be opened immediately.
   */
  availableFrom: numberOrText,
  mode: nullish(modeSchema),
  /** The name that guests see as the sender of this link, at most 60 characters. An empty string shows none. */
  senderName: nullish(Type.String({ maxLength: 2 * limits.senderNameCharacters })),
  /** The number of files that an upload-only share accepts in total, at most 10,000. 0 for no limit. */
  maxFiles: nullish(Type.Integer({ minimum: 0, maximum: limits.receivedFiles })),
  /** The number of bytes that an upload-only share accepts in total. 0 for no limit. */
  maxBytes: nullish(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  /**
   * An address beside the hash: 9 to 40 letters, digits and hyphens, but not 22 characters as a hash. Upper and lower case are
   * the same. An alias is never used again by another share. An empty string stands for none.
   */
  alias: nullish(Type.String({ maxLength: limits.aliasCharacters })),
  /** The number of downloads that the share allows in total, at most 10,000. 0 for no limit. */
  maxDownloads: nullish(Type.Integer({ minimum: 0, maximum: limits.limitedDownloads })),
  /** True for an upload-only share whose owner wants to be told of new files. */
  tellsOfFiles: nullish(Type.Boolean()),
})

const changedTermsSchema = Type.Object({
  ...termsSchema.properties,
  /** The number of received files that the owner has looked at. */
  seenFiles: nullish(Type.Integer({ minimum: 0, maximum: limits.receivedFiles })),
})

export const listShares = endpoint({
  route: 'shares.list',
  summary: "Lists the caller's own shares; administrators get all shares, or with `own=true` only their own",
  audience: 'session',
  needs: 'share',
  query: Type.Object({ own: Type.Optional(optionText) }),
  body: 'none',
  responses: { 'application/json': Type.Array(shareSchema) },
})

export const getShares = endpoint({
  route: 'shares.get',
  summary: "Lists the caller's own shares of exactly this entry; administrators get those of all users",
  audience: 'session',
  needs: 'share',
  body: 'none',
  responses: { 'application/json': Type.Array(shareSchema) },
})

export const createShare = endpoint({
  route: 'shares.create',
  summary: 'Shares an entry by a public link',
  audience: 'session',
  needs: 'share',
  body: 'json',
  query: Type.Object({ expires: Type.Optional(optionText), unit: Type.Optional(optionText) }),
  schema: termsSchema,
  responses: { 'application/json': shareSchema },
  failures: ['name-taken', 'too-many-tries', 'overloaded'],
})

export const updateShare = endpoint({
  route: 'shares.update',
  summary: 'Changes a share, whose hash is the rest of the path; fields that are absent stay as they are',
  audience: 'session',
  needs: 'share',
  hasIdentifierPath: true,
  body: 'json',
  schema: changedTermsSchema,
  responses: { 'application/json': shareSchema },
  failures: ['not-found', 'name-taken', ...storingFailures, 'too-many-tries', 'overloaded'],
})

export const removeShare = endpoint({
  route: 'shares.remove',
  summary: 'Deletes a share; the rest of the path is its hash',
  audience: 'session',
  needs: 'share',
  hasIdentifierPath: true,
  body: 'none',
  failures: ['not-found'],
})

export const showPublic = endpoint({
  route: 'public.show',
  summary:
    'Describes a shared entry, or an entry below it, for anyone who has the link; a folder as JSON, or as rows if the client accepts NDJSON',
  audience: 'anyone',
  decodesWholePath: true,
  headers: { 'x-robots-tag': 'noindex' },
  body: 'none',
  requestHeaders: [sharePasswordDeclaration],
  responseHeaders: shareTermsHeaders,
  responses: {
    'application/json': Type.Union([publicSchema, publicDropSchema]),
    [rowsMediaType]: rowsAsLines,
  },
  lineSchemas: { [rowsMediaType]: Type.Union([publicRowsHeadSchema, Type.Array(rowSchema)]) },
  failures: ['not-signed-in', 'forbidden', 'too-many-tries', 'overloaded'],
  query: Type.Object({ token: Type.Optional(optionText) }),
})

export const downloadPublic = endpoint({
  route: 'public.download',
  summary: 'The bytes of a shared entry: one file, or a folder as an archive',
  audience: 'anyone',
  decodesWholePath: true,
  headers: { 'x-robots-tag': 'noindex' },
  body: 'none',
  ...fileResponse,
  requestHeaders: [sharePasswordDeclaration, ...fileResponse.requestHeaders],
  responses: { 'application/octet-stream': bytes, '*/*': bytes },
  responseHeaders: [...fileResponse.responseHeaders, ...remuxResponse.responseHeaders],
  failures: [
    ...fileResponse.failures,
    ...remuxResponse.failures,
    'not-signed-in',
    'forbidden',
    'too-many-tries',
    'overloaded',
  ],
  query: Type.Object({
    token: Type.Optional(optionText),
    inline: Type.Optional(optionText),
    files: Type.Optional(entryNamesText),
    algo: Type.Optional(optionText),
    remux: Type.Optional(optionText),
  }),
})

export const previewPublic = endpoint({
  route: 'public.preview',
  summary:
    'A picture of a shared file in a size for display, as `preview.get` makes it; never the file itself',
  audience: 'anyone',
  headers: { 'x-robots-tag': 'noindex' },
  body: 'none',
  ...fileResponse,
  requestHeaders: [sharePasswordDeclaration, ...fileResponse.requestHeaders],
  responses: { 'image/webp': bytes, 'image/jpeg': bytes },
  failures: [
    ...fileResponse.failures,
    'undecodable',
    'too-large',
    'unsupported',
    'timeout',
    'not-signed-in',
    'forbidden',
    'too-many-tries',
    'overloaded',
  ],
  query: Type.Object({
    token: Type.Optional(optionText),
    k: Type.Optional(optionText),
    poster: Type.Optional(optionText),
  }),
})

export type NewShare = WireType<typeof createShare.schema>
export type ChangedShare = WireType<typeof updateShare.schema>
export type PublicDownloadQuery = WireType<typeof downloadPublic.query>

export const dropFile = endpoint({
  route: 'public.drop',
  summary: 'Adds a file to the folder of an upload-only share; the path is the hash and the name of the file',
  audience: 'anyone',
  headers: { 'x-robots-tag': 'noindex' },
  body: 'bytes',
  requestHeaders: [
    sharePasswordDeclaration,
    guestNameHeader,
    guestNoteHeader,
    uploadIdHeader,
    modifiedHeader,
  ],
  failures: ['not-signed-in', 'bad-name', 'too-many-files', 'too-many-tries', 'overloaded'],
  query: Type.Object({ token: Type.Optional(optionText) }),
})

const receivedFileSchema = Type.Object(
  {
    /** The name under which the file was stored. */
    name: Type.String(),
    /** The name and the note that the guest has typed. Either may be empty. */
    guest: Type.String(),
    note: Type.String(),
    size: Type.Integer(),
    /** The time at which the file arrived, in ms since 1970. */
    receivedMs: Type.Integer(),
  },
  { title: 'ReceivedFile' },
)

/** A file that a guest has sent, as the owner of the share sees it. */
export type ReceivedFileResource = WireType<typeof receivedFileSchema>

const runningReceptionSchema = Type.Object(
  {
    /** The id with which the reception can be ended. */
    id: Type.String(),
    /** The name that the guest has chosen. The file may be stored under another one. */
    name: Type.String(),
    guest: Type.String(),
    /** The announced size of the file, and the number of bytes that have arrived. */
    size: Type.Integer(),
    received: Type.Integer(),
    /** The time at which the file began to arrive, in ms since 1970. */
    startedMs: Type.Integer(),
  },
  { title: 'RunningReception' },
)

/** A file that a guest is sending, as the owner of the share sees it. */
export type RunningReceptionResource = WireType<typeof runningReceptionSchema>

const receivedFileListSchema = Type.Object({
  files: Type.Array(receivedFileSchema),
  /** The number of all received files, of which the list contains the latest 1000. */
  total: Type.Integer(),
  /** The files that this server is receiving now, the oldest first. */
  running: Type.Array(runningReceptionSchema),
})

export type ReceivedFileList = WireType<typeof receivedFileListSchema>

export const listReceived = endpoint({
  route: 'shares.received',
  summary: 'Lists the latest files that guests have sent or are sending to a share; the path is its hash',
  audience: 'session',
  needs: 'share',
  hasIdentifierPath: true,
  body: 'none',
  responses: { 'application/json': receivedFileListSchema },
})

export const endReception = endpoint({
  route: 'shares.end-reception',
  summary:
    'Ends the reception of a file that a guest is sending; the rest of the path is the hash of the share and the id of the reception',
  audience: 'session',
  needs: 'share',
  hasIdentifierPath: true,
  body: 'none',
  failures: ['not-found'],
})
