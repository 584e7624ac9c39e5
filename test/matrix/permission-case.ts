import type { RouteName } from '../../src/shared/contract/routes.ts'
import type { Permission } from '../../src/shared/domain/access.ts'
import type { App, Person } from '../kit/start-app.ts'
import type { Tree } from '../kit/tree.ts'
import { onePoint } from './samples.ts'

/** The server, the users and the folder that one cell of the matrix uses. */
export type PermissionCaseContext = {
  readonly app: App
  /** The user whose permissions the cell restricts. */
  readonly ann: Person
  /** Another user, who has all permissions. */
  readonly ada: Person
  /** The path of this cell's folder, which contains `files`. Other cells do not use it. Begins with a slash. */
  readonly folder: string
}

export type CallOptions = NonNullable<Parameters<Person['call']>[1]>

/** A request to an endpoint, and the permissions that it requires. */
export type PermissionCase = {
  readonly title: string
  readonly route: RouteName
  readonly needs: readonly Permission[]
  /** Prepares the cell while Ann still has all permissions. The returned text is passed to `ask`. */
  readonly before?: (scene: PermissionCaseContext) => Promise<string>
  readonly ask: (scene: PermissionCaseContext, made: string) => Promise<unknown>
  /** True when only the sandbox can enforce the refusal. */
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

/** Returns the options of a request with its `path` and `destination` moved below the folder of the cell. */
function placed(folder: string, { path = '', query = {}, ...wish }: CallOptions): CallOptions {
  const { destination } = query
  const there = destination === undefined ? {} : { destination: folder + destination }
  return { ...wish, path: folder + path, query: { ...query, ...there } }
}

/** Returns a function that sends a request as Ann and returns its status. */
export const asking =
  (route: RouteName, wish: CallOptions = {}) =>
  async ({ ann, folder }: PermissionCaseContext): Promise<number> =>
    (await ann.call(route, placed(folder, wish))).status
