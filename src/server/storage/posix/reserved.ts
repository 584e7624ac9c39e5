import { isWithin, namesOf, type Path } from '../../../shared/domain/path.ts'
import type { Identity } from './facts.ts'

/** The server's own folder at the top of a volume. */
export const ownFolder = '.stowage'

/** Ends the names of what is not in place yet; before it stand a dot and 128 random bits. */
const stagedSuffix = '.stowage-part'
const stagedName = /^\.[0-9a-f]{32}\.stowage-part$/

export const stagedNameOf = (randomHex: string): string => `.${randomHex}${stagedSuffix}`

export const isStagedName = (name: string): boolean =>
  name.length === 33 + stagedSuffix.length && stagedName.test(name)

/** What the kernel shows of itself at the top of the disk: never served. */
const kernelFolders = ['proc', 'sys', 'dev', 'run']

/** Names at the top of a volume that are no entries of it. */
export const topNamesOf = (volumeRealPath: string): readonly string[] =>
  volumeRealPath === '/' ? [ownFolder, ...kernelFolders] : [ownFolder]

/** Whether a path leads to what is ours alone. `topNames`: those of the root, where it is the top of the volume. */
export function isReserved(path: Path, topNames: readonly string[]): boolean {
  if (topNames.some((name) => isWithin(path, `/${name}` as Path))) return true
  return path.includes(stagedSuffix) && namesOf(path).some(isStagedName)
}

/** The server's own files, wherever they lie: refused and left out of lists. */
export type OwnFiles = {
  readonly files: readonly Identity[]
  /** Names in one folder that begin with this are the server's, there or not (what a database puts beside itself). */
  readonly prefixes: readonly (Identity & { readonly prefix: string })[]
  /** Real paths of all folders that they lie in. Known, they spare a search of each tree that is moved or deleted. */
  readonly folders?: readonly string[]
}

/** Whether a name on the way to a path, or its own, may be the server's. */
export const hasOwnName = ({ prefixes }: OwnFiles, path: Path): boolean =>
  prefixes.some(({ prefix }) => path.includes(`/${prefix}`))

/** The paths on the way to this one, and itself, whose names may be the server's. */
export function mayBeOwn(own: OwnFiles, path: Path): Path[] {
  if (own.prefixes.length === 0) return []
  const names = namesOf(path)
  return names.flatMap((name, at) =>
    own.prefixes.some(({ prefix }) => name.startsWith(prefix))
      ? [`/${names.slice(0, at + 1).join('/')}` as Path]
      : [],
  )
}
