import type { RouteName } from '../../src/shared/contract/routes.ts'
import type { Permission } from '../../src/shared/domain/access.ts'
import type { TestApp, SignedInUser } from '../kit/start-app.ts'
import type { FileTree } from '../kit/tree.ts'
import { oneFileTar, onePixelPng } from './samples.ts'

/** The server, the users and the folder that one cell of the matrix uses. */
export type PermissionCaseContext = {
  readonly app: TestApp
  /** The user whose permissions the cell restricts. */
  readonly ann: SignedInUser
  /** Another user, who has all permissions. */
  readonly ada: SignedInUser
  /** The path of the folder that only this cell uses. The path begins with a slash, and the folder contains `files`. */
  readonly folder: string
}

export type EndpointCallOptions = NonNullable<Parameters<SignedInUser['call']>[1]>

/** A request to an endpoint, and the permissions that it requires. */
export type PermissionCase = {
  readonly title: string
  readonly route: RouteName
  readonly needs: readonly Permission[]
  /** Prepares the cell while Ann still has all permissions. The returned string is passed to `request`. */
  readonly prepare?: (context: PermissionCaseContext) => Promise<string>
  readonly request: (context: PermissionCaseContext, prepared: string) => Promise<unknown>
  /** True when only the sandbox can refuse the action. */
  readonly isEnforcedBySandbox?: boolean
  /** The expected outcome when the user has the required permissions. The default is 200. */
  readonly allowedOutcome?: unknown
  /** The expected outcome when one of the required permissions is missing. The default is 403. */
  readonly refusedOutcome?: unknown
}

/** The files in the folder of every cell. */
export const files: FileTree = {
  'a.txt': 'A',
  'b.txt': 'B',
  docs: { 'c.txt': 'C' },
  'dot.png': onePixelPng,
  'film.mp4': 'film',
  'in.tar': oneFileTar,
  'film.srt': '1\n00:00:01,000 --> 00:00:02,000\nhello\n',
}

/** Returns the options of a request with its `path` and `destination` moved below the folder of the cell. */
function belowFolder(
  folder: string,
  { path = '', query = {}, ...options }: EndpointCallOptions,
): EndpointCallOptions {
  const { destination } = query
  const moved = destination === undefined ? {} : { destination: folder + destination }
  return { ...options, path: folder + path, query: { ...query, ...moved } }
}

/** Returns a function that sends a request as Ann and returns its status. */
export const statusRequest =
  (route: RouteName, options: EndpointCallOptions = {}) =>
  async ({ ann, folder }: PermissionCaseContext): Promise<number> =>
    (await ann.call(route, belowFolder(folder, options))).status
