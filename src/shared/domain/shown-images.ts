/** Extensions of images that the server makes smaller: what its image library reads without plug-ins. */
export const convertedExtensions: ReadonlySet<string> = new Set(
  'jpg jpeg jpe jfif png gif webp avif tif tiff'.split(' '),
)
