import type { FileTree } from '../kit/tree.ts'

const triangle = [0, 0, 0, 1, 0, 0, 0, 1, 0]

/** Returns a binary STL file with one triangle. */
function stl(): Buffer {
  const file = Buffer.alloc(84 + 50)
  file.writeUInt32LE(1, 80)
  triangle.forEach((value, at) => file.writeFloatLE(value, 84 + 12 + at * 4))
  return file
}

/** Returns a glTF file with one triangle, whose bytes are at `uri`. */
const gltf = (uri: string): string =>
  JSON.stringify({
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 0] },
    ],
    bufferViews: [{ buffer: 0, byteLength: 36 }],
    buffers: [{ uri, byteLength: 36 }],
  })

const positions = Buffer.from(new Float32Array(triangle).buffer)
const inText = `data:application/octet-stream;base64,${positions.toString('base64')}`
const empty = { asset: { version: '2.0' } }

/** Returns a binary glTF file that contains only a document. */
function glb(document: string): Buffer {
  const text = Buffer.from(document.padEnd(Math.ceil(document.length / 4) * 4))
  const header = Buffer.alloc(20)
  header.write('glTF', 'latin1')
  ;[2, 20 + text.length, text.length].forEach((number, at) => header.writeUInt32LE(number, 4 + at * 4))
  header.write('JSON', 16, 'latin1')
  return Buffer.concat([header, text])
}

/** Models of each format, and models that cannot be shown. */
export const modelFiles: FileTree = {
  '1 part.stl': stl(),
  '2 part.obj': 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n',
  '3 inside.gltf': gltf(inText),
  '4 beside #?.gltf': gltf('a%20b.bin'),
  'a b.bin': positions,
  '5 remote.gltf': gltf('https://example.org/evil.bin'),
  '6 broken.glb': 'no model',
  '7 draco.glb': glb(JSON.stringify({ ...empty, extensionsUsed: ['KHR_draco_mesh_compression'] })),
  '8 meshopt.gltf': JSON.stringify({ ...empty, extensionsRequired: ['EXT_meshopt_compression'] }),
  '9 optional.gltf': JSON.stringify({
    ...(JSON.parse(gltf(inText)) as object),
    extensionsUsed: ['KHR_texture_basisu'],
  }),
}
