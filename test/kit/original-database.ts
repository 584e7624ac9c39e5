import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { readBolt, type BoltBucket } from '../../src/server/takeover/bolt/read-bolt.ts'
import { boltFile, type BoltTree } from './bolt-file.ts'
import { temporaryFolder, type AtEnd } from './temporary-folder.ts'

/** The versions of File Browser whose databases the tests have. */
export const originalVersions = ['filebrowser-v2.20.1', 'filebrowser-v2.63'] as const
export type OriginalVersion = (typeof originalVersions)[number]

const fixtures = path.resolve(import.meta.dirname, '../fixtures')

/** The facts that the original program showed about its database. */
export type OriginalExpectations = {
  readonly signingKeyBase64: string
  readonly passwords: Readonly<Record<string, string>>
  readonly users: readonly {
    readonly id: number
    readonly username: string
    readonly password: string
    readonly scope: string
    readonly [field: string]: unknown
  }[]
  readonly shares: readonly {
    readonly what: string
    readonly by: string
    readonly password?: string
    readonly expired: boolean
    readonly answerToOwner: { readonly hash: string; readonly path: string; readonly token?: string }
    readonly guest: { readonly status: number }
  }[]
  /** What `config export` printed. */
  readonly config: {
    readonly settings: Readonly<Record<string, unknown>>
    readonly server: Readonly<Record<string, unknown>>
    readonly auther: Readonly<Record<string, unknown>>
  }
  readonly tokens: Readonly<Record<string, { readonly token: string; readonly claims: object }>>
}

export const expectationsOf = (version: OriginalVersion): OriginalExpectations =>
  JSON.parse(readFileSync(path.join(fixtures, version, 'expected.json'), 'utf8')) as OriginalExpectations

/** The bytes of a file in the folder of test data. */
export const fixtureBytes = (name: string): Buffer => readFileSync(path.join(fixtures, name))

/**
 * Creates a folder with the files that File Browser served, and a copy of its database in another folder. Absolute scopes
 * name the folder, unless File Browser ran in a container, which had the folder at `/srv`. Both folders are removed at
 * the end of the test by default.
 */
export function originalInstallation(
  version: OriginalVersion,
  database = 'filebrowser.db',
  { isContainer = false, atEnd }: { readonly isContainer?: boolean; readonly atEnd?: AtEnd } = {},
) {
  const [root, state] = [temporaryFolder(atEnd), temporaryFolder(atEnd)]
  const lines = readFileSync(path.join(fixtures, version, 'tree.txt'), 'utf8')
    .split('\n')
    .slice(1)
  for (const line of lines.filter((text) => text !== '')) {
    const [name = '', json = '""'] = line.split('\t')
    const content = JSON.parse(json) as string
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
    writeFileSync(
      path.join(root, name),
      content.startsWith('base64:') ? Buffer.from(content.slice(7), 'base64') : content,
    )
  }
  const file = path.join(state, 'filebrowser.db')
  const bytes = fixtureBytes(`${version}/${database}`)
  writeFileSync(file, isContainer ? bytes : withHostPaths(bytes, root))
  return { root, state, database: file }
}

/**
 * Replaces the folder `/srv`, which File Browser served, by another folder in the absolute scopes of a database. A file
 * without such a scope stays as it is.
 */
function withHostPaths(file: Buffer, root: string): Buffer {
  const rewrite = ({ values, buckets }: BoltBucket): BoltTree => ({
    ...Object.fromEntries([...values].map(([key, value]) => [key, rewriteValue(value)])),
    ...Object.fromEntries([...buckets].map(([key, bucket]) => [key, rewrite(bucket)])),
  })
  const rewriteValue = (value: Buffer): Buffer =>
    value[0] === 0x7b
      ? Buffer.from(value.toString().replaceAll('"scope":"/srv/', `"scope":"${root}/`))
      : value
  return file.includes('"scope":"/srv/') ? boltFile(rewrite(readBolt(file))) : file
}
