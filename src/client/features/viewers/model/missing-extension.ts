import { readGltf } from './gltf-buffers.ts'

/**
 * The extensions of glTF without which the shapes or the textures of a model cannot be read. Their decoders are WebAssembly,
 * which the policy of the page forbids, or have half a megabyte.
 */
const undecodable: readonly string[] = [
  'KHR_draco_mesh_compression',
  'EXT_meshopt_compression',
  'KHR_meshopt_compression',
  'KHR_texture_basisu',
]

/** The library refuses a model that uses this extension even where the model also has its shapes without compression. */
const alwaysNeeded = 'KHR_draco_mesh_compression'

/** A model needs an extension of its format that cannot be read here. */
export class MissingExtensionError extends Error {
  /** The name of the extension. */
  readonly extension: string
  constructor(extension: string) {
    super(`The model needs ${extension}.`)
    this.name = 'MissingExtensionError'
    this.extension = extension
  }
}

/** The largest number of nodes of a model. The library makes an object of each, which takes a second for this number. */
const maxNodes = 50_000

/**
 * Throws for a glTF file that needs an extension which cannot be read here, or that has too many nodes.
 * @throws MissingExtensionError, DamagedModelError, and a RangeError for too many nodes or a version that cannot be read.
 */
export function checkExtensions(bytes: ArrayBuffer): void {
  const { asset, extensionsUsed = [], extensionsRequired = [], nodes = [] } = readGltf(bytes)
  if (/^[01]\b/.test(asset?.version ?? ''))
    throw new RangeError('The version of the format is not supported.')
  if (nodes.length > maxNodes) throw new RangeError('The model has too many nodes.')
  const needed = [...extensionsRequired, ...extensionsUsed.filter((name) => name === alwaysNeeded)]
  const missing = needed.find((name) => undecodable.includes(name))
  if (missing !== undefined) throw new MissingExtensionError(missing)
}
