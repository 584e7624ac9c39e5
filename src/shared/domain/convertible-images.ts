/** The extensions of images that the server can reduce: the formats that its image library reads without plug-ins. */
export const convertibleExtensions: ReadonlySet<string> = new Set(
  'jpg jpeg jpe jfif png gif webp avif tif tiff'.split(' '),
)
