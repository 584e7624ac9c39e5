import { typeOfName } from './file-kind.ts'
import type { FileType } from './file-types.ts'
import { splitName } from './names.ts'

/**
 * The extensions of the images for which the server can make previews: the formats that its image library reads without
 * plug-ins.
 */
export const convertibleExtensions: ReadonlySet<string> = new Set(
  'jpg jpeg jpe jfif png gif webp avif tif tiff'.split(' '),
)

/**
 * Returns true for an image of which the server makes previews: by its extension, or because the server has recognized it by
 * its first bytes.
 */
export const isConvertibleImage = (name: string, type: FileType): boolean =>
  type === 'image' &&
  (convertibleExtensions.has(splitName(name).extension.slice(1).toLowerCase()) || typeOfName(name) === null)
