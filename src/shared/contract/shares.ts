import { Type } from 'typebox'
import { bytes, fileAnswer } from './file-answer.ts'
import { endpoint, type NamedHeader } from './endpoint.ts'
import { itemMembers, itemSchema } from './resources.ts'
import { nullish, type Wire } from './wire.ts'

/** The name of the header that carries a share's password, as it is or percent-encoded. */
export const sharePasswordHeader = 'x-share-password'

const passwordHeader: NamedHeader = {
  name: 'X-SHARE-PASSWORD',
  description: 'The password of the share, as it is or percent-encoded',
}

const shareSchema = Type.Object(
  {
    hash: Type.String(),
    /** The shared entry's path in its owner's scope; the path of a folder ends with a slash. */
    path: Type.String(),
    userID: Type.Integer(),
    /** When the share ends, in seconds since 1970; 0 for never. */
    expire: Type.Integer(),
    /** The time in seconds since 1970 before which nobody can open the share; 0 for at once. */
    availableFrom: Type.Integer(),
    hasPassword: Type.Boolean(),
  },
  { title: 'Share' },
)

/** A share as answered to those who may see it (contract 9.1): neither its password's hash nor its token. */
export type ShareResource = Wire<typeof shareSchema>

const publicSchema = Type.Object(
  {
    ...itemMembers,
    items: Type.Optional(Type.Array(itemSchema)),
    numDirs: Type.Optional(Type.Integer()),
    numFiles: Type.Optional(Type.Integer()),
    sorting: Type.Optional(Type.Object({ by: Type.String(), asc: Type.Boolean() })),
    /** Replaces the password in addresses, which carry no header. Only shares with a password have a token. */
    token: Type.Optional(Type.String()),
  },
  { title: 'PublicEntry' },
)

/** A shared entry as a guest sees it: paths are relative to the shared entry, and nothing tells whose it is (contract 9.6). */
export type PublicResource = Wire<typeof publicSchema>

const numberOrText = Type.Optional(Type.Union([Type.String(), Type.Integer(), Type.Null()]))

export const listShares = endpoint({
  route: 'shares.list',
  summary: "Lists the caller's own shares; administrators get all shares",
  audience: 'session',
  needs: 'share',
  body: 'none',
  answers: { 'application/json': Type.Array(shareSchema) },
})

export const getShares = endpoint({
  route: 'shares.get',
  summary: "Lists the caller's own shares of exactly this entry; administrators get those of all users",
  audience: 'session',
  needs: 'share',
  body: 'none',
  answers: { 'application/json': Type.Array(shareSchema) },
})

export const createShare = endpoint({
  route: 'shares.create',
  summary: 'Shares an entry by a public link',
  audience: 'session',
  needs: 'share',
  body: 'json',
  query: Type.Object({ expires: Type.Optional(Type.String()), unit: Type.Optional(Type.String()) }),
  schema: Type.Object({
    password: nullish(Type.String()),
    /** The number of units from now after which the share ends; empty or 0 for a share that never ends. */
    expires: numberOrText,
    unit: nullish(Type.String()),
    /** When the share can first be opened: seconds since 1970, or a date and time in ISO 8601; empty or 0 for at once. */
    availableFrom: numberOrText,
  }),
  answers: { 'application/json': shareSchema },
  failures: ['overloaded'],
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
  answers: { 'application/json': publicSchema },
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
  ...fileAnswer,
  requestHeaders: [passwordHeader, ...fileAnswer.requestHeaders],
  answers: { 'application/octet-stream': bytes, '*/*': bytes },
  failures: [...fileAnswer.failures, 'not-signed-in', 'forbidden', 'too-many-tries', 'overloaded'],
  query: Type.Object({
    token: Type.Optional(Type.String()),
    inline: Type.Optional(Type.String()),
    files: Type.Optional(Type.String()),
    algo: Type.Optional(Type.String()),
  }),
})

export type NewShare = Wire<typeof createShare.schema>
export type ShareQuery = Wire<typeof createShare.query>
export type PublicDownloadQuery = Wire<typeof downloadPublic.query>
