import { Type } from 'typebox'
import { bytes, fileResponse, remuxResponse } from './file-response.ts'
import { endpoint, type HeaderDeclaration } from './endpoint.ts'
import { itemMembers, itemSchema } from './resources.ts'
import { nullish, type WireType } from './wire.ts'

/** The name of the header that contains a share's password, either unchanged or percent-encoded. */
export const sharePasswordHeader = 'x-share-password'

const passwordHeader: HeaderDeclaration = {
  name: 'X-SHARE-PASSWORD',
  description: 'The password of the share, percent-encoded or not',
}

/**
 * The modes of a share, which decide what guests may do. `download`: see and download. `view-only`: see; the server sends files only inline
 * and no archives (decision 71).
 */
export const shareModes = ['download', 'view-only'] as const
export type ShareMode = (typeof shareModes)[number]

const modeSchema = Type.Union([Type.Literal('download'), Type.Literal('view-only')])

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
    numDirs: Type.Optional(Type.Integer()),
    numFiles: Type.Optional(Type.Integer()),
    sorting: Type.Optional(Type.Object({ by: Type.String(), asc: Type.Boolean() })),
    /**
     * A token that replaces the password where a client can only send a URL and no headers. Only shares with a password
     * have a token.
     */
    token: Type.Optional(Type.String()),
    /** The mode of the share, unless guests may download from it. */
    shareMode: Type.Optional(modeSchema),
  },
  { title: 'PublicEntry' },
)

/**
 * A shared entry as a guest sees it: paths are relative to the shared entry, and no field reveals its owner (contract
 * 9.6).
 */
export type PublicResource = WireType<typeof publicSchema>

const numberOrText = Type.Optional(Type.Union([Type.String(), Type.Integer(), Type.Null()]))

const termsSchema = Type.Object({
  /** An empty string stands for no password. */
  password: nullish(Type.String()),
  /** The time from now until the share ends, as a multiple of `unit`. The share never ends with an empty string or 0. */
  expires: numberOrText,
  unit: nullish(Type.String()),
  /**
   * The time from which the share can be opened: seconds since 1970, or a date and time in ISO 8601. Empty or 0 when it
   * can be opened immediately.
   */
  availableFrom: numberOrText,
  mode: nullish(modeSchema),
})

export const listShares = endpoint({
  route: 'shares.list',
  summary: "Lists the caller's own shares; administrators get all shares",
  audience: 'session',
  needs: 'share',
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
  query: Type.Object({ expires: Type.Optional(Type.String()), unit: Type.Optional(Type.String()) }),
  schema: termsSchema,
  responses: { 'application/json': shareSchema },
  failures: ['overloaded'],
})

export const updateShare = endpoint({
  route: 'shares.update',
  summary: 'Changes a share, whose hash is the rest of the path; fields that are absent stay as they are',
  audience: 'session',
  needs: 'share',
  hasIdentifierPath: true,
  body: 'json',
  schema: termsSchema,
  responses: { 'application/json': shareSchema },
  failures: ['not-found', 'overloaded'],
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
  summary: 'Describes a shared entry, or an entry below it, for anyone who has the link',
  audience: 'anyone',
  decodesWholePath: true,
  headers: { 'x-robots-tag': 'noindex' },
  body: 'none',
  requestHeaders: [passwordHeader],
  responses: { 'application/json': publicSchema },
  failures: ['not-signed-in', 'forbidden', 'too-many-tries', 'overloaded'],
  query: Type.Object({ token: Type.Optional(Type.String()) }),
})

export const downloadPublic = endpoint({
  route: 'public.download',
  summary: 'The bytes of a shared entry: one file, or a folder as an archive',
  audience: 'anyone',
  decodesWholePath: true,
  headers: { 'x-robots-tag': 'noindex' },
  body: 'none',
  ...fileResponse,
  requestHeaders: [passwordHeader, ...fileResponse.requestHeaders],
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
    token: Type.Optional(Type.String()),
    inline: Type.Optional(Type.String()),
    files: Type.Optional(Type.String()),
    algo: Type.Optional(Type.String()),
    remux: Type.Optional(Type.String()),
  }),
})

export type NewShare = WireType<typeof createShare.schema>
export type ShareQuery = WireType<typeof createShare.query>
export type PublicDownloadQuery = WireType<typeof downloadPublic.query>
