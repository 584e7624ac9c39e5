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

/** A model needs an extension of its format that cannot be read here. The message is the name of the extension. */
export class MissingExtensionError extends Error {}

/**
 * Throws for a glTF file that needs an extension which cannot be read here.
 * @throws MissingExtensionError, and a SyntaxError for a damaged file.
 */
export function checkExtensions(bytes: ArrayBuffer): void {
  const { extensionsUsed = [], extensionsRequired = [] } = readGltf(bytes)
  const needed = [...extensionsRequired, ...extensionsUsed.filter((name) => name === alwaysNeeded)]
  const missing = needed.find((name) => undecodable.includes(name))
  if (missing !== undefined) throw new MissingExtensionError(missing)
}
