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
  test('a model is drawn, turned and zoomed by buttons and keys, fits on phones, and is drawn before its text, which a button shows instead', async () => {
    const page = await window()
    await signIn(page, server(), ann)
    await rowOf(page, '1 part.stl').dblclick()
    await drawing(page).waitFor()
    expect(await drawing(page).textContent()).toBe('Model 1 part.stl, 1 triangle')
    const seen = await drawing(page).screenshot()
    await page.getByRole('button', { name: 'Turn' }).click()
    await eventually(async () => (await drawing(page).screenshot()).equals(seen), false)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('+')
    await page.getByRole('button', { name: 'Fit to the window' }).click()

    await page.setViewportSize({ width: 390, height: 844 })
    await eventually(() => page.evaluate(() => document.documentElement.scrollWidth), 390)
    expect(await violationsIn(page, 'light')).toEqual([])
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.keyboard.press('Escape')

    const source = page.locator('[data-part="editor"]').getByRole('textbox')
    const toggle = page.getByRole('button', { name: 'Model', exact: true })
    for (const [name, triangles] of [
      ['2 part.obj', 2],
      ['3 inside.gltf', 1],
      ['4 beside #?.gltf', 1],
    ] as const) {
      await rowOf(page, name).dblclick()
      await drawing(page).waitFor()
      await eventually(
        () => drawing(page).textContent(),
        `Model ${name}, ${triangles} ${triangles < 2 ? 'triangle' : 'triangles'}`,
      )
      expect(await source.isVisible()).toBe(false)
      await toggle.click()
      await source.waitFor()
      expect(await drawing(page).count()).toBe(0)
      // The choice is remembered, so that the next model is drawn again.
      await toggle.click()
      await drawing(page).waitFor()
      await page.getByRole('button', { name: 'Close the file' }).click()
    }
  })

  test('a model asks no other server, one that needs an unknown extension names it, and a damaged one is only offered for download', async () => {
    const page = await window()
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await signIn(page, server(), ann, '/files/5 remote.gltf')
    await page.getByText('The model cannot be shown.', { exact: false }).waitFor()
    expect(asked.filter((url) => !url.startsWith(server().url) && !/^(?:data|blob):/.test(url))).toEqual([])

    await page.getByRole('button', { name: 'Close the file' }).click()
    await rowOf(page, '6 broken.glb').dblclick()
    await page.getByText('Preview is not available for this file.').waitFor()
    await page.keyboard.press('ArrowRight')
    await page.getByText('it needs the glTF extension KHR_draco_mesh_compression.').waitFor()
    await page.getByRole('main').getByRole('button', { name: 'Download' }).waitFor()
    await page.keyboard.press('Escape')
    await rowOf(page, '8 meshopt.gltf').dblclick()
    await page.getByText('it needs the glTF extension EXT_meshopt_compression.').waitFor()
    await page.getByRole('button', { name: 'Close the file' }).click()
    await rowOf(page, '9 optional.gltf').dblclick()
    await drawing(page).waitFor()
  })
})
