import { splitName } from '../../../shared/domain/names.ts'

const tiffExtensions = ['tif', 'tiff']
/** The formats of cameras that have the structure of TIFF. */
const rawExtensions = ['arw', 'cr2', 'dng', 'nef', 'orf', 'rw2']
/** Drawings in SVG. The server sends `svgz` with the encoding gzip, so the browser unpacks it. */
const drawingExtensions = ['svg', 'svgz']

/** Returns true for a name with one of these extensions, which are in lower case and without a dot. */
export const hasExtension = (name: string, extensions: readonly string[]): boolean =>
  extensions.includes(splitName(name).extension.slice(1).toLowerCase())

/** Returns true for the name of a TIFF. */
export const isTiff = (name: string): boolean => hasExtension(name, tiffExtensions)

/** Returns true for the name of a RAW file with the structure of TIFF. */
export const isRaw = (name: string): boolean => hasExtension(name, rawExtensions)

/** Returns true for the name of a drawing (SVG). */
export const isDrawing = (name: string): boolean => hasExtension(name, drawingExtensions)
