import type { PosterExtension, PosterFeature } from '../../shared/contract/page.ts'
import type { FileType } from '../../shared/domain/file-types.ts'
import { splitName } from '../../shared/domain/names.ts'

/** The kinds of files of which a picture is made when a client asks for it. */
export type PosterKind = 'video' | 'pdf' | 'heic' | 'raw'

const kindOfExtension: Readonly<Record<PosterExtension, PosterKind>> = {
  heic: 'heic',
  heif: 'heic',
  hif: 'heic',
  dng: 'raw',
  cr2: 'raw',
  nef: 'raw',
  arw: 'raw',
  raf: 'raw',
  rw2: 'raw',
}

/** Returns the kind of a file by its type and name. Null when no picture is made of such files. */
export function posterKindOf(type: FileType, name: string): PosterKind | null {
  if (type === 'video' || type === 'pdf') return type
  const extension = splitName(name).extension.slice(1).toLowerCase()
  return type === 'image' && Object.hasOwn(kindOfExtension, extension)
    ? kindOfExtension[extension as PosterExtension]
    : null
}

/** Returns the features that a server announces when it makes pictures of these kinds of files. */
export function posterFeatures(kinds: ReadonlySet<PosterKind>): readonly PosterFeature[] {
  const extensions = Object.keys(kindOfExtension) as PosterExtension[]
  return [
    ...(['video', 'pdf'] as const).filter((kind) => kinds.has(kind)),
    ...extensions.filter((extension) => kinds.has(kindOfExtension[extension])),
  ].map((name) => `poster-${name}` as const)
}
