import { Type } from 'typebox'
import { nameEncodings } from '../domain/name-encodings.ts'
import { endpoint } from './endpoint.ts'
import { bytes, fileResponse } from './file-response.ts'
import { optionText, pathText, writtenPathText, type WireType } from './wire.ts'
import { limits } from '../domain/limits.ts'
import { type LossKind, lossKinds, namedLosses } from '../domain/losses.ts'

/** The media type of the progress of an extraction or a compression: one JSON object on each line. */
export const progressMediaType = 'application/x-ndjson'

/**
 * Bits of the last value of a member's row. An unreadable member is listed, but its bytes cannot be requested. An encrypted
 * member is unreadable, too.
 */
export const memberFlag = { folder: 1, unreadable: 2, encrypted: 4 } as const

/**
 * The reasons why a member is left out by an extraction: it is encrypted, a link, a device or the like, packed with an
 * unknown method, has a path that is not possible here, is damaged, or was refused by the storage.
 */
export const memberFaults = ['encrypted', 'link', 'special', 'method', 'name', 'damaged', 'refused'] as const

export type MemberFault = (typeof memberFaults)[number]

/** The encoding of names that the archive does not declare as UTF-8. By default, it is recognized from the names. */
const encoding = Type.Optional(Type.Enum([...nameEncodings]))

const memberRow = Type.Tuple([Type.String(), Type.Number(), Type.Number(), Type.Number()], {
  title: 'ArchiveMemberRow',
  description:
    'The path in the archive, the size in bytes, the time in ms since 1970 or 0, and flags: 1 folder, 2 unreadable, 4 encrypted',
})

const memberList = Type.Object(
  {
    members: Type.Array(memberRow),
    /** True when the archive has more members than the list. */
    isTruncated: Type.Boolean(),
    /** The number of members that are left out, because their paths lead out of the archive or are not valid paths. */
    hidden: Type.Number(),
    /** True when the end of the archive is missing. The list then contains what comes before. */
    isCutOff: Type.Optional(Type.Boolean()),
    /** The encoding in which names that are not UTF-8 were read. Missing when all names are UTF-8. */
    encoding,
  },
  { title: 'ArchiveMembers' },
)

export type ArchiveMemberRow = WireType<typeof memberRow>
export type ArchiveMembers = WireType<typeof memberList>

export const listArchive = endpoint({
  route: 'archives.list',
  summary: 'Lists the files and folders in an archive',
  audience: 'session',
  needs: 'download',
  body: 'none',
  responses: { 'application/json': memberList },
  failures: [
    'wrong-media-type',
    'undecodable',
    'cut-off',
    'is-a-folder',
    'too-large',
    'unsupported',
    'too-many-tries',
  ],
  query: Type.Object({ encoding }),
})

export const getArchiveMember = endpoint({
  route: 'archives.member',
  summary: 'The bytes of one file in an archive, as a download or, where that is safe, inline',
  audience: 'session',
  needs: 'download',
  takesTokenInQuery: true,
  body: 'none',
  ...fileResponse,
  responses: { 'application/octet-stream': bytes, '*/*': bytes },
  failures: [
    ...fileResponse.failures,
    'wrong-media-type',
    'undecodable',
    'cut-off',
    'encrypted',
    'unsupported',
    'too-many-tries',
  ],
  query: Type.Object({ member: writtenPathText, inline: Type.Optional(optionText), encoding }),
})

const loss = Type.Object(
  {
    kind: Type.Unsafe<LossKind>(Type.Union(lossKinds.map((kind) => Type.Literal(kind)))),
    count: Type.Integer(),
    paths: Type.Array(Type.String(), { maxItems: namedLosses }),
  },
  { title: 'ArchiveLoss' },
)

const progressLine = Type.Object(
  {
    /** The folder or archive that is created. The first line contains it. */
    path: Type.Optional(Type.String()),
    /** The number of files and bytes so far, and of the whole archive where it is known. */
    files: Type.Optional(Type.Number()),
    bytes: Type.Optional(Type.Number()),
    totalFiles: Type.Optional(Type.Number()),
    totalBytes: Type.Optional(Type.Number()),
    /** The paths in the archive that were left out, at most 100, and the number of all of them. Only the last line has them. */
    skipped: Type.Optional(Type.Array(Type.String())),
    skippedCount: Type.Optional(Type.Number()),
    /** The reasons for the paths in `skipped`, in the same order. */
    skippedReasons: Type.Optional(Type.Array(Type.Enum([...memberFaults]))),
    /** The losses of a new archive: the number of entries of each kind of loss, and the first paths below the folder. Only the last line has it. */
    losses: Type.Optional(Type.Array(loss, { maxItems: lossKinds.length })),
    /** The error code of work that has failed. Only the last line contains it. */
    error: Type.Optional(Type.String()),
    isDone: Type.Optional(Type.Boolean()),
  },
  { title: 'ArchiveProgress' },
)

export type ArchiveProgress = WireType<typeof progressLine>

const progressLines = Type.String({
  description: 'The progress as a JSON object on each line; the last line has `isDone` or `error`',
})

const progress = {
  responses: { [progressMediaType]: progressLines },
  lineSchemas: { [progressMediaType]: progressLine },
} as const

export const extractArchive = endpoint({
  route: 'archives.extract',
  summary: 'Extracts an archive into a new folder, and reports the progress as lines',
  audience: 'session',
  needs: 'create',
  body: 'none',
  ...progress,
  failures: [
    'wrong-media-type',
    'undecodable',
    'cut-off',
    'is-a-folder',
    'name-taken',
    'no-space',
    'not-a-folder',
    'too-large',
    'unsupported',
    'too-many-tries',
  ],
  query: Type.Object({ destination: Type.Optional(writtenPathText), encoding }),
})

export const createArchive = endpoint({
  route: 'archives.create',
  summary: 'Packs entries of a folder into a new archive, and reports the progress as lines',
  audience: 'session',
  needs: 'create',
  body: 'json',
  schema: Type.Object({
    folder: pathText,
    names: Type.Array(Type.String({ maxLength: limits.nameBytes }), {
      minItems: 1,
      maxItems: limits.archiveNames,
    }),
  }),
  ...progress,
  failures: ['bad-name', 'name-taken', 'no-space', 'unsupported', 'too-many-tries'],
})
