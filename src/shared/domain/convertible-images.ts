/**
 * The extensions of the images for which the server can make previews: the formats that its image library reads without
 * plug-ins.
 */
export const convertibleExtensions: ReadonlySet<string> = new Set(
  'jpg jpeg jpe jfif png gif webp avif tif tiff'.split(' '),
)
