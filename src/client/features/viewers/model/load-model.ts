import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  Group,
  LoadingManager,
  Mesh,
  MeshStandardMaterial,
  type Object3D,
  TextureLoader,
} from 'three'
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js'
import { parentOf, parsePath, joinPaths, type Path } from '../../../../shared/domain/path.ts'
import { splitName } from '../../../../shared/domain/names.ts'
import { href } from '../../../api/href.ts'
import { startWorker } from '../../../api/trusted-sinks.ts'
import type { ViewedFile } from '../viewer.ts'
import { asDamaged, DamagedModelError } from './damaged-model-error.ts'
import { embedBuffers } from './gltf-buffers.ts'
import { checkExtensions } from './missing-extension.ts'
import type { ModelCommand, ModelReply, ModelSurface } from './model-messages.ts'
import modelWorker from './model-worker.ts?worker&url'

/** The largest model that is loaded, in bytes. Its triangles take several times as much memory. */
const maxModelBytes = 150 * 1024 * 1024
/** The colour of models that define no colours: a light grey, which shows the shape best. */
const plainColour = 0xb8bec8

export type ModelSource = {
  readonly name: string
  readonly bytes: ArrayBuffer
  /** The path of the model, from which the files that it refers to are found. Null when it has none. */
  readonly path: Path | null
  readonly signal: AbortSignal
}

/**
 * Reads the bytes of a model.
 * @throws when the file is too large, when the server refuses, and the reason of the signal.
 */
export async function readModel(
  { address, sizeBytes }: Pick<ViewedFile, 'address' | 'sizeBytes'>,
  signal: AbortSignal,
): Promise<ArrayBuffer> {
  if (sizeBytes > maxModelBytes) throw new Error('The model is too large.')
  const response = await fetch(address, { signal })
  if (!response.ok) throw new Error(`The server answered ${response.status}.`)
  return response.arrayBuffer()
}

/**
 * Parses a model. Its textures and buffers come from the file itself or from its folder, and never from another
 * server.
 * @throws DamagedModelError, MissingExtensionError, an error when a file beside the model cannot be loaded, and the reason of the
 * signal.
 */
export async function loadModel({ name, bytes, path, signal }: ModelSource): Promise<Object3D> {
  const format = splitName(name).extension.slice(1).toLowerCase()
  if (format === 'stl' || format === 'obj')
    return modelOf(await parseInWorker({ format, bytes }, signal), format === 'stl')
  checkExtensions(bytes)
  const loader = new GLTFLoader(managerOf(path))
  // The default loader fetches textures from blob: URLs, which the policy of the page forbids. Images may have them.
  loader.register((parser) => {
    parser.textureLoader = new TextureLoader(parser.options.manager)
    return { name: 'textures-as-images' }
  })
  const packed = await embedBuffers(bytes, (uri) => fetchBuffer(uri, path, signal))
  const { scene } = await loader.parseAsync(packed, '').catch(asDamaged)
  signal.throwIfAborted()
  return scene
}

/**
 * Returns a loading manager that maps the URL of each image in a model to a file in the model's folder. Other URLs are
 * replaced by an empty one.
 */
function managerOf(path: Path | null): LoadingManager {
  const manager = new LoadingManager()
  manager.setURLModifier((url) =>
    /^(?:blob|data):/.test(url) ? url : (addressBeside(url, path) ?? 'data:,'),
  )
  return manager
}

/** Returns the address of a file that a model names by a relative URL, or null for any other URL. */
function addressBeside(url: string, path: Path | null): string | null {
  const relative = /^[a-z][\w+.-]*:|^\/\//i.test(url) ? null : parsePath(`/${url}`)
  const target = path === null || relative === null ? null : joinPaths(parentOf(path), relative.path)
  return target === null ? null : href('raw.get', { path: target, query: { inline: true } })
}

async function fetchBuffer(uri: string, path: Path | null, signal: AbortSignal): Promise<ArrayBuffer> {
  const address = addressBeside(uri, path)
  if (address === null) throw new Error('The model refers to another server.')
  return readModel({ address, sizeBytes: 0 }, signal)
}

/** Reads a model in a worker, because a large model takes seconds. */
async function parseInWorker(command: ModelCommand, signal: AbortSignal): Promise<readonly ModelSurface[]> {
  const worker = startWorker(modelWorker)
  const { promise, resolve, reject } = Promise.withResolvers<readonly ModelSurface[]>()
  worker.addEventListener('message', ({ data }: MessageEvent<ModelReply>) =>
    data === 'damaged' ? reject(new DamagedModelError()) : resolve(data),
  )
  // The code of the worker may have been lost with the connection, so that this tells nothing about the model.
  worker.addEventListener('error', () => reject(new Error('The model could not be parsed.')))
  const stop = (): void => reject(signal.reason as Error)
  signal.addEventListener('abort', stop, { once: true })
  worker.postMessage(command, [command.bytes])
  try {
    return await promise
  } finally {
    worker.terminate()
    signal.removeEventListener('abort', stop)
  }
}

/** Makes a model of surfaces. A faceted model shows each triangle as a plane, so that its edges are visible. */
function modelOf(surfaces: readonly ModelSurface[], isFaceted: boolean): Object3D {
  const model = new Group()
  for (const { positions, normals, colours } of surfaces) {
    const geometry = new BufferGeometry()
    geometry.setAttribute('position', new BufferAttribute(positions, 3))
    if (normals === null) geometry.computeVertexNormals()
    else geometry.setAttribute('normal', new BufferAttribute(normals, 3))
    if (colours !== null) geometry.setAttribute('color', new BufferAttribute(colours, 3))
    const material = new MeshStandardMaterial({
      color: colours === null ? plainColour : 0xffffff,
      vertexColors: colours !== null,
      flatShading: isFaceted,
      roughness: 0.7,
      side: DoubleSide,
    })
    model.add(new Mesh(geometry, material))
  }
  return model
}

/** Returns the number of triangles of a model. */
export function trianglesOf(model: Object3D): number {
  let count = 0
  model.traverse((part) => {
    if (!(part instanceof Mesh)) return
    const geometry = part.geometry as BufferGeometry
    count += (geometry.index ?? geometry.getAttribute('position') ?? { count: 0 }).count / 3
  })
  return Math.floor(count)
}
