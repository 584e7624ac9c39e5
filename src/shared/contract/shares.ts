import { Type, type Static } from 'typebox'
import { bytes, fileAnswer } from './answers/bytes.ts'
import { schemaOf } from './answers/schema-of.ts'
import { endpoint, type NamedHeader } from './endpoint.ts'
import { maybe } from './bodies/maybe.ts'
import { itemMembers, itemSchema, type ResourceItem } from './resources.ts'

/** A share as answered to those who may see it (contract 9.1): neither its password's hash nor its token. */
export type ShareResource = {
  readonly hash: string
  /** In its owner's scope; a folder's ends with a slash. */
  readonly path: string
  readonly userID: number
  /** Seconds since 1970; 0 for never. */
  readonly expire: number
  /** Seconds since 1970 before which nobody finds it; 0 for at once. */
  readonly availableFrom: number
  readonly hasPassword: boolean
}

/** What a guest is shown: paths are relative to what is shared, and nothing tells whose it is (contract 9.6). */
export type PublicResource = ResourceItem & {
  readonly items?: readonly ResourceItem[]
  readonly numDirs?: number
  readonly numFiles?: number
  readonly sorting?: { readonly by: string; readonly asc: boolean }
  /** In place of the password, for addresses that carry no header. Only where there is a password. */
  readonly token?: string
}

/** The header with a share's password, as it is or percent-encoded. */
export const sharePasswordHeader = 'x-share-password'

const passwordTaken: NamedHeader = {
  name: 'X-SHARE-PASSWORD',
  says: 'The password of the share, as it is or percent-encoded',
}

const shareSchema = schemaOf<ShareResource>()(
  Type.Object(
    {
      hash: Type.String(),
      path: Type.String(),
      userID: Type.Integer(),
      expire: Type.Integer(),
      availableFrom: Type.Integer(),
      hasPassword: Type.Boolean(),
    },
    { title: 'Share' },
  ),
)

const publicSchema = schemaOf<PublicResource>()(
  Type.Object(
    {
      ...itemMembers,
      items: Type.Optional(Type.Array(itemSchema)),
      numDirs: Type.Optional(Type.Integer()),
      numFiles: Type.Optional(Type.Integer()),
      sorting: Type.Optional(Type.Object({ by: Type.String(), asc: Type.Boolean() })),
      token: Type.Optional(Type.String()),
    },
    { title: 'PublicEntry' },
  ),
)

const numberOrText = Type.Optional(Type.Union([Type.String(), Type.Integer(), Type.Null()]))

export const listShares = endpoint({
  route: 'shares.list',
  summary: "One's own shares; all of them for administrators",
  who: 'session',
  needs: 'share',
  body: 'none',
  gives: { 'application/json': Type.Array(shareSchema) },
})

export const getShares = endpoint({
  route: 'shares.get',
  summary: "One's own shares of exactly this entry; everybody's for administrators",
  who: 'session',
  needs: 'share',
  body: 'none',
  gives: { 'application/json': Type.Array(shareSchema) },
})

export const createShare = endpoint({
  route: 'shares.create',
  summary: 'Shares an entry by a public link',
  who: 'session',
  needs: 'share',
  body: 'json',
  query: Type.Object({ expires: Type.Optional(Type.String()), unit: Type.Optional(Type.String()) }),
  schema: Type.Object({
    password: maybe(Type.String()),
    /** How many units from now; empty or 0 for ever. */
    expires: numberOrText,
    unit: maybe(Type.String()),
    /** Seconds since 1970, or a date and time in ISO 8601; empty or 0 for at once. */
    availableFrom: numberOrText,
  }),
  gives: { 'application/json': shareSchema },
  fails: ['overloaded'],
})

export const removeShare = endpoint({
  route: 'shares.remove',
  summary: 'Ends a share for good; the rest of the path is its hash',
  who: 'session',
  needs: 'share',
  isOfName: true,
  body: 'none',
  fails: ['not-found'],
})

export const showPublic = endpoint({
  route: 'public.show',
  summary: 'What is shared, or what lies below it, for anyone who has the link',
  who: 'anyone',
  takesPathWhole: true,
  headers: { 'x-robots-tag': 'noindex' },
  body: 'none',
  takes: [passwordTaken],
  gives: { 'application/json': publicSchema },
  fails: ['not-signed-in', 'forbidden', 'too-many-tries', 'overloaded'],
  query: Type.Object({ token: Type.Optional(Type.String()) }),
})

export const downloadPublic = endpoint({
  route: 'public.download',
  summary: 'The bytes of what is shared: one file, or a folder as an archive',
  who: 'anyone',
  takesPathWhole: true,
  headers: { 'x-robots-tag': 'noindex' },
  body: 'none',
  ...fileAnswer,
  takes: [passwordTaken, ...fileAnswer.takes],
  gives: { 'application/octet-stream': bytes, '*/*': bytes },
  fails: [...fileAnswer.fails, 'not-signed-in', 'forbidden', 'too-many-tries', 'overloaded'],
  query: Type.Object({
    token: Type.Optional(Type.String()),
    inline: Type.Optional(Type.String()),
    files: Type.Optional(Type.String()),
    algo: Type.Optional(Type.String()),
  }),
})

export type ShareWish = Static<typeof createShare.schema>
export type ShareQuery = Static<typeof createShare.query>
export type PublicDownloadQuery = Static<typeof downloadPublic.query>
