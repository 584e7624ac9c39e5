import type { RouteName } from '../../src/shared/contract/routes.ts'
import type { Permission } from '../../src/shared/domain/access.ts'
import type { App, Person } from '../kit/start-app.ts'
import type { Tree } from '../kit/tree.ts'
import { onePoint } from './samples.ts'

/** The surroundings of one cell of the matrix. */
export type PermissionCaseContext = {
  readonly app: App
  /** The person whose permissions the cell restricts. */
  readonly ann: Person
  /** Another person, with all permissions. */
  readonly ada: Person
  /** The folder of this cell, which holds `files`. No other cell uses it. Begins with a slash. */
  readonly folder: string
}

export type CallOptions = NonNullable<Parameters<Person['call']>[1]>

/** A request to an endpoint, with exactly the permissions that it needs. */
export type PermissionCase = {
  readonly title: string
  readonly route: RouteName
  readonly needs: readonly Permission[]
  /** Prepares the cell while Ann still has every permission. Its result is passed to `ask`. */
  readonly before?: (scene: PermissionCaseContext) => Promise<string>
  readonly ask: (scene: PermissionCaseContext, made: string) => Promise<unknown>
  /** True when only the sandbox can refuse the request. */
  readonly isHeldBySandbox?: boolean
  /** The expected outcome with these permissions; 200 by default. */
  readonly works?: unknown
  /** The expected outcome without one of them; 403 by default. */
  readonly refused?: unknown
}

/** The files in the folder of every cell. */
export const files: Tree = {
  'a.txt': 'A',
  'b.txt': 'B',
  docs: { 'c.txt': 'C' },
  'dot.png': onePoint,
  'film.mp4': 'film',
  'film.srt': '1\n00:00:01,000 --> 00:00:02,000\nhello\n',
}

/** Moves a request into the folder of the cell: its `path` and `destination` are below that folder. */
function placed(folder: string, { path = '', query = {}, ...wish }: CallOptions): CallOptions {
  const { destination } = query
  const there = destination === undefined ? {} : { destination: folder + destination }
  return { ...wish, path: folder + path, query: { ...query, ...there } }
}

/** Sends Ann's request and returns its status. */
export const asking =
  (route: RouteName, wish: CallOptions = {}) =>
  async ({ ann, folder }: PermissionCaseContext): Promise<number> =>
    (await ann.call(route, placed(folder, wish))).status
