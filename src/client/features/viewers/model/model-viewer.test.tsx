import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { showFile } from '../../../../../test/components/show-file.tsx'

const drawing = () => document.querySelector<HTMLCanvasElement>('[data-part="model"] canvas')
const name = () => drawing()?.textContent ?? null

test.each([
  ['1 part.stl', '1 triangle'],
  ['2 part.obj', '2 triangles'],
  ['3 inside.gltf', '1 triangle'],
  ['4 beside #?.gltf', '1 triangle'],
])('%s is drawn, and its text alternative says %s', async (file, triangles) => {
  await showFile(`/models/${file}`)
  await expect.poll(name).toBe(`Model ${file}, ${triangles}`)
})

test('a model that needs no optional extension is drawn', async () => {
  await showFile('/models/9 optional.gltf')
  await expect.poll(name).toContain('1 triangle')
})

test.each([
  ['7 draco.glb', 'KHR_draco_mesh_compression'],
  ['8 meshopt.gltf', 'EXT_meshopt_compression'],
])('%s names the extension that it needs', async (file, extension) => {
  await showFile(`/models/${file}`)
  await expect
    .element(page.getByRole('status'))
    .toHaveTextContent(`This model cannot be shown, because it needs the glTF extension ${extension}.`)
})

test('a model whose bytes are at another server is not shown, and the server is not asked', async () => {
  await showFile('/models/5 remote.gltf')
  await expect.element(page.getByRole('status')).toBeVisible()
  const asked = performance.getEntriesByType('resource').map((entry) => new URL(entry.name))
  expect(asked.length).toBeGreaterThan(0)
  expect(asked.filter(({ hostname }) => hostname === 'example.org')).toEqual([])
})

test('a damaged model is not shown', async () => {
  await showFile('/models/6 broken.glb')
  await expect.element(page.getByRole('status')).toBeVisible()
})
