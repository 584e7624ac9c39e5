import type { RouteName } from '../../src/shared/contract/routes.ts'
import type { Permission } from '../../src/shared/domain/access.ts'
import type { App, Person } from '../kit/start-app.ts'
import type { Tree } from '../kit/tree.ts'
import { onePoint } from './samples.ts'

/** Where one cell takes place. */
export type Scene = {
  readonly app: App
  /** Whose rights are looked at. */
  readonly ann: Person
  /** Somebody else, who may everything. */
  readonly ada: Person
  /** Of this cell alone, with `files` in it; begins with a slash. */
  readonly folder: string
}

export type Wish = NonNullable<Parameters<Person['call']>[1]>

/** A call as it is made, with all the rights that it takes: no more, no less. */
export type Deed = {
  readonly title: string
  readonly route: RouteName
  readonly needs: readonly Permission[]
  /** Done while Ann still has every right; what it gives is told to `ask`. */
  readonly before?: (scene: Scene) => Promise<string>
  readonly ask: (scene: Scene, made: string) => Promise<unknown>
  /** Only a sandbox keeps somebody from doing it. */
  readonly isHeldBySandbox?: boolean
  /** What comes of it with these rights; left out, 200. */
  readonly works?: unknown
  /** What comes of it without one of them; left out, 403. */
  readonly refused?: unknown
}

/** What every cell begins with. */
export const files: Tree = {
  'a.txt': 'A',
  'b.txt': 'B',
  docs: { 'c.txt': 'C' },
  'dot.png': onePoint,
  'film.mp4': 'film',
  'film.srt': '1\n00:00:01,000 --> 00:00:02,000\nhello\n',
}

/** The wish in the cell's own folder: `path` and `destination` are below it. */
function placed(folder: string, { path = '', query = {}, ...wish }: Wish): Wish {
  const { destination } = query
  const there = destination === undefined ? {} : { destination: folder + destination }
  return { ...wish, path: folder + path, query: { ...query, ...there } }
}

/** Ann's call, told by its status. */
export const asking =
  (route: RouteName, wish: Wish = {}) =>
  async ({ ann, folder }: Scene): Promise<number> =>
    (await ann.call(route, placed(folder, wish))).status
