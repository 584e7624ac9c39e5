/** A surface of a model: triangles whose corners are three consecutive vertices each. */
export type ModelSurface = {
  /** Three coordinates for each vertex. */
  readonly positions: Float32Array
  /** Three coordinates of the normal of each vertex, or null when the file has none. */
  readonly normals: Float32Array | null
  /** Red, green and blue from 0 to 1 for each vertex, or null when the file has none. */
  readonly colours: Float32Array | null
}

/** A command for the worker: to read the bytes of a file in a format. */
export type ModelCommand = { readonly format: 'stl' | 'obj'; readonly bytes: ArrayBuffer }
/** The surfaces of a model, or `damaged` for a file without any that does not declare to be empty. */
export type ModelReply = readonly ModelSurface[] | 'damaged'
