import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { rowOf, signIn } from '../kit/browser.ts'
import { ann } from '../kit/run-server.ts'
import { atRoot, eventually, violationsIn } from './journeys.ts'

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

const files = {
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

const drawing = (page: Page) => page.locator('[data-part="model"] canvas')

atRoot({ files, people: [ann] }, ({ server, window }) => {
  const open = async (name: string, options: Parameters<typeof window>[0] = {}) => {
    const page = await window(options)
    await signIn(page, server(), ann)
    await rowOf(page, name).dblclick()
    await page.locator('[data-part="editor"], [data-part="model"], [data-part="file"] p').first().waitFor()
    return page
  }

  test('a model is drawn, and is turned and zoomed by buttons and keys', async () => {
    const page = await open('1 part.stl')
    await drawing(page).waitFor()
    expect(await drawing(page).textContent()).toBe('Model 1 part.stl, 1 triangles')
    const seen = await drawing(page).screenshot()
    await page.getByRole('button', { name: 'Turn' }).click()
    await eventually(async () => (await drawing(page).screenshot()).equals(seen), false)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('+')
    await page.getByRole('button', { name: 'Fit to the window' }).click()
    await page.keyboard.press('Escape')
    await rowOf(page, '1 part.stl').waitFor()
  })

  test.each([
    ['2 part.obj', 2],
    ['3 inside.gltf', 1],
    ['4 beside #?.gltf', 1],
  ])('the model %s is drawn first, and its text is shown instead by a button', async (name, triangles) => {
    const page = await open(name)
    await drawing(page).waitFor()
    expect(await drawing(page).textContent()).toBe(`Model ${name}, ${triangles} triangles`)
    const source = page.locator('[data-part="editor"]').getByRole('textbox')
    expect(await source.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Model', exact: true }).click()
    await source.waitFor()
    expect(await drawing(page).count()).toBe(0)
  })

  test('a model asks no other server', async () => {
    const page = await open('1 part.stl')
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.goto(`${server().url}/files/5 remote.gltf`)
    await page.getByText('The model cannot be shown.', { exact: false }).waitFor()
    expect(asked.filter((url) => !url.startsWith(server().url) && !/^(?:data|blob):/.test(url))).toEqual([])
  })

  test('a model that needs an extension which cannot be read names it, as a file and beside its text', async () => {
    const page = await open('7 draco.glb')
    await page.getByText('it needs the glTF extension KHR_draco_mesh_compression.').waitFor()
    await page.getByRole('main').getByRole('button', { name: 'Download' }).waitFor()
    await page.goto(`${server().url}/files/8 meshopt.gltf`)
    await page.getByText('it needs the glTF extension EXT_meshopt_compression.').waitFor()
    await page.goto(`${server().url}/files/9 optional.gltf`)
    await drawing(page).waitFor()
  })

  test('a damaged model is only offered for download', async () => {
    const page = await open('6 broken.glb')
    await page.getByText('Preview is not available for this file.').waitFor()
  })

  test('at 390 pixels the tools fit, and axe reports no violation', async () => {
    const page = await open('1 part.stl', { viewport: { width: 390, height: 844 } })
    await drawing(page).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    expect(await violationsIn(page, 'light')).toEqual([])
  })
})
