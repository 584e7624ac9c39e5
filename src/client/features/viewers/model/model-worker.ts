import { type BufferGeometry, Mesh } from 'three'
import { OBJLoader } from 'three/examples/jsm/loaders/OBJLoader.js'
import { STLLoader } from 'three/examples/jsm/loaders/STLLoader.js'
import type { ModelCommand, ModelReply, ModelSurface } from './model-messages.ts'

addEventListener('message', ({ data }: MessageEvent<ModelCommand>) => {
  const surfaces = surfacesOf(data)
  if (
    surfaces === null ||
    (surfaces.every(({ positions }) => positions.length === 0) && !isEmptyModel(data))
  ) {
    postMessage('damaged' satisfies ModelReply)
    return
  }
  const memory = surfaces.flatMap(({ positions, normals, colours }) =>
    [positions, normals, colours].flatMap((values) => (values === null ? [] : [values.buffer])),
  )
  postMessage(surfaces satisfies ModelReply, { transfer: [...new Set(memory)] })
})

/** Returns the surfaces of a model, or null for one that cannot be parsed. */
function surfacesOf(command: ModelCommand): readonly ModelSurface[] | null {
  try {
    const surfaces = geometriesOf(command).map(surfaceOf)
    // Many programs write zeros in the place of the normals of STL files. They are computed instead.
    return command.format === 'stl' ? surfaces.map((surface) => ({ ...surface, normals: null })) : surfaces
  } catch {
    return null
  }
}

function geometriesOf({ format, bytes }: ModelCommand): readonly BufferGeometry[] {
  if (format === 'stl') return [new STLLoader().parse(bytes)]
  const geometries: BufferGeometry[] = []
  new OBJLoader().parse(new TextDecoder().decode(bytes)).traverse((part) => {
    if (part instanceof Mesh) geometries.push(part.geometry as BufferGeometry)
  })
  return geometries
}

function surfaceOf(geometry: BufferGeometry): ModelSurface {
  const valuesOf = (name: string): Float32Array | null => {
    const attribute = geometry.getAttribute(name)
    return attribute === undefined ? null : Float32Array.from(attribute.array)
  }
  return {
    positions: valuesOf('position') ?? new Float32Array(),
    normals: valuesOf('normal'),
    colours: valuesOf('color'),
  }
}

/**
 * Returns true for a file without triangles that may be valid: an OBJ file with points or lines, or an STL file whose number of
 * triangles is 0 or whose text has an end.
 */
function isEmptyModel({ format, bytes }: ModelCommand): boolean {
  const text = new TextDecoder().decode(bytes)
  if (format === 'obj') return /^\s*v\s/m.test(text)
  return bytes.byteLength === emptyStlBytes || /^\s*endsolid\b/m.test(text)
}

/** The length of a binary STL file without triangles: a header, and their number. */
const emptyStlBytes = 84
